// Made from the contract by `npm run client:types`. Change the contract, not this file.

/** The calls that take an Idempotency-Key: repeated with the same one, they do nothing twice. */
export const KEYED_CALLS: ReadonlySet<string> = new Set([
  'POST /flows/{flow_uuid}/executions',
  'POST /messages',
  'POST /store/products',
  'POST /webhooks',
  'POST /webhooks/{endpoint_uuid}/replays',
  'POST /webhooks/{endpoint_uuid}/redeliver-failed',
]);

export interface paths {
    "/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description The WhatsApp numbers of the company. The `uuid` is the `channel_uuid` of sends; with a single channel, sends may omit it.
         *
         *     Needs the scope `channels:read`.
         */
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Contacts of the company, newest first. `query` searches name, phone, e-mail, tags and the external id of the caller's own integration. Every word of `query` must match the beginning of a word; accents and case do not matter. Phones are found in any notation, with and without country code, area code and ninth digit, and by their last four digits.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contact_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a contact
         * @description One contact.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Fields left out are preserved. `custom_fields` is merged, not replaced; `tags` replaces the list.
         *
         *     Needs the scope `contacts:write`.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/contacts/external/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update a contact by your own id
         * @description Creates or updates the contact keyed by your identifier and links it to this integration, so later payloads echo `external_id`. Idempotent: safe on every sync. An `external_id` that is linked to another phone's contact is linked to this one instead. A phone whose contact has a different `external_id` of this integration answers 409.
         *
         *     Needs the scope `contacts:write`.
         */
        put: operations["upsertExternalContact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List flows
         * @description Flows of the company. Only `active` ones can be executed.
         *
         *     Needs the scope `flows:read`.
         */
        get: operations["listFlows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a flow
         * @description One flow.
         *
         *     Needs the scope `flows:read`.
         */
        get: operations["getFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a flow for one person
         * @description Asynchronous: answers 202 with an operation of type `flow.execute`. It is `waiting` while the flow waits for an answer, a time, a call-back or the end of another flow. It succeeds when the execution ends; `result.status` states the outcome. The execution runs the version that is published now, even if another one is published meanwhile. `flow.execution.updated` reports each change of status.
         *
         *     A retry with the same `Idempotency-Key` and the same body returns the original operation and starts nothing twice. If `recipient.external_id` is already linked to a contact with a different phone, the operation fails with `external_contact_conflict` and nothing is moved.
         *
         *     Needs the scope `flows:execute`.
         */
        post: operations["executeFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Message templates; approved ones unless `status` says otherwise.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a template by name
         * @description The best match for the name; an APPROVED version is preferred.
         *
         *     Needs the scope `templates:read`.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find messages that were sent
         * @description Messages that an API key, a flow or an operator sent, newest first: also those that still wait, or failed before they reached
         *     WhatsApp. Received messages are in their conversation.
         *
         *     Use one of `phone`, `contact_uuid`, `template`, `error_code`, `idempotency_key`, and `metadata_key` with
         *     `metadata_value`. `from` and `to` go with any of them, except `idempotency_key`. `status` goes with `phone`,
         *     `contact_uuid` and `metadata_key`; alone it may be `failed` or `queued`. Other combinations answer 422
         *     `validation_failed`; the code of the field is `filters_not_combined`.
         *
         *     A page may hold fewer messages than `limit`, or none: the list ends where `next_cursor` is null.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Send a message
         * @description Asynchronous: answers 202 with an operation of type `message.send`. A retry with the same `Idempotency-Key` and the same request returns the original operation and does not send twice. Template name, language and parameters are checked on this call. The gates (opt-out, caps, duplicates, paused marketing) are checked on this call and once more at dispatch. The same codes can therefore appear as `error.code` of the operation. Delivery is paced per channel; an operation that cannot be delivered within the pacing window fails with `send_pacing_timeout`.
         *
         *     Needs the scope `messages:send`.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls that a gate refused
         * @description Calls of `POST /messages` by your own integration that a gate refused, newest first. Nothing was accepted, so
         *     `GET /messages` does not list them. Other refusals, such as an unknown template or a wrong field, are only in
         *     their answer. At most 60 calls a minute of each process are recorded, and 2,000 a day.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["listRefusedMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{message_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One message and what happened to it
         * @description The message, and in `timeline` everything that is known of it, oldest first: when it was accepted, the gates it
         *     passed or was refused by, waits, attempts with WhatsApp's answer, statuses, and the deliveries of its webhooks
         *     to your endpoints while the delivery log keeps them.
         *
         *     Also takes the uuid of the operation that sends the message.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Messages, newest first. Filter out `note` before showing them to a customer.
         *
         *     Messages of the customer are placed at WhatsApp's time, also when they arrive late. To poll for new messages,
         *     use `order=recorded`.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["listConversationMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations/{operation_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll an operation
         * @description Poll until `status` is `succeeded` or `failed`. Besides the codes of the gates, `error.code` can be `external_contact_conflict`, `send_pacing_timeout`, `template_quality_blocked`, `template_sends_disabled`, `service_window_closed`, `recipient_unreachable`, `send_outcome_unknown`, `provider_rejected`, `provider_unavailable` and `channel_not_connected`.
         *
         *     Needs the scope `operations:read`.
         */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events since a sequence
         * @description The events of this integration, oldest first, for a receiver that was away: every event once, in the order of the history, whether a webhook was sent or not. Continue with `meta.next_after`, also when a page is empty. Each line of `data` is one event, with exactly the bytes of its webhook's body.
         *
         *     Events are kept while the integration has a webhook endpoint or its feed is switched on, for the days of the delivery log. Of an erased person, `data` is empty.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events live
         * @description The same events as `GET /events`, as they come (server-sent events). `event` is the type, `id` the sequence, and `data` the event in one line, with exactly the bytes of its webhook's body. To continue after a break, send the last `id` as `Last-Event-ID`, or as `after`; without either, the stream begins with the next event. A comment shows every 15 seconds that the connection lives; its `id` is the place to continue from. The stream ends when the key is revoked, when the server stops, and when you take no bytes for 30 seconds.
         *
         *     A key may have five streams. Only opening one counts as a request. Needs the scope `events:read`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Conversations, most recently active first.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversation
         * @description The conversation with contact, channel, assignment and counters. With `include=messages` the first page of messages is embedded.
         *
         *     Needs the scope `conversations:read`.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the store summary
         * @description Status, public address, product and order counts.
         *
         *     Needs the scope `store:read`.
         */
        get: operations["getStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Products of the store. `query` searches name and description (and sku, gtin, import_handle), without regard to accents.
         *
         *     Needs the scope `store:read`.
         */
        get: operations["listStoreProducts"];
        put?: never;
        /**
         * Create a product
         * @description Creates one product. To create or update by your own `import_handle`, use the batch. With an `Idempotency-Key`
         *     a retry makes no second product.
         *
         *     Needs the scope `store:write`.
         */
        post: operations["createStoreProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/products/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update up to 100 products
         * @description Each item gets its own result, in order; one invalid product does not fail the batch. An item whose `import_handle` matches an existing product updates it (omitted fields keep their value), so a catalogue re-sync is idempotent. Unchanged items answer `unchanged`.
         *
         *     The body may have up to 8 MiB (8,388,608 bytes), and 150,000 values, so that 100 products with all their variants fit.
         *
         *     Needs the scope `store:write`.
         */
        post: operations["batchStoreProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/products/{product_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a product
         * @description One product.
         *
         *     Needs the scope `store:read`.
         */
        get: operations["getStoreProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a product for good
         * @description Deletes the product, its variants and its hosted images. Past orders keep their item snapshot.
         *
         *     Needs the scope `store:write`.
         */
        delete: operations["deleteStoreProduct"];
        options?: never;
        head?: never;
        /**
         * Change a product
         * @description Partial update: omitted fields keep their value, null clears. `variants`, when sent, replaces the whole list. With `If-Match` the change is made only to the version that you read.
         *
         *     Needs the scope `store:write`.
         */
        patch: operations["updateStoreProduct"];
        trace?: never;
    };
    "/store/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description All categories, for `category_uuid` of products.
         *
         *     Needs the scope `store:read`.
         */
        get: operations["listStoreCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Orders, newest first.
         *
         *     Needs the scope `store:read`.
         */
        get: operations["listStoreOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{order_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description One order with its items as they were at purchase.
         *
         *     Needs the scope `store:read`.
         */
        get: operations["getStoreOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{order_uuid}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the status of an order
         * @description novo → confirmado → pago → entregue; `cancelado` from novo, confirmado and pago. Cancelling restores tracked stock. Any other move answers 422 `invalid_status_transition`.
         *
         *     Needs the scope `store:write`.
         */
        post: operations["moveStoreOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your webhook endpoints
         * @description The endpoints of the integration that the key belongs to, oldest first.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are delivered to the address from now on, signed with the secret of the integration. With `from` or
         *     `from_sequence` the events since then are delivered too, each once, in the background: `GET
         *     /webhooks/{endpoint_uuid}/replays` shows the progress. An integration can have
         *     20 endpoints. The operator is told of each change that a key makes.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description One endpoint of your integration.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing is sent to it any more. Its past deliveries stay listed.
         *
         *     Needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Omitted fields keep their value. `enabled: false` pauses the endpoint: deliveries that come due are kept as `cancelled`,
         *     and are delivered when it is enabled again.
         *
         *     Needs the scope `webhooks:write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Delivers a `webhook.test` event to this endpoint, regardless of its event types. `GET /deliveries?event_id=` shows the outcome.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger an event
         * @description Causes an event of this type on a channel of the sandbox, by what causes it in earnest: a customer writes, a message is sent, a flow is started, endpoints are tested. The event comes within seconds, by webhook and in the events feed. It is as real as the sandbox: conversations, messages and orders stay.
         *
         *     A channel on WhatsApp itself is refused with 409 `not_a_sandbox_channel`, and a type that nothing can cause here with 409 `trigger_not_possible`.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["triggerEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the webhook secret
         * @description Creates a new secret for all endpoints of the integration, and shows it once. Until `previous_expires_at` deliveries
         *     carry two signatures, the second made with the previous secret. Every earlier secret stays valid until its own
         *     overlap ends, so repeating a call whose answer was lost takes nobody's secret away. With several earlier secrets the
         *     attempts of a delivery take turns for the second signature, the oldest first. Of three earlier secrets that are
         *     still valid a rotation is refused with 422 `secret_rotation_limit_reached`; `grace_seconds` 0 drops all of them.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replays of an endpoint
         * @description The newest 100 replays, back-fills and redeliveries of the endpoint, newest first.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listWebhookReplays"];
        put?: never;
        /**
         * Replay a part of the history
         * @description Delivers the events of a range to this endpoint again, in the background. The endpoint's event types apply. Events keep
         *     their ids, so a receiver can recognise those that it has. Live events do not wait: the deliveries leave at the pace that
         *     you set, and pause while the endpoint is behind. `dry_run` only counts. The range can begin as far back as deliveries
         *     are kept (30 days by default).
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["startWebhookReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}/replays/{replay_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a replay
         * @description Its status, progress and counts.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getWebhookReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}/replays/{replay_uuid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a replay
         * @description Deliveries that were queued already are still made: those of about five seconds at its pace. A replay that has ended stays as it is.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["cancelWebhookReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}/redeliver-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver what the endpoint missed
         * @description For an endpoint that answers again: its waiting deliveries are tried now, the cancelled ones resume, and the failed ones
         *     are sent again as new deliveries, in the background and at the pace that you set. Events that have been delivered since
         *     are left out. The answer is a replay, which you can read and cancel.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["redeliverFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Deliveries to the endpoints of your integration, newest first. The log ends some days back (30 by default). The filters
         *     can be combined, except that only one of `event_id`, `message_uuid`, `conversation_uuid` and `order_uuid` may be given.
         *     With a filter, a page can hold fewer deliveries than `limit`, or none, although more follow: read on until `next_cursor`
         *     is null.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description The body as it was sent, and every attempt with its headers and the answer. Signatures are not shown.
         *
         *     Needs the scope `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Queues a new delivery of the same bytes to the same endpoint, with an id of its own. The event keeps its id.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["redeliverDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "message.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer wrote
         * @description An inbound message was recorded. Notes and system notices never trigger a webhook, nor does a history that is imported from the WhatsApp Business app.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onMessageReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.status.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message's delivery status changed
         * @description The provider reported sent, delivered, read or failed. Statuses never move backwards. This event is also the first one of a message that somebody of the business wrote in the WhatsApp Business app. Such a message is outbound, `sent`, with `operation_uuid` null.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onMessageStatusUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.transcribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An audio message was transcribed
         * @description Carries the transcript of an inbound audio message as `data.message.transcript`.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onMessageTranscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was edited
         * @description The text or caption was edited; `data.message.content` holds the current value.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onMessageUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was deleted
         * @description The contact or the business app deleted the message; its content is empty apart from `deleted`.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onMessageDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A conversation began
         * @description The first message between a contact and a channel, or the first after the reopening window.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onConversationCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A conversation changed
         * @description Status, assignment or read state changed.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onConversationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "flow.execution.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A flow execution changed its status
         * @description The status of an execution changed: it started, began or ceased to wait, was parked, or ended.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onFlowExecutionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test delivery
         * @description Sent on request of an operator, to prove that an endpoint receives and verifies deliveries.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An order was created
         * @description A store order was created in status `novo`; the whole order is included so that no second call is needed.
         *
         *     Verify the signature over the raw bytes before parsing. Answer 2xx within 15 seconds; anything else, redirects included, is retried.
         */
        post: operations["onOrderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Format: uuid
         * @description A UUID in its usual lower-case text form.
         * @example 0198a6f0-11aa-7bbb-8ccc-0123456789ab
         */
        Uuid: string;
        /**
         * Format: uuid
         * @description A UUID, or null if not set.
         */
        NullableUuid: string | null;
        /**
         * Format: date-time
         * @description ISO 8601 date and time with an offset, in UTC.
         * @example 2026-11-20T14:03:11.482Z
         */
        Timestamp: string;
        /**
         * Format: date-time
         * @description ISO 8601 date and time, or null when it has not happened.
         */
        NullableTimestamp: string | null;
        /** @description Position at which a paged list continues. */
        PaginationMeta: {
            /** @description Pass it as `after` to read the next page. Null on the last page. Opaque: do not build or change it; it is bound to the route and its filters. */
            next_cursor: string | null;
        };
        /** @description One refused field of a request. */
        FieldError: {
            /**
             * @description Place of the problem: `content.text` or `tags[0]` in the body; `query.limit`, `header.Idempotency-Key`, `path.contact_uuid` elsewhere.
             * @example content.text
             */
            path: string;
            /** @description The rule that failed, for example `required`, `type`, `max_length`, `enum`, `unknown_field`. */
            code: string;
            /** @description The problem in English. */
            message: string;
        };
        /**
         * @description Stable machine-readable code: branch on it, never on `message`. `x-extensible-enum` lists those of this release, but for those of a system that a flow calls: they begin with `request_`, such as `request_answered_503`. The list is open; treat a code you do not know like the HTTP status it came with.
         * @example validation_failed
         */
        ErrorCode: string;
        /** @description Body of every 4xx and 5xx answer. */
        Error: {
            /** @description The refusal itself. */
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description The problem and its remedy, always in English. The text is for people, and its wording may change. */
                message: string;
                /** @description Facts about this refusal, by code: `fields` on `validation_failed`, `required_scope` on `insufficient_scope`, `retry_after_seconds` where waiting helps. Otherwise an empty object. */
                details: {
                    /** @description Each refused field, on `validation_failed`. */
                    fields?: components["schemas"]["FieldError"][];
                    /**
                     * Format: int32
                     * @description Seconds after which the same request can succeed.
                     */
                    retry_after_seconds?: number;
                    /** @description The scope that the key lacks. */
                    required_scope?: string;
                } & {
                    [key: string]: unknown;
                };
                /** @description The `X-Request-Id` of this answer. Quote it when you ask for help. */
                request_id: string;
            };
        };
        /** @description A WhatsApp number of the company. */
        Channel: {
            /** @description The `channel_uuid` accepted by sends. */
            uuid: components["schemas"]["Uuid"];
            /**
             * @description Always `whatsapp`.
             * @constant
             */
            provider: "whatsapp";
            /** @description Name shown to people. */
            display_name?: string | null;
            /** @description The business number in international format. */
            phone_number?: string | null;
            /**
             * @description Connection state: `connected` can send; `pending`, `disconnected`, `restricted`, `banned` and `unauthorized` (WhatsApp refuses the access token) cannot. The list is open.
             * @example connected
             */
            status: string;
            /** @description Current capabilities of the channel. */
            capabilities: {
                /** @description Text messages can be sent. */
                send_text: boolean;
                /** @description Template messages can be sent. */
                send_template: boolean;
                /** @description Flows can be started. */
                start_flow: boolean;
            };
            /** @description State of the number at WhatsApp; null until WhatsApp reports it. */
            health?: {
                /** @description `GREEN`, `YELLOW` or `RED`; `NA` or `UNKNOWN` for young numbers. */
                quality: string | null;
                /** @description Number of people with whom templates may open a conversation in a rolling day: `TIER_250`, `TIER_2K`, `TIER_10K`, `TIER_100K`, `TIER_UNLIMITED`. Shared by all numbers of the business. */
                messaging_limit: string | null;
                /** @description `STANDARD` (80 messages a second) or `HIGH` (1,000). */
                throughput: string | null;
                /** @description Review of the display name: `APPROVED`, `PENDING_REVIEW`, `DECLINED` and others. */
                name_status: string | null;
            };
        };
        /** @description A person the company talks to. */
        Contact: {
            uuid: components["schemas"]["Uuid"];
            /** @description Your own identifier, for contacts linked to this integration. */
            external_id: string | null;
            /** @description E.164 phone as it was given. Null for a contact known only by a WhatsApp user id. */
            phone: string | null;
            name?: string | null;
            /** @description E-mail address. */
            email?: string | null;
            /** @description The whole list of tags. */
            tags: string[];
            /** @description Arbitrary key/value data. Tracking convention: `utm_source`, `utm_medium`, `utm_campaign`, `utm_term`, `utm_content` and the click ids `gclid`, `gbraid`, `wbraid`, `fbclid`, `msclkid`, `ttclid`. These are readable in flows as `{{contact.field.<key>}}` and forwarded to webhooks as `data.tracking`. On the first touch from a click-to-chat ad the service records `ctwa_clid`, `ad_id` and `referral_source` here. */
            custom_fields: {
                [key: string]: unknown;
            };
            /** @description True when the contact opted out of marketing: by reply keyword, WhatsApp's own control, or by hand. */
            marketing_opted_out?: boolean;
            marketing_opt_out_at?: components["schemas"]["NullableTimestamp"];
            last_interaction_at?: components["schemas"]["NullableTimestamp"];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description Fields to change. Fields left out keep their value. */
        ContactWrite: {
            /** @description Display name. Null clears it. */
            name?: string | null;
            /**
             * Format: email
             * @description E-mail address. Null clears it.
             */
            email?: string | null;
            /** @description Replaces the whole list. */
            tags?: string[];
            /** @description Shallow merge: keys are added or overwritten, never removed. A null value overwrites with null. */
            custom_fields?: {
                [key: string]: unknown;
            };
        };
        /** @description A contact keyed by your own identifier: ContactWrite plus `phone`. */
        ContactUpsert: {
            /** @description International format with a leading `+`. Brazilian numbers with and without the ninth digit are the same contact. A number that cannot be real answers 422 `validation_failed` with the field code `phone_invalid`. */
            phone: string;
            /** @description Display name. Null clears it. */
            name?: string | null;
            /**
             * Format: email
             * @description E-mail address. Null clears it.
             */
            email?: string | null;
            /** @description Replaces the whole list. */
            tags?: string[];
            /** @description Shallow merge: keys are added or overwritten, never removed. A null value overwrites with null. */
            custom_fields?: {
                [key: string]: unknown;
            };
        };
        /** @description The recipient of the message or flow. */
        Recipient: {
            /**
             * @description International format with a leading `+`. A number that cannot be real answers 422 `validation_failed` with the field code `phone_invalid`.
             * @example +5511987654321
             */
            phone: string;
            /** @description Your own identifier of the person; links a contact that has none of this integration yet. If it already belongs to a contact with a different phone, the operation fails with `external_contact_conflict`. */
            external_id?: string;
        };
        /** @description An automated conversation. */
        Flow: {
            uuid: components["schemas"]["Uuid"];
            name: string;
            /**
             * @description Only `active` flows can be executed.
             * @enum {string}
             */
            status: "draft" | "active";
            /** @description Providers the flow can run on. */
            supported_providers: string[];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description Start one flow for one person. */
        FlowExecutionRequest: {
            recipient: components["schemas"]["Recipient"];
            /** @description Channel to run on. May be left out when the company has one channel, or one connected channel; otherwise 422 `channel_required`. */
            channel_uuid?: components["schemas"]["Uuid"];
            /** @description Passed to the flow session: readable as `{{vars.<key>}}` and usable in branch conditions. Intended for marketing attribution (`utm_source`, `gclid`, …). At most 100 keys and 32 KiB as JSON. */
            variables?: {
                [key: string]: unknown;
            };
        };
        /** @description One run of a flow for one person. */
        Execution: {
            uuid: components["schemas"]["Uuid"];
            flow_uuid: components["schemas"]["Uuid"];
            /** @description Current name of the flow. */
            flow_name: string;
            /**
             * Format: int32
             * @description Version that the execution runs to its end.
             */
            flow_version: number;
            channel_uuid: components["schemas"]["Uuid"];
            contact_uuid: components["schemas"]["Uuid"];
            /** @description Null until the execution is in charge of a conversation. */
            conversation_uuid: components["schemas"]["NullableUuid"];
            /** @description The operation that started it, when the API did. */
            operation_uuid: components["schemas"]["NullableUuid"];
            /**
             * @description The trigger: a call, a word of the customer, a first message, or another flow.
             * @enum {string}
             */
            trigger: "api" | "keyword" | "first_message" | "flow";
            /**
             * @description The last five are final. `parked`: a block kept failing, and an operator has to check it. `handed_off`: people have the conversation. `expired`: a question or a call-back was waited for too long. `cancelled`: by an operator, by another flow or because the person left.
             * @enum {string}
             */
            status: "queued" | "processing" | "waiting" | "parked" | "completed" | "handed_off" | "expired" | "cancelled" | "failed";
            /** @description Id of the block that the execution has reached; null before the first. */
            block: string | null;
            /** @description The condition that the execution waits for; null unless `status` is `waiting`. */
            waiting: {
                /**
                 * @description `flow`: the end of the flow that is running in the conversation.
                 * @enum {string}
                 */
                for: "answer" | "time" | "callback" | "flow";
                /** @description Time at which the wait ends by itself; null when it may last for ever. */
                until: components["schemas"]["NullableTimestamp"];
            } | null;
            /** @description Given at the start or set by blocks. Empty once the person was erased. */
            variables: {
                [key: string]: unknown;
            };
            /** @description The person's answers, by the name under which the question keeps them. Empty once the person was erased. */
            answers: {
                [key: string]: unknown;
            };
            /** @description The outcome that the `end` block names. */
            outcome: string | null;
            /** @description Reason why the execution is parked, or ended before the end of the flow, such as `replaced`, `opted_out` or the code of a failure. The list is open. */
            reason: string | null;
            /** @description Set when `status` is `failed`. */
            error: components["schemas"]["OperationError"] | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            ended_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description Values that the template needs when it is sent. */
        TemplateVariables: {
            /**
             * Format: int32
             * @description Positional `{{n}}` placeholders in the body: `content.parameters` must hold exactly this many strings.
             */
            body_parameter_count: number;
            /** @description Named `{{name}}` placeholders in the body. */
            body_named_parameters: string[];
            /** @description The header, when the template has one. */
            header?: {
                /** @enum {string} */
                format: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION";
                /** @description The header needs a value: send it as `content.header`. */
                has_variable: boolean;
            } | null;
            /** @description A button needs a value: send it in `content.buttons`. */
            has_dynamic_buttons: boolean;
            /** @description The buttons that take a value in `content.buttons`. */
            buttons?: {
                /**
                 * Format: int32
                 * @description Position of the button in the template, from 0.
                 */
                index: number;
                /**
                 * @description The value is the part of the link that varies, the payload of the reply, or the code.
                 * @enum {string}
                 */
                type: "url" | "quick_reply" | "copy_code";
                /** @description Label of the button. */
                text: string | null;
                /** @description False for quick replies, which may go without a payload. */
                required: boolean;
            }[];
            /** @description Sample values from the template's review, in the shape of `content`; only parts that are completely known. */
            example?: {
                [key: string]: unknown;
            };
        };
        /** @description A WhatsApp message template in one language. */
        Template: {
            uuid: components["schemas"]["Uuid"];
            /** @description Used as `content.name` when sending. */
            name: string;
            /**
             * @description Approved locale code.
             * @example pt_BR
             */
            language: string;
            /**
             * @description Review state at WhatsApp; only `APPROVED` can be sent.
             * @enum {string}
             */
            status: "APPROVED" | "PENDING" | "REJECTED" | "PAUSED" | "DISABLED" | "IN_APPEAL" | "DRAFT";
            /** @enum {string} */
            category: "AUTHENTICATION" | "MARKETING" | "UTILITY";
            channel_uuid?: components["schemas"]["NullableUuid"];
            variables: components["schemas"]["TemplateVariables"];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description `content` of a message of type `text`. */
        TextContent: {
            /** @description The message, 1 to 4096 characters. */
            text: string;
            /** @description Show a preview of the first link. False when left out. */
            preview_url?: boolean;
        };
        /** @description Value of a template's variable header, by its `variables.header.format`. A value that does not fit answers `template_parameters_invalid`. */
        TemplateHeaderValue: {
            /** @description For a `TEXT` header. */
            text?: string;
            /** @description For `IMAGE`, `VIDEO` and `DOCUMENT`: public https address of the file. */
            link?: string;
            /** @description For `DOCUMENT`: name shown to the recipient. */
            filename?: string;
            /** @description For `LOCATION`. */
            latitude?: number;
            /** @description For `LOCATION`. */
            longitude?: number;
            /** @description For `LOCATION`. */
            name?: string;
            /** @description For `LOCATION`. */
            address?: string;
        };
        /** @description Value of one dynamic button. */
        TemplateButtonValue: {
            /**
             * Format: int32
             * @description Position of the button in the template, from 0.
             */
            index: number;
            /** @description For a link: the part that replaces the placeholder. For a quick reply: the payload. For a copy-code button: the code. */
            value: string;
        };
        /** @description `content` of a message of type `template`. */
        TemplateContent: {
            /** @description Name of an approved template. */
            name: string;
            /**
             * @description Locale code such as `pt_BR`. May be left out when exactly one approved language exists.
             * @example pt_BR
             */
            language?: string;
            /** @description Values of the positional body placeholders, in order: exactly `body_parameter_count` strings. */
            parameters?: string[];
            /** @description Values of the named body placeholders, by name. */
            named_parameters?: {
                [key: string]: string;
            };
            header?: components["schemas"]["TemplateHeaderValue"];
            /** @description Values of the dynamic buttons. */
            buttons?: components["schemas"]["TemplateButtonValue"][];
        };
        /** @description A message to send. `content` is a TextContent for `type: text` and a TemplateContent for `type: template`. */
        MessageRequest: components["schemas"]["TextMessageRequest"] | components["schemas"]["TemplateMessageRequest"];
        /** @description The messages between one contact and one channel. */
        Conversation: {
            uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            status: "open" | "pending" | "resolved";
            channel_uuid: components["schemas"]["NullableUuid"];
            /** @description The person, with tags. */
            contact?: components["schemas"]["Contact"] | null;
            /**
             * Format: int32
             * @description Inbound messages that nobody has read yet.
             */
            unread_count: number;
            last_message_at?: components["schemas"]["NullableTimestamp"];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description An agent or a group of agents. */
        Assignee: {
            uuid: components["schemas"]["Uuid"];
            name: string;
        };
        /** @description A conversation with channel, assignment, counters and, on request, its first page of messages. */
        ConversationDetail: components["schemas"]["Conversation"] & {
            /** @description The channel it runs on. */
            channel: components["schemas"]["Channel"] | null;
            /** @description Agent in charge. */
            assigned_agent: components["schemas"]["Assignee"] | null;
            /** @description Group in charge. */
            assigned_group: components["schemas"]["Assignee"] | null;
            /** @description Number of messages by kind. */
            counters: {
                /** Format: int32 */
                messages: number;
                /** Format: int32 */
                inbound: number;
                /** Format: int32 */
                outbound: number;
                /** Format: int32 */
                notes: number;
            };
            /** @description First page of messages; only with `include=messages`. Read more with `GET /conversations/{conversation_uuid}/messages`. */
            messages?: components["schemas"]["MessageList"];
        };
        /** @description The fields that every message has, whatever its type. */
        MessageFields: {
            uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            direction: "inbound" | "outbound";
            /**
             * @description Inbound: `received`. Outbound: `queued`, `sent`, `delivered`, `read`, `failed`. `note` marks records that never reach the provider (types `note` and `store_order`). Never moves backwards.
             * @enum {string}
             */
            status: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | "note";
            /** @description WhatsApp's own id of the message. */
            provider_message_id?: string | null;
            metadata?: components["schemas"]["Metadata"];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
            /** @description When it was sent, by WhatsApp's clock, in whole seconds. Null for messages that did not come from WhatsApp (sends by the API and flows, notes, orders of the store). */
            sent_at?: components["schemas"]["NullableTimestamp"];
            /** @description Transcription of an inbound audio message, filled later. Null otherwise. */
            transcript?: string | null;
            /** @description When the text or caption was last edited; `content` holds the current value. */
            edited_at?: components["schemas"]["NullableTimestamp"];
            /** @description The message that it replies to; null if it is not a reply. */
            reply_to?: components["schemas"]["MessageReference"] | null;
            /**
             * @description Whether it was forwarded; `frequently` when WhatsApp counts more than five times.
             * @enum {string|null}
             */
            forwarded?: "once" | "frequently" | null;
            /** @description The ad or post that brought the customer here. Null for all but the first message after a click. */
            referral?: components["schemas"]["MessageReferral"] | null;
            /** @description Cost of an outbound message. Null until WhatsApp reports it. */
            pricing?: components["schemas"]["MessagePricing"] | null;
            /** @description Reason why an outbound message failed, also if WhatsApp reported it after the operation had succeeded. Then `details.provider` is WhatsApp's report, `{code, title, details}`. Null without a failure. Once known, it stays, even if the message was delivered after all. */
            error?: components["schemas"]["OperationError"] | null;
        };
        /** @description An ad or post, as WhatsApp describes it. WhatsApp may leave out any field and add others. */
        MessageReferral: {
            /** @description `ad` or `post`. The list is open. */
            source_type?: string;
            /** @description Meta's id of the ad or post. */
            source_id?: string;
            source_url?: string;
            headline?: string;
            body?: string;
            /** @description `image` or `video`. The list is open. */
            media_type?: string;
            image_url?: string;
            video_url?: string;
            thumbnail_url?: string;
            /** @description Meta's id of the click. Absent for ads in WhatsApp Status. */
            ctwa_clid?: string;
            /** @description The greeting that the ad showed. */
            welcome_message?: {
                text?: string;
            };
        };
        /** @description Cost of a message, as WhatsApp reports it. WhatsApp may leave out any field and add others. */
        MessagePricing: {
            billable?: boolean;
            /** @example PMP */
            pricing_model?: string;
            /** @description `regular`, `free_customer_service` or `free_entry_point`. The list is open. */
            type?: string;
            /** @description `service`, `utility`, `marketing`, `marketing_lite`, `authentication`, `authentication-international` or `referral_conversion`. The list is open. */
            category?: string;
        };
        /** @description Reason why a file could not be fetched. */
        MessageMediaError: {
            code: string;
            message: string;
        };
        /** @description A text. */
        ContentOfText: {
            text: string;
            /** @description Whether a preview of the first link is shown; only of messages sent by the API, a flow or an operator. */
            preview_url?: boolean;
        };
        /** @description A file that WhatsApp has, and its copy here. */
        ContentOfFile: {
            /** @description WhatsApp's id of the file. */
            media_id: string;
            /** @example image/jpeg */
            mime_type: string | null;
            /** @description Digest of the file, base64, as WhatsApp gives it. */
            sha256: string | null;
            caption?: string;
            filename?: string;
            /** @description The audio was recorded in WhatsApp. */
            voice?: boolean;
            /** @description The sticker moves. */
            animated?: boolean;
            /**
             * @description The file is fetched from WhatsApp after the message came.
             * @enum {string}
             */
            media_status: "pending" | "stored" | "failed";
            /** @description Set when `media_status` is `failed`. */
            media_error: components["schemas"]["MessageMediaError"] | null;
            /**
             * Format: int64
             * @description Bytes; null until the file is stored.
             */
            size: number | null;
            /**
             * @description Serves the file without an API key until `url_expires_at`, to `GET` and `HEAD`, with ranges. Null when there
             *     is no file to serve. In answers it is present once the file is stored, and is valid for an hour or more.
             *     Read the message again for a new one. In webhooks it is present from `message.received` on, and is valid for
             *     seven days after the event. Until the file is stored, it answers 503 with `Retry-After`.
             */
            url: string | null;
            url_expires_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A file that a flow or an operator sent. */
        ContentOfLink: {
            /** @description The public address from which WhatsApp fetched the file. */
            link: string;
            caption?: string;
            filename?: string;
        };
        /** @description A place. */
        ContentOfLocation: {
            latitude: number;
            longitude: number;
            name?: string;
            address?: string;
            url?: string;
        };
        /** @description Cards of contacts. */
        ContentOfContacts: {
            contacts: components["schemas"]["ContactCard"][];
        };
        /** @description A contact as WhatsApp sends it. WhatsApp may leave out any field and add others; a field of another type than here is left out. */
        ContactCard: {
            name?: {
                formatted_name?: string;
                first_name?: string;
                last_name?: string;
            };
            phones?: {
                phone?: string;
                wa_id?: string;
                type?: string;
            }[];
            emails?: {
                email?: string;
                type?: string;
            }[];
            addresses?: {
                [key: string]: unknown;
            }[];
            org?: {
                company?: string;
                department?: string;
                title?: string;
            };
            urls?: {
                url?: string;
                type?: string;
            }[];
            birthday?: string;
        };
        /** @description The customer's choice, or the answers of a form. */
        ContentOfReply: {
            /**
             * @description `nfm_reply`: a form was filled in; its answers are in `response`.
             * @enum {string}
             */
            kind: "button_reply" | "list_reply" | "nfm_reply";
            /** @description Id of the chosen button or row; the name of the form. */
            id?: string;
            title?: string;
            description?: string;
            /** @description Answers of a form, as its author named them. */
            response?: unknown;
        };
        /** @description A question with buttons that a flow or an operator sent. */
        ContentOfButtons: {
            /** @constant */
            kind: "buttons";
            text: string;
            buttons: {
                id: string;
                title: string;
            }[];
        };
        /** @description A question with a list that a flow or an operator sent. */
        ContentOfList: {
            /** @constant */
            kind: "list";
            text: string;
            /** @description Label of the button that opens the list. */
            button: string;
            rows: {
                id: string;
                title: string;
                description?: string;
            }[];
        };
        /** @description A quick reply of a template that the customer tapped. */
        ContentOfButton: {
            payload: string;
            text: string;
        };
        /** @description A reaction to a message. */
        ContentOfReaction: {
            /** @description WhatsApp's id of the message that it is about. */
            message_id: string;
            /** @description Recado's id of that message; null if it is not known here. Only of a customer's reaction. */
            message_uuid?: components["schemas"]["NullableUuid"];
            /** @description Null when the reaction was removed. */
            emoji: string | null;
        };
        /** @description The customer's cart, as WhatsApp sends it. */
        ContentOfOrder: {
            catalog_id: string | null;
            text?: string;
            items: {
                product_retailer_id: string;
                quantity: number;
                item_price: number | null;
                currency: string | null;
            }[];
        };
        /** @description A template with its values. */
        ContentOfTemplate: {
            name: string;
            language: string;
            parameters?: string[];
            named_parameters?: {
                [key: string]: string;
            };
            header?: components["schemas"]["TemplateHeaderValue"];
            buttons?: components["schemas"]["TemplateButtonValue"][];
            /** @description The body as the recipient reads it. Absent when the template has no text. */
            text?: string;
        };
        /** @description A note of the team. */
        ContentOfNote: {
            text: string;
            /** @description The agent who wrote it; null if it was no agent. */
            agent_uuid?: components["schemas"]["NullableUuid"];
        };
        /** @description A notice from neither party. */
        ContentOfNotice: {
            /** @description `message_edited`, `message_deleted`, `user_changed_number`, `user_changed_user_id`, `cart_…` where a cart did not become an order, or another kind of WhatsApp. The list is open. */
            kind: string;
        };
        /** @description An order of the store. */
        ContentOfStoreOrder: {
            /** @description The order itself: `GET /store/orders/{order_uuid}`. */
            order_uuid: components["schemas"]["Uuid"];
            /** Format: int32 */
            number: number;
            code: string;
            total: components["schemas"]["Money"];
            currency: string;
            items: {
                name: string;
                variant_name: string | null;
                /** Format: int32 */
                quantity: number;
                total: components["schemas"]["Money"];
            }[];
        };
        /** @description Anything that has no type of its own here. */
        ContentOfUnsupported: {
            /** @description WhatsApp's name for it. */
            kind: string;
            /** @description WhatsApp's reasons for withholding the content. */
            errors?: {
                /** Format: int64 */
                code: number;
                title: string | null;
                message: string | null;
                details: string | null;
            }[];
            /** @description What WhatsApp sent. */
            raw?: {
                [key: string]: unknown;
            };
        };
        /** @description What is left of a deleted message. */
        ContentOfDeleted: {
            /** @constant */
            deleted: true;
        };
        /** @description Empty: the person was erased. */
        ContentOfErased: Record<string, never>;
        /**
         * Text
         * @description A text, of either party.
         */
        TextMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "text";
            content: components["schemas"]["ContentOfText"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * File
         * @description A file that the customer, or somebody of the business in the WhatsApp Business app, sent.
         */
        MediaMessage: components["schemas"]["MessageFields"] & {
            /** @enum {string} */
            type: "image" | "audio" | "video" | "document" | "sticker";
            content: components["schemas"]["ContentOfFile"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * File of a flow
         * @description A file that a flow or an operator sent.
         */
        LinkMessage: components["schemas"]["MessageFields"] & {
            /** @enum {string} */
            type: "image" | "audio" | "video" | "document";
            content: components["schemas"]["ContentOfLink"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Location
         * @description A place.
         */
        LocationMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "location";
            content: components["schemas"]["ContentOfLocation"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Contacts
         * @description Cards of contacts.
         */
        ContactsMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "contacts";
            content: components["schemas"]["ContentOfContacts"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Reply to a question
         * @description The customer's choice, or the answers of a form.
         */
        ReplyMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "interactive";
            content: components["schemas"]["ContentOfReply"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Question of a flow
         * @description A question with choices that a flow or an operator sent. `content.kind` tells buttons from a list.
         */
        QuestionMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "interactive";
            content: components["schemas"]["ContentOfButtons"] | components["schemas"]["ContentOfList"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Quick reply
         * @description A quick reply of a template that the customer tapped.
         */
        ButtonMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "button";
            content: components["schemas"]["ContentOfButton"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Reaction
         * @description A reaction to a message.
         */
        ReactionMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "reaction";
            content: components["schemas"]["ContentOfReaction"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Cart
         * @description The customer's cart, as WhatsApp sends it.
         */
        OrderMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "order";
            content: components["schemas"]["ContentOfOrder"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Template
         * @description A template that the API, a flow or an operator sent.
         */
        TemplateMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "template";
            content: components["schemas"]["ContentOfTemplate"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Note
         * @description An internal team note: never sent, never in a webhook. Filter it out before showing a conversation to a customer.
         */
        NoteMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "note";
            content: components["schemas"]["ContentOfNote"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Notice
         * @description A notice from neither party, such as an edit whose text WhatsApp withheld.
         */
        NoticeMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "system_notice";
            content: components["schemas"]["ContentOfNotice"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Order of the store
         * @description An order of the store, shown in its conversation. Never sent.
         */
        StoreOrderMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "store_order";
            content: components["schemas"]["ContentOfStoreOrder"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Unsupported
         * @description Anything that WhatsApp sends and that has no type of its own here.
         */
        UnsupportedMessage: components["schemas"]["MessageFields"] & {
            /** @constant */
            type: "unsupported";
            content: components["schemas"]["ContentOfUnsupported"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /**
         * Deleted message
         * @description A message that the contact or the business app deleted.
         */
        DeletedMessage: components["schemas"]["MessageFields"] & {
            /** @enum {string} */
            type: "text" | "image" | "audio" | "video" | "document" | "sticker" | "location" | "contacts" | "interactive" | "button" | "reaction" | "order" | "template" | "unsupported";
            content: components["schemas"]["ContentOfDeleted"];
            /** @description When the contact or the business app deleted the message. */
            deleted_at: components["schemas"]["Timestamp"];
            /**
             * @description The party that deleted it.
             * @enum {string}
             */
            deleted_by: "contact" | "business_app";
        };
        /**
         * Message of an erased person
         * @description A message with a person who was erased. Its content is gone; its type and its times stay.
         */
        ErasedMessage: components["schemas"]["MessageFields"] & {
            /** @enum {string} */
            type: "text" | "image" | "audio" | "video" | "document" | "sticker" | "location" | "contacts" | "interactive" | "button" | "reaction" | "order" | "template" | "note" | "store_order" | "unsupported";
            content: components["schemas"]["ContentOfErased"];
            /** @description Set when the message is deleted. */
            deleted_at: null;
            /** @description Set when the message is deleted. */
            deleted_by: null;
        };
        /** @description One message of a conversation. `type` and `deleted_at` tell the shape of `content`; more fields may be added to it. A file and an `interactive` message differ when a flow sent them: a flow's file has a `link`, and a flow's question has the `kind` `buttons` or `list`. The content of an erased person's messages is empty. */
        Message: components["schemas"]["TextMessage"] | components["schemas"]["MediaMessage"] | components["schemas"]["LinkMessage"] | components["schemas"]["LocationMessage"] | components["schemas"]["ContactsMessage"] | components["schemas"]["ReplyMessage"] | components["schemas"]["QuestionMessage"] | components["schemas"]["ButtonMessage"] | components["schemas"]["ReactionMessage"] | components["schemas"]["OrderMessage"] | components["schemas"]["TemplateMessage"] | components["schemas"]["NoteMessage"] | components["schemas"]["NoticeMessage"] | components["schemas"]["StoreOrderMessage"] | components["schemas"]["UnsupportedMessage"] | components["schemas"]["DeletedMessage"] | components["schemas"]["ErasedMessage"];
        /** @description A message that another message refers to. */
        MessageReference: {
            /** @description Null when Recado does not know the message. */
            message_uuid: components["schemas"]["NullableUuid"];
            /** @description WhatsApp's own id of the message. */
            provider_message_id: string;
        };
        /** @description Result of a `message.send` operation. */
        MessageSendResult: {
            message_uuid: components["schemas"]["Uuid"];
            conversation_uuid: components["schemas"]["Uuid"];
            contact_uuid: components["schemas"]["Uuid"];
            /**
             * @description Delivery status when the operation ended; later changes arrive as `message.status.updated`.
             * @enum {string}
             */
            status: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | "note";
            /** @description The message as delivered, a template body already interpolated; the caption of a file, the text over buttons and lists. Null when there is no text body. */
            text: string | null;
        };
        /** @description Result of a `flow.execute` operation. */
        FlowExecuteResult: {
            execution_uuid: components["schemas"]["Uuid"];
            /** @description Null when the execution ended before it was in charge of a conversation. */
            conversation_uuid: components["schemas"]["NullableUuid"];
            contact_uuid: components["schemas"]["Uuid"];
            /**
             * @description Final status of the execution.
             * @enum {string}
             */
            status: "completed" | "handed_off" | "expired" | "cancelled";
        };
        /** @description Reason why an operation failed, in the shape and with the codes of an HTTP error. */
        OperationError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Always English; for people. */
            message: string | null;
            /** @description Facts by code, such as `retry_after_seconds` or `provider {code, title, trace_id}`. */
            details?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields that every operation has, whatever its status. */
        OperationFields: {
            uuid: components["schemas"]["Uuid"];
            metadata?: components["schemas"]["Metadata"];
            created_at?: components["schemas"]["NullableTimestamp"];
            started_at?: components["schemas"]["NullableTimestamp"];
            completed_at?: components["schemas"]["NullableTimestamp"];
        };
        /**
         * @description The kind of work.
         * @enum {string}
         */
        OperationType: "message.send" | "flow.execute";
        /**
         * Operation in progress
         * @description The work has not ended. Poll again.
         */
        OperationInProgress: components["schemas"]["OperationFields"] & {
            type: components["schemas"]["OperationType"];
            /**
             * @description `waiting`: the message is paced, or the flow waits for an answer or a timer.
             * @enum {string}
             */
            status: "queued" | "processing" | "waiting";
            /** @description Set on success. */
            result: null;
            /** @description Set on failure. */
            error: null;
        };
        /**
         * Failed operation
         * @description The work failed. This is final.
         */
        OperationFailed: components["schemas"]["OperationFields"] & {
            type: components["schemas"]["OperationType"];
            /**
             * @description Final.
             * @constant
             */
            status: "failed";
            /** @description Set on success. */
            result: null;
            /** @description Reason why it failed. */
            error: components["schemas"]["OperationError"];
        };
        /**
         * Message sent
         * @description The message was accepted by the provider. This is final.
         */
        MessageSendSucceeded: components["schemas"]["OperationFields"] & {
            /** @constant */
            type: "message.send";
            /**
             * @description Final. The provider accepted the message.
             * @constant
             */
            status: "succeeded";
            /** @description The message as it was sent. */
            result: components["schemas"]["MessageSendResult"];
            /** @description Set on failure. */
            error: null;
        };
        /**
         * Flow ended
         * @description The flow ended. This is final.
         */
        FlowExecuteSucceeded: components["schemas"]["OperationFields"] & {
            /** @constant */
            type: "flow.execute";
            /**
             * @description Final.
             * @constant
             */
            status: "succeeded";
            /** @description The end of the execution. */
            result: components["schemas"]["FlowExecuteResult"];
            /** @description Set on failure. */
            error: null;
        };
        /** @description An asynchronous piece of work. Poll it until `status` is `succeeded` or `failed`. `status` tells whether `result` or `error` is set, and `type` the shape of `result`. */
        Operation: components["schemas"]["OperationInProgress"] | components["schemas"]["MessageSendSucceeded"] | components["schemas"]["FlowExecuteSucceeded"] | components["schemas"]["OperationFailed"];
        /**
         * @description Amount in BRL as a decimal string with two decimals.
         * @example 49.90
         */
        Money: string;
        /** @description Amount in BRL, or null. */
        NullableMoney: string | null;
        /** @description Summary of the storefront. */
        StoreSummary: {
            uuid: components["schemas"]["Uuid"];
            name: string;
            /** @enum {string} */
            status: "active" | "paused" | "setup";
            /** @description The store's public page. */
            public_url: string | null;
            /** @description Link that opens a chat with the store. */
            whatsapp_url: string | null;
            /** @constant */
            currency: "BRL";
            timezone: string;
            /** Format: int32 */
            product_count: number;
            /** Format: int32 */
            active_product_count: number;
            /**
             * Format: int32
             * @description Creating more answers `product_limit_reached`.
             */
            product_limit: number;
            /** Format: int32 */
            order_count: number;
            /** @description Number of orders in each status. */
            orders_by_status: {
                /** Format: int32 */
                novo: number;
                /** Format: int32 */
                confirmado: number;
                /** Format: int32 */
                pago: number;
                /** Format: int32 */
                entregue: number;
                /** Format: int32 */
                cancelado: number;
            };
            updated_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A category of products. */
        StoreCategory: {
            uuid: components["schemas"]["Uuid"];
            name: string;
            slug: string;
            parent_uuid: components["schemas"]["NullableUuid"];
            /** Format: int32 */
            position: number;
            /** Format: int32 */
            product_count: number;
            active: boolean;
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description One sellable variant. */
        ProductVariantWrite: {
            /** @description An existing variant to keep. */
            uuid?: components["schemas"]["NullableUuid"];
            /** @description 1 to 3 axes, the same in all variants of the product (`variant_options_mismatch` otherwise), unique per product (`variant_duplicated`). */
            options: {
                [key: string]: string;
            };
            sku?: string | null;
            gtin?: string | null;
            /** @description Own price. Null: the product's. */
            price?: string | number | null;
            /** @description Own promotional price. */
            promo_price?: string | number | null;
            /**
             * Format: int32
             * @description Null: not tracked.
             */
            stock?: number | null;
            image_url?: string | null;
            active?: boolean;
        };
        /** @description A product to create. Unknown fields are ignored and listed in `meta.warnings`. */
        StoreProductWrite: {
            /** @description Product name, 1 to 200 characters after trimming. */
            name: string;
            /** @description List price in BRL: `"49.90"` (preferred) or a JSON number with at most 2 decimals. At most 9999999.99. Anything else answers `price_invalid`. */
            price: string | number;
            /** @description Plain text; tags are stripped. */
            description?: string | null;
            /** @description Promotional price, greater than zero and lower than `price`; otherwise `promo_price_invalid`. */
            promo_price?: string | number | null;
            /** @description When the promotional price starts. Null: at once. */
            promo_starts_at?: components["schemas"]["NullableTimestamp"];
            /** @description When the promotional price ends; must be later than the start. Null: open end. */
            promo_ends_at?: components["schemas"]["NullableTimestamp"];
            /** @description Your own key for this product, case-sensitive, unique in the store. A batch item with a known handle updates that product. It is not the slug. */
            import_handle?: string | null;
            /** @description Stock keeping unit. */
            sku?: string | null;
            /** @description EAN/UPC: 8, 12, 13 or 14 digits with a correct check digit; otherwise `gtin_invalid`. */
            gtin?: string | null;
            /** @description Brazilian NCM tax code, 8 digits (dots are removed); otherwise `ncm_invalid`. */
            ncm?: string | null;
            /**
             * @description Unit of sale.
             * @example UN
             * @example KG
             */
            unit?: string | null;
            /** @description Brand name. */
            brand?: string | null;
            /** @description One of `GET /store/categories`; an unknown one answers `category_not_found`. */
            category_uuid?: components["schemas"]["NullableUuid"];
            /**
             * Format: int32
             * @description Units on hand. Null: stock is not tracked.
             */
            stock?: number | null;
            /**
             * Format: int32
             * @description Weight in grams.
             */
            weight_grams?: number | null;
            /**
             * Format: int32
             * @description Width in millimetres.
             */
            width_mm?: number | null;
            /**
             * Format: int32
             * @description Height in millimetres.
             */
            height_mm?: number | null;
            /**
             * Format: int32
             * @description Length in millimetres.
             */
            length_mm?: number | null;
            /** @description Gallery, in order. Every entry must be downloadable as a public image; otherwise `product_image_invalid`. A hosted copy is kept. */
            image_urls?: string[];
            /** @description Whether the product is on sale. True when left out on creation. */
            active?: boolean;
            /** @description Sellable variants. When present, the product's own stock and sku are not used for selling. */
            variants?: components["schemas"]["ProductVariantWrite"][];
        };
        /** @description Fields to change: omitted keeps, null clears. Unknown fields are ignored and listed in `meta.warnings`. */
        StoreProductPatch: {
            /** @description Product name, 1 to 200 characters after trimming. */
            name?: string;
            /** @description List price in BRL: `"49.90"` (preferred) or a JSON number with at most 2 decimals. At most 9999999.99. Anything else answers `price_invalid`. */
            price?: string | number;
            /** @description Plain text; tags are stripped. */
            description?: string | null;
            /** @description Promotional price, greater than zero and lower than `price`; otherwise `promo_price_invalid`. */
            promo_price?: string | number | null;
            /** @description When the promotional price starts. Null: at once. */
            promo_starts_at?: components["schemas"]["NullableTimestamp"];
            /** @description When the promotional price ends; must be later than the start. Null: open end. */
            promo_ends_at?: components["schemas"]["NullableTimestamp"];
            /** @description Your own key for this product, case-sensitive, unique in the store. A batch item with a known handle updates that product. It is not the slug. */
            import_handle?: string | null;
            /** @description Stock keeping unit. */
            sku?: string | null;
            /** @description EAN/UPC: 8, 12, 13 or 14 digits with a correct check digit; otherwise `gtin_invalid`. */
            gtin?: string | null;
            /** @description Brazilian NCM tax code, 8 digits (dots are removed); otherwise `ncm_invalid`. */
            ncm?: string | null;
            /**
             * @description Unit of sale.
             * @example UN
             * @example KG
             */
            unit?: string | null;
            /** @description Brand name. */
            brand?: string | null;
            /** @description One of `GET /store/categories`; an unknown one answers `category_not_found`. */
            category_uuid?: components["schemas"]["NullableUuid"];
            /**
             * Format: int32
             * @description Units on hand. Null: stock is not tracked.
             */
            stock?: number | null;
            /**
             * Format: int32
             * @description Weight in grams.
             */
            weight_grams?: number | null;
            /**
             * Format: int32
             * @description Width in millimetres.
             */
            width_mm?: number | null;
            /**
             * Format: int32
             * @description Height in millimetres.
             */
            height_mm?: number | null;
            /**
             * Format: int32
             * @description Length in millimetres.
             */
            length_mm?: number | null;
            /** @description Gallery, in order. Every entry must be downloadable as a public image; otherwise `product_image_invalid`. A hosted copy is kept. */
            image_urls?: string[];
            /** @description Whether the product is on sale. */
            active?: boolean;
            /** @description When sent, replaces the whole list. Variants are matched by uuid, then sku, then options, so they keep their uuid. */
            variants?: components["schemas"]["ProductVariantWrite"][];
        };
        /** @description A variant as it is sold. */
        ProductVariant: {
            uuid: components["schemas"]["Uuid"];
            /** @example P / Azul */
            name: string;
            /** @description Value of each axis. */
            options: {
                [key: string]: string;
            };
            sku: string | null;
            gtin: string | null;
            price: components["schemas"]["Money"];
            promo_price: components["schemas"]["NullableMoney"];
            /** @description The price that is charged now. */
            effective_price: components["schemas"]["Money"];
            /** Format: int32 */
            stock: number | null;
            stock_tracked: boolean;
            available: boolean;
            image_url: string | null;
            /** Format: int32 */
            position: number;
            active: boolean;
        };
        /** @description A hosted product image. */
        ProductImage: {
            uuid: components["schemas"]["Uuid"];
            /** @description Hosted copy. */
            url: string;
            /** @description Address that it was downloaded from. */
            source_url: string | null;
            /** Format: int32 */
            width: number | null;
            /** Format: int32 */
            height: number | null;
            /** Format: int32 */
            position: number;
        };
        /** @description A product as the store sells it. */
        StoreProduct: {
            uuid: components["schemas"]["Uuid"];
            slug: string;
            name: string;
            description: string | null;
            public_url: string | null;
            /** @constant */
            currency: "BRL";
            price: components["schemas"]["Money"];
            promo_price: components["schemas"]["NullableMoney"];
            promo_starts_at?: components["schemas"]["NullableTimestamp"];
            promo_ends_at?: components["schemas"]["NullableTimestamp"];
            /** @description The promotional price applies now. */
            promo_active: boolean;
            /** @description The price that is charged now. */
            effective_price: components["schemas"]["Money"];
            /** @description Over all active variants. */
            price_range: {
                min: components["schemas"]["Money"];
                max: components["schemas"]["Money"];
            };
            import_handle: string | null;
            sku: string | null;
            gtin: string | null;
            ncm?: string | null;
            unit?: string | null;
            brand?: string | null;
            category_uuid: components["schemas"]["NullableUuid"];
            /** @description The category. */
            category: {
                uuid: components["schemas"]["Uuid"];
                name: string;
            } | null;
            /** Format: int32 */
            stock: number | null;
            stock_tracked: boolean;
            in_stock: boolean;
            /** Format: int32 */
            weight_grams?: number | null;
            /** Format: int32 */
            width_mm?: number | null;
            /** Format: int32 */
            height_mm?: number | null;
            /** Format: int32 */
            length_mm?: number | null;
            images: components["schemas"]["ProductImage"][];
            /** @description Addresses of the hosted copies. */
            image_urls: string[];
            active: boolean;
            variants: components["schemas"]["ProductVariant"][];
            /**
             * Format: int64
             * @description Grows with each change. Quoted, it is a value for `If-Match`.
             */
            version: number;
            created_at: components["schemas"]["NullableTimestamp"];
            updated_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description Something that was ignored or adjusted, or that may have unexpected effects. `sku_shared`: another product of the store has the SKU too, so a WhatsApp cart that names it does not become an order. A batch compares the items of its call. */
        Warning: {
            code: components["schemas"]["ErrorCode"];
            message: string;
            field: string | null;
        };
        /** @description Products to create or, by `import_handle`, to update. */
        StoreProductBatchRequest: {
            /** @description 1 to 100 products. Each is checked by itself: an invalid one gets a failed result and does not fail the call. */
            products: components["schemas"]["StoreProductWrite"][];
        };
        /** @description The fields that every item of a batch has, whatever its status. */
        StoreProductBatchItemFields: {
            /**
             * Format: int32
             * @description Position in the request.
             */
            index: number;
            import_handle: string | null;
            warnings: components["schemas"]["Warning"][];
        };
        /**
         * Written item
         * @description An item whose product exists after the call.
         */
        StoreProductBatchWritten: components["schemas"]["StoreProductBatchItemFields"] & {
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
            product_uuid: components["schemas"]["Uuid"];
            /** @description The product after the call. */
            product: components["schemas"]["StoreProduct"];
            /** @description Set on failure. */
            error: null;
        };
        /**
         * Failed item
         * @description An item that was refused. The other items are not affected.
         */
        StoreProductBatchFailed: components["schemas"]["StoreProductBatchItemFields"] & {
            /** @constant */
            status: "failed";
            product_uuid: null;
            /** @description The product after the call; null on failure. */
            product: null;
            /** @description Reason why this item failed. */
            error: components["schemas"]["OperationError"];
        };
        /** @description Outcome for one item. `status` tells whether `product` or `error` is set. */
        StoreProductBatchItem: components["schemas"]["StoreProductBatchWritten"] | components["schemas"]["StoreProductBatchFailed"];
        /** @description Outcome of a batch. */
        StoreProductBatchResult: {
            /** @description One result per item, in the order of the request. */
            data: components["schemas"]["StoreProductBatchItem"][];
            /** @description Number of items by outcome. */
            meta: {
                /** Format: int32 */
                total: number;
                /** Format: int32 */
                created: number;
                /** Format: int32 */
                updated: number;
                /** Format: int32 */
                unchanged: number;
                /** Format: int32 */
                failed: number;
            };
        };
        /** @description A line of an order, frozen at the time of purchase. */
        OrderItem: {
            uuid: components["schemas"]["Uuid"];
            product_uuid: components["schemas"]["NullableUuid"];
            variant_uuid: components["schemas"]["NullableUuid"];
            product_deleted: boolean;
            import_handle?: string | null;
            sku?: string | null;
            gtin?: string | null;
            ncm?: string | null;
            name: string;
            variant_name: string | null;
            options: {
                [key: string]: string;
            };
            /** Format: int32 */
            quantity: number;
            list_price: components["schemas"]["Money"];
            unit_price: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            note?: string | null;
            stock_tracked: boolean;
            /** Format: int32 */
            stock_taken: number;
            image_url?: string | null;
        };
        /** @description Delivery address. */
        OrderAddress: {
            zipcode: string | null;
            street: string | null;
            number: string | null;
            complement: string | null;
            district: string | null;
            city: string | null;
            state: string | null;
        };
        /** @description An order with its items as they were at purchase. */
        StoreOrder: {
            uuid: components["schemas"]["Uuid"];
            /**
             * Format: int32
             * @description Sequential per store, from 1001. Show it to people; use `uuid` in integrations.
             */
            number: number;
            /** @example #1001 */
            code: string;
            /** @enum {string} */
            status: "novo" | "confirmado" | "pago" | "entregue" | "cancelado";
            /** @description Status changes that are possible now. */
            allowed_statuses: ("novo" | "confirmado" | "pago" | "entregue" | "cancelado")[];
            /** @enum {string} */
            source: "storefront" | "whatsapp_cart" | "dashboard" | "api";
            contact_uuid: components["schemas"]["NullableUuid"];
            conversation_uuid: components["schemas"]["NullableUuid"];
            /** @description The buyer. Fields are null once the person was erased. */
            customer: {
                name: string | null;
                phone: string | null;
                email: string | null;
                document: string | null;
            };
            items: components["schemas"]["OrderItem"][];
            subtotal: components["schemas"]["Money"];
            discount: components["schemas"]["Money"];
            delivery_fee: components["schemas"]["Money"];
            total: components["schemas"]["Money"];
            /** @constant */
            currency: "BRL";
            /** @description Way in which the customer gets the goods. */
            fulfillment: {
                /** @enum {string} */
                type: "delivery" | "pickup";
                address: components["schemas"]["OrderAddress"] | null;
                pickup_location: string | null;
            };
            /** @description Payment of the order. */
            payment: {
                /** @enum {string|null} */
                method: "pix" | "card" | "cash" | "payment_link" | "other" | null;
                /** @description Pix copy-and-paste code. */
                pix: {
                    copy_paste: string;
                    txid: string;
                    expires_at: components["schemas"]["NullableTimestamp"];
                } | null;
                link: string | null;
                paid_at: components["schemas"]["NullableTimestamp"];
            };
            note: string | null;
            /** @description Attribution of the sale. */
            tracking: {
                [key: string]: unknown;
            };
            /** @description Time at which Recado cancels the order and returns its stock, unless it is paid (`pago`) by then. Null for an order that is held without end, paid or cancelled. */
            hold_until: components["schemas"]["NullableTimestamp"];
            /** @description Reason for the cancellation. `unpaid` is set by Recado, when `hold_until` passes. */
            cancel_reason: string | null;
            /** @description Time at which the stock of the cancelled order went back. Null where no unit did. What the order took of products and variants that were deleted since, or whose stock is tracked no more, does not go back. */
            stock_restored_at: components["schemas"]["NullableTimestamp"];
            /** @description Changes of the status, with their author and time. */
            status_history: {
                /** @enum {string} */
                status: "novo" | "confirmado" | "pago" | "entregue" | "cancelado";
                at: components["schemas"]["Timestamp"];
                by: {
                    /** @enum {string} */
                    type: "api_key" | "agent" | "customer" | "system";
                    id: string | null;
                };
            }[];
            created_at: components["schemas"]["NullableTimestamp"];
            updated_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description novo → confirmado → pago → entregue; cancelado from novo, confirmado and pago. */
        StoreOrderStatusWrite: {
            /**
             * @description The status to move to.
             * @enum {string}
             */
            status: "confirmado" | "pago" | "entregue" | "cancelado";
        };
        /** @description An address that receives the events of an integration. */
        WebhookEndpoint: {
            uuid: components["schemas"]["Uuid"];
            integration_uuid: components["schemas"]["Uuid"];
            url: string;
            /** @description Only these types; null means all. */
            event_types: ("message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created")[] | null;
            /** @description False while it is paused. */
            enabled: boolean;
            /** @description Reason, if the service disabled the endpoint. `gone` after an answer 410. */
            disabled_reason: string | null;
            /**
             * @description Who made the last change, `admin` or `key:` with the key's id for example.
             * @example key:a1b2c3d4
             */
            changed_by: string;
            health: components["schemas"]["WebhookHealth"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description How the calls to the endpoint go. Times may be a minute old. */
        WebhookHealth: {
            /** @description `ok`, `failing` (the last attempt failed), `resting` (nothing answers, so attempts pause), `paused` (disabled) or `unknown` (no attempt was made yet). The list is open. */
            status: string;
            last_success_at: components["schemas"]["NullableTimestamp"];
            last_failure_at: components["schemas"]["NullableTimestamp"];
            /** @description Class of the last failure, such as `timeout` or `status 500`. */
            last_failure: string | null;
            failing_since: components["schemas"]["NullableTimestamp"];
            resting_until: components["schemas"]["NullableTimestamp"];
            /**
             * Format: int32
             * @description Deliveries that wait for the endpoint. Those of the last moments may be on their way.
             */
            waiting: number;
            /** @description More wait than were counted. */
            waiting_capped: boolean;
        };
        /** @description An endpoint to create. */
        WebhookEndpointWrite: {
            /**
             * Format: uri
             * @description https address of the receiver, reachable from the internet.
             */
            url: string;
            /** @description Only these types; null means all. */
            event_types?: ("message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created")[] | null;
            /** @description A paused endpoint receives nothing. True when left out. */
            enabled?: boolean;
            /**
             * Format: date-time
             * @description The endpoint also gets the events of this time or later that it missed. 30 days ago at the earliest, by default.
             */
            from?: string;
            /**
             * Format: int64
             * @description The endpoint also gets the events of this `sequence` or a higher one that it missed.
             */
            from_sequence?: number;
        };
        /** @description Fields to change; omitted fields keep their value. */
        WebhookEndpointPatch: {
            /**
             * Format: uri
             * @description https address of the receiver, reachable from the internet.
             */
            url?: string;
            /** @description Only these types; null means all. */
            event_types?: ("message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created")[] | null;
            /** @description False pauses the endpoint. */
            enabled?: boolean;
        };
        /** @description All endpoints of the integration. */
        WebhookEndpointList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["WebhookEndpoint"][];
        };
        /** @description One endpoint. */
        WebhookEndpointResponse: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description What to trigger. */
        TriggerWrite: {
            type: components["schemas"]["WebhookEventType"];
            /**
             * Format: uuid
             * @description A channel of the sandbox. May be left out while your company has only one.
             */
            channel_uuid?: string;
            /** @description The customer, in international format. Default: `+5511987654321`; for `conversation.created`, somebody new. Not with `webhook.test`. */
            phone?: string;
            /** @description What the customer writes, with `message.received`, `message.updated`, `message.deleted` and `conversation.created`. With `message.status.updated`, the text to send; default: a template. Not with other types. */
            text?: string;
        };
        /** @description What was triggered. */
        TriggeredResponse: {
            /** @description What was caused. */
            data: {
                type: components["schemas"]["WebhookEventType"];
                channel_uuid: components["schemas"]["Uuid"];
                /** @description The customer's; null where none takes part. */
                phone: string | null;
                /** @description WhatsApp's id of what the customer sent. */
                provider_message_id: string | null;
                /**
                 * Format: uuid
                 * @description The operation of the message that is sent, or of the flow that is started.
                 */
                operation_uuid: string | null;
                /**
                 * Format: uuid
                 * @description The conversation that was changed.
                 */
                conversation_uuid: string | null;
                /** @description Of `webhook.test`, the event of each endpoint. */
                event_ids: components["schemas"]["Uuid"][];
            };
        };
        /** @description The test event. */
        TestQueuedResponse: {
            /** @description The `webhook.test` event that is on its way. */
            data: {
                event_id: components["schemas"]["Uuid"];
            };
        };
        /** @description How to rotate. */
        SecretRotationWrite: {
            /**
             * Format: int32
             * @description Time in which deliveries also carry a signature by the previous secret. 86400 when left out; 0 after a leak.
             */
            grace_seconds?: number;
        };
        /** @description The new secret, shown once. */
        WebhookSecretResponse: {
            /** @description The new secret. */
            data: {
                /** @description The new secret. It is never shown again. */
                webhook_secret: string;
                previous_expires_at: components["schemas"]["NullableTimestamp"];
            };
        };
        /** @description One event on its way to one endpoint. `id` is equal to `Service-Delivery-Id`. */
        Delivery: {
            id: components["schemas"]["Uuid"];
            event_id: components["schemas"]["Uuid"];
            /** @description Type of the event. The list of types is open. */
            event_type: string;
            integration_uuid: components["schemas"]["Uuid"];
            endpoint_uuid: components["schemas"]["Uuid"];
            /**
             * @description `pending` waits for its first or next attempt. `failed` after the last attempt, or an answer 410. `cancelled` came due while the endpoint was paused or deleted.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** Format: int32 */
            attempt_count: number;
            /**
             * Format: int32
             * @description HTTP status of the last attempt; null without an answer.
             */
            last_status_code: number | null;
            /** @description Class of the last failure, such as `timeout` or `status 500`. */
            last_error: string | null;
            next_attempt_at: components["schemas"]["NullableTimestamp"];
            created_at: components["schemas"]["Timestamp"];
            completed_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A range of the history, and the pace. */
        WebhookReplayWrite: {
            /**
             * Format: date-time
             * @description The first event is of this time or later. Name `from` or `from_sequence`.
             */
            from?: string;
            /**
             * Format: int64
             * @description The first event has this `sequence` or a higher one.
             */
            from_sequence?: number;
            /**
             * Format: date-time
             * @description The last event is before this time. Now when left out.
             */
            to?: string;
            /**
             * Format: int64
             * @description The last event has a lower `sequence` than this.
             */
            to_sequence?: number;
            /**
             * Format: int32
             * @description Most deliveries per second. 10 when left out.
             */
            per_second?: number;
            /** @description Only count what would be delivered. False when left out. */
            dry_run?: boolean;
        };
        /** @description What to deliver, and the pace. */
        RedeliverFailedWrite: {
            /**
             * Format: date-time
             * @description Only deliveries created at this time or later. All when left out.
             */
            since?: string;
            /**
             * Format: int32
             * @description Most deliveries per second. 10 when left out.
             */
            per_second?: number;
            /** @description Only count what would be delivered. False when left out. */
            dry_run?: boolean;
        };
        /** @description Deliveries to one endpoint that are made in the background. */
        WebhookReplay: {
            uuid: components["schemas"]["Uuid"];
            /** @description `replay`, `back_fill` (the events before an endpoint that was created with `from`) or `redeliver_failed`. The list is open. */
            kind: string;
            endpoint_uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            status: "running" | "done" | "cancelled" | "failed";
            /** @description Why it failed: `endpoint_removed`, `out_of_horizon` (the sequence is older than deliveries are kept), `restored` (the system was restored from a backup) or `internal_error`. The list is open. */
            reason: string | null;
            /** @description Why it makes no progress at present, `endpoint_enabled` while the endpoint is paused, `endpoint_answers` while the endpoint is behind. The list is open. */
            waits_for: string | null;
            dry_run: boolean;
            /** Format: int32 */
            per_second: number;
            from: components["schemas"]["NullableTimestamp"];
            /** Format: int64 */
            from_sequence: number | null;
            to: components["schemas"]["NullableTimestamp"];
            /** Format: int64 */
            to_sequence: number | null;
            /**
             * Format: double
             * @description Share of the range that is done; null while it is not known.
             */
            progress: number | null;
            /**
             * Format: int32
             * @description Events that the endpoint gets for the first time.
             */
            first_time: number;
            /**
             * Format: int32
             * @description Events that the endpoint gets again, or at last.
             */
            again: number;
            /**
             * Format: int32
             * @description Events that are not sent, because another delivery of them is in progress or was successful.
             */
            under_way: number;
            /**
             * Format: int32
             * @description Events of people who were erased, and deliveries that the operator holds after a restore.
             */
            left_out: number;
            /**
             * Format: int32
             * @description How long the counted deliveries take at this pace, at least.
             */
            seconds: number;
            /** @description Who asked for it, `admin` or `key:` with the key's id for example. */
            requested_by: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description Replays of an endpoint. */
        WebhookReplayList: {
            /** @description The newest ones; this list is not paged. */
            data: components["schemas"]["WebhookReplay"][];
        };
        /** @description One replay. */
        WebhookReplayResponse: {
            data: components["schemas"]["WebhookReplay"];
        };
        /** @description One call to the endpoint. */
        DeliveryAttempt: {
            /**
             * Format: int32
             * @description Equal to `Service-Attempt`.
             */
            number: number;
            /**
             * @description `manual` for a redelivery or a replay.
             * @enum {string}
             */
            trigger: "auto" | "manual";
            url: string;
            remote_ip: string | null;
            started_at: components["schemas"]["Timestamp"];
            /** Format: int32 */
            duration_ms: number;
            /**
             * Format: int32
             * @description HTTP status of the answer; null without one.
             */
            status_code: number | null;
            /** @description Class of the failure; null on success. */
            error: string | null;
            /** @description The headers that were sent, without the two signatures. */
            request_headers: {
                [key: string]: string;
            };
            /** @description The headers of the answer, without cookies. */
            response_headers: {
                [key: string]: string;
            };
            /** @description The beginning of the answer's body. */
            response_body: string;
            next_attempt_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A delivery with its body and its attempts. */
        DeliveryDetail: components["schemas"]["Delivery"] & {
            redelivery_of: components["schemas"]["NullableUuid"];
            /** @description The bytes of every attempt, as text. Null when the person it was about was erased. */
            body: string | null;
            /** @description Oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description A page of deliveries. */
        DeliveryList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Delivery"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One delivery. */
        DeliveryDetailResponse: {
            data: components["schemas"]["DeliveryDetail"];
        };
        /** @description The new delivery that is on its way. */
        RedeliveryResponse: {
            /** @description The new delivery. */
            data: {
                delivery_id: components["schemas"]["Uuid"];
            };
        };
        /** @description All channels. */
        ChannelList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["Channel"][];
        };
        /** @description A page of contacts. */
        ContactList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Contact"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description The next events of the integration. */
        EventList: {
            /** @description Oldest first. Each stands on a line of its own, with the bytes of its webhook's body. */
            data: (components["schemas"]["WebhookEvent"] | components["schemas"]["EmptiedEvent"])[];
            meta: components["schemas"]["EventListMeta"];
        };
        /** @description Where the feed continues. */
        EventListMeta: {
            /**
             * Format: int64
             * @description Pass it as `after` to continue, now or later. It has passed events of types you did not ask for.
             */
            next_after: number;
            /** @description More events may be there already. If false, ask again later, or follow `GET /events/stream`. */
            more: boolean;
            /** @description The next event cannot be shown yet, and those after it wait, so that none is missed. The operator sees it. */
            waiting: boolean;
        };
        /** @description An event of a person who was erased, or that the operator left out. */
        EmptiedEvent: {
            id: components["schemas"]["Uuid"];
            type: components["schemas"]["WebhookEventType"];
            /** @description Version of the API at the time of the event. */
            api_version: string;
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description Place in the order of all events.
             */
            sequence: number;
            /** @description Always empty. */
            data: Record<string, never>;
        };
        /** @description A page of flows. */
        FlowList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Flow"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A page of templates. */
        TemplateList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Template"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A page of messages. */
        MessageList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Message"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description Your own pairs, such as an order number, at most 16. They are never sent to WhatsApp. They are part of the message, its operation and its webhooks, `GET /messages` finds messages by them, and they are erased with the person. Left out where there are none. */
        Metadata: {
            [key: string]: string;
        };
        /** @description A message that was sent, waits to be sent, or failed. */
        SentMessage: {
            message: components["schemas"]["Message"];
            /** @description The operation that sends it. */
            operation_uuid: components["schemas"]["Uuid"];
            channel_uuid: components["schemas"]["Uuid"];
            /** @description Null until the first attempt to send it. */
            conversation_uuid: components["schemas"]["NullableUuid"];
            /** @description Null until the first attempt to send it to a phone. */
            contact_uuid: components["schemas"]["NullableUuid"];
            /** @description Why it waits; null when it does not. */
            waiting: components["schemas"]["SendWait"] | null;
        };
        /** @description The reason why a message waits. */
        SendWait: {
            /** @description `channel_pace`, `recipient_pace`, `channel_stopped` (by the operator), `channel_restricted` (by WhatsApp), `provider_unreachable`, `not_called`, `history_restored` (an operator decides), and `provider_` with a kind of refusal after which the message is tried again. More may be added. */
            reason: string;
            /** @description When it is looked at again; null when that is unknown. */
            until: components["schemas"]["NullableTimestamp"];
        };
        /** @description A page of sent messages. */
        SentMessageList: {
            /** @description The resources of this page. */
            data: components["schemas"]["SentMessage"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A message and what happened to it. */
        MessageStory: {
            message: components["schemas"]["Message"];
            /** @description The operation that sends it; null where neither the API, a flow nor an operator sent it. */
            operation_uuid: components["schemas"]["NullableUuid"];
            channel_uuid: components["schemas"]["Uuid"];
            /** @description Null until the first attempt to send it. */
            conversation_uuid: components["schemas"]["NullableUuid"];
            /** @description Null until the first attempt to send it to a phone. */
            contact_uuid: components["schemas"]["NullableUuid"];
            /** @description Why it waits; null when it does not. */
            waiting: components["schemas"]["SendWait"] | null;
            /** @description What happened to it, oldest first. */
            timeline: components["schemas"]["TimelineEntry"][];
        };
        /** @description One message. */
        MessageStoryResponse: {
            data: components["schemas"]["MessageStory"];
        };
        /** @description Why, in the codes of an HTTP error. */
        TimelineReason: {
            code: components["schemas"]["ErrorCode"];
            /** @description Always English; for people. */
            message: string;
            /** @description Facts by code, such as `opens_at` or `provider`. */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description One step. `at` is when it was recorded here. More kinds may be added. */
        TimelineEntry: components["schemas"]["TimelineAccepted"] | components["schemas"]["TimelineGates"] | components["schemas"]["TimelineWait"] | components["schemas"]["TimelineReleased"] | components["schemas"]["TimelineAttempt"] | components["schemas"]["TimelineFailed"] | components["schemas"]["TimelineStatus"] | components["schemas"]["TimelineRecord"] | components["schemas"]["TimelineDelivery"];
        /** @description The send was accepted. */
        TimelineAccepted: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "accepted";
            /**
             * @description Who sent it.
             * @enum {string}
             */
            by: "api" | "flow";
            /** @description The message is sent until then, or fails. */
            deadline: components["schemas"]["Timestamp"];
        };
        /** @description The gates were checked. Only templates have gates. */
        TimelineGates: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "gates";
            /**
             * @description `acceptance`: on the call. `dispatch`: right before an attempt.
             * @enum {string}
             */
            stage: "acceptance" | "dispatch";
            /** @description The gates it passed, each by the error code with which it would have been refused. */
            passed: string[];
            /** @description The gate that refused it, and what it saw; null when it passed all. */
            refused: components["schemas"]["TimelineReason"] | null;
        };
        /** @description The message began to wait. */
        TimelineWait: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "wait";
            /** @description As in `waiting.reason`. */
            reason: string;
            /** @description When it is looked at again. */
            until: components["schemas"]["NullableTimestamp"];
            /** @description What was seen, by reason; may be empty. */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description An operator released a message that a restore had held. */
        TimelineReleased: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "released";
            /** @description The message is sent until then, or fails. */
            deadline: components["schemas"]["Timestamp"];
        };
        /** @description A call to WhatsApp. */
        TimelineAttempt: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "attempt";
            /**
             * Format: int32
             * @description Counts the attempts of the message.
             */
            number: number;
            /**
             * @description `not_reached`: WhatsApp was not called, or could not be reached. `unknown`: the answer was lost, and a status will tell. `under_way`: not answered yet.
             * @enum {string}
             */
            result: "accepted" | "refused" | "not_reached" | "unknown" | "under_way";
            /** @description When the result was known. */
            ended_at: components["schemas"]["NullableTimestamp"];
            /**
             * Format: int32
             * @description WhatsApp's error code.
             */
            provider_code: number | null;
            /** @description WhatsApp's trace of the refusal, for its support. */
            trace_id: string | null;
        };
        /** @description The message will not be sent. */
        TimelineFailed: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "failed";
            code: components["schemas"]["ErrorCode"];
            /** @description Always English; for people. */
            message: string;
            /** @description What was seen, by reason; may be empty. */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description A delivery status, in the order in which they were recorded. */
        TimelineStatus: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "status";
            /** @description As in `message.status`. */
            status: string;
            /** @description By WhatsApp's clock; null where it is the answer to the attempt. */
            provider_at: components["schemas"]["NullableTimestamp"];
            /** @description Why it failed, as WhatsApp reported it. */
            error: components["schemas"]["TimelineReason"] | null;
        };
        /** @description `recorded`: the message arrived here, or was written here. `edited` and `deleted`: by its author. */
        TimelineRecord: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "recorded" | "edited" | "deleted";
            /** @description By WhatsApp's clock; null where WhatsApp has no part in it. */
            provider_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A delivery of one of its webhooks to one of your endpoints. */
        TimelineDelivery: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "delivery";
            /** @description As in `Service-Delivery-Id`. */
            delivery_id: components["schemas"]["Uuid"];
            endpoint_uuid: components["schemas"]["Uuid"];
            event_id: components["schemas"]["Uuid"];
            event_type: components["schemas"]["WebhookEventType"];
            /**
             * @description `pending`: waits for its next attempt. `cancelled`: its endpoint was disabled or deleted.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempts: number;
            /**
             * Format: int32
             * @description HTTP status of the last answer; null when there was none.
             */
            last_status: number | null;
            /** @description Why the last attempt failed. */
            last_error: string | null;
            /** @description Of the last attempt. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A call that a gate refused. */
        RefusedSend: {
            at: components["schemas"]["Timestamp"];
            /** @description The `X-Request-Id` of the call. */
            request_id: string;
            /** @description The recipient; null once the person was erased. */
            phone: string | null;
            /** @description Name of the template. */
            template: string | null;
            /** @description The `Idempotency-Key` of the call; null once the person was erased. */
            idempotency_key: string | null;
            metadata?: components["schemas"]["Metadata"];
            code: components["schemas"]["ErrorCode"];
            /** @description Always English; for people. */
            message: string;
            /** @description What the gate saw, as the call was answered; empty once the person was erased. */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description A page of refused calls. */
        RefusedSendList: {
            /** @description The resources of this page. */
            data: components["schemas"]["RefusedSend"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A page of conversations. */
        ConversationList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Conversation"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A page of products. */
        StoreProductList: {
            /** @description The resources of this page. */
            data: components["schemas"]["StoreProduct"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A page of orders. */
        StoreOrderList: {
            /** @description The resources of this page. */
            data: components["schemas"]["StoreOrder"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description All categories. */
        StoreCategoryList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["StoreCategory"][];
        };
        /** @description One contact. */
        ContactResponse: {
            data: components["schemas"]["Contact"];
        };
        /** @description One flow. */
        FlowResponse: {
            data: components["schemas"]["Flow"];
        };
        /** @description One template. */
        TemplateResponse: {
            data: components["schemas"]["Template"];
        };
        /** @description One operation. */
        OperationResponse: {
            data: components["schemas"]["Operation"];
        };
        /** @description One conversation. */
        ConversationResponse: {
            data: components["schemas"]["ConversationDetail"];
        };
        /** @description The store. */
        StoreResponse: {
            data: components["schemas"]["StoreSummary"];
        };
        /** @description One order. */
        StoreOrderResponse: {
            data: components["schemas"]["StoreOrder"];
        };
        /** @description One product. */
        StoreProductResponse: {
            data: components["schemas"]["StoreProduct"];
            /** @description Present when something was ignored or adjusted. */
            meta?: {
                warnings: components["schemas"]["Warning"][];
            };
        };
        /** @description The message, whole, with its conversation and contact. */
        MessageEventData: {
            message: components["schemas"]["Message"];
            conversation: components["schemas"]["Conversation"];
            contact: components["schemas"]["Contact"];
            /** @description The operation that sent it, when the API did. */
            operation_uuid?: components["schemas"]["NullableUuid"];
            /** @description The contact's custom fields that follow the tracking convention (`utm_*`, click ids). Present when the contact has any. */
            tracking?: {
                [key: string]: unknown;
            };
        };
        /** @description The message without its content, with its conversation and contact. */
        MessageDeletedEventData: {
            message: components["schemas"]["DeletedMessage"];
            conversation: components["schemas"]["Conversation"];
            contact: components["schemas"]["Contact"];
            /** @description The operation that sent it, when the API did. */
            operation_uuid?: components["schemas"]["NullableUuid"];
            /** @description The contact's custom fields that follow the tracking convention (`utm_*`, click ids). Present when the contact has any. */
            tracking?: {
                [key: string]: unknown;
            };
        };
        /** @description The conversation, whole, with its contact. */
        ConversationEventData: {
            conversation: components["schemas"]["Conversation"];
            contact: components["schemas"]["Contact"];
            /** @description The contact's custom fields that follow the tracking convention (`utm_*`, click ids). Present when the contact has any. */
            tracking?: {
                [key: string]: unknown;
            };
        };
        /** @description The execution as of the event, with its conversation and contact. */
        FlowExecutionEventData: {
            execution: components["schemas"]["Execution"];
            /** @description Null until the execution is in charge of one. */
            conversation: components["schemas"]["Conversation"] | null;
            contact: components["schemas"]["Contact"];
            /** @description The contact's custom fields that follow the tracking convention (`utm_*`, click ids). Present when the contact has any. */
            tracking?: {
                [key: string]: unknown;
            };
        };
        /** @description Nothing happened; this only proves that deliveries arrive. */
        WebhookTestData: {
            /** @description The webhook endpoint under test. */
            endpoint_uuid: components["schemas"]["Uuid"];
            /** @description A fixed sentence. */
            text: string;
        };
        /** @description The order, whole, with its contact. */
        OrderEventData: {
            order: components["schemas"]["StoreOrder"];
            /** @description The buyer, when known as a contact. */
            contact: components["schemas"]["Contact"] | null;
            /** @description The contact's custom fields that follow the tracking convention (`utm_*`, click ids). Present when the contact has any. */
            tracking?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Type of the event.
         * @enum {string}
         */
        WebhookEventType: "message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created";
        /** @description An inbound message was recorded. Notes never trigger a webhook. */
        MessageReceivedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "message.received";
            data: components["schemas"]["MessageEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.received";
        };
        /** @description The provider reported sent, delivered, read or failed. Statuses never move backwards. */
        MessageStatusUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "message.status.updated";
            data: components["schemas"]["MessageEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.status.updated";
        };
        /** @description Carries the transcript of an inbound audio message as `data.message.transcript`. */
        MessageTranscribedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "message.transcribed";
            data: components["schemas"]["MessageEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.transcribed";
        };
        /** @description The text or caption was edited; `data.message.content` holds the current value. */
        MessageUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "message.updated";
            data: components["schemas"]["MessageEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.updated";
        };
        /** @description The contact or the business app deleted the message; its content is empty apart from `deleted`. */
        MessageDeletedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "message.deleted";
            data: components["schemas"]["MessageDeletedEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.deleted";
        };
        /** @description The first message between a contact and a channel, or the first after the reopening window. */
        ConversationCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "conversation.created";
            data: components["schemas"]["ConversationEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.created";
        };
        /** @description Status, assignment or read state changed. */
        ConversationUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "conversation.updated";
            data: components["schemas"]["ConversationEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation.updated";
        };
        /** @description The status of an execution changed. */
        FlowExecutionUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "flow.execution.updated";
            data: components["schemas"]["FlowExecutionEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "flow.execution.updated";
        };
        /** @description Sent on request of an operator, to prove that an endpoint receives and verifies deliveries. */
        WebhookTestEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "webhook.test";
            data: components["schemas"]["WebhookTestData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
        };
        /** @description A store order was created in status `novo`; the whole order is included so that no second call is needed. */
        OrderCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /** @constant */
            type: "order.created";
            data: components["schemas"]["OrderEventData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.created";
        };
        /** @description The fields that every event has, whatever its type. */
        WebhookEnvelope: {
            /** @description Unique per event, stable over all deliveries and retries; equal to `Service-Event-Id`. Deduplicate on it. */
            id: components["schemas"]["Uuid"];
            /**
             * @description Version of the API that determines the shape of `data`. A later release may write a later one.
             * @example 1.8.0
             */
            api_version: string;
            /** @description When it happened. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description Grows with time over all events of the service, with gaps. For each resource, store the last one that you applied, and ignore events below it.
             */
            sequence: number;
        };
        /** @description Body of every delivery. `type` decides the shape of `data`. The bytes never change between attempts. */
        WebhookEvent: components["schemas"]["MessageReceivedEvent"] | components["schemas"]["MessageStatusUpdatedEvent"] | components["schemas"]["MessageTranscribedEvent"] | components["schemas"]["MessageUpdatedEvent"] | components["schemas"]["MessageDeletedEvent"] | components["schemas"]["ConversationCreatedEvent"] | components["schemas"]["ConversationUpdatedEvent"] | components["schemas"]["FlowExecutionUpdatedEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["OrderCreatedEvent"];
        /** @description A text to send. */
        TextMessageRequest: {
            recipient: components["schemas"]["Recipient"];
            /** @description Channel to send from. May be left out when the company has one channel, or one connected channel; otherwise 422 `channel_required`. */
            channel_uuid?: components["schemas"]["Uuid"];
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
            content: components["schemas"]["TextContent"];
            metadata?: components["schemas"]["Metadata"];
        };
        /** @description A template to send. */
        TemplateMessageRequest: {
            recipient: components["schemas"]["Recipient"];
            /** @description Channel to send from. May be left out when the company has one channel, or one connected channel; otherwise 422 `channel_required`. */
            channel_uuid?: components["schemas"]["Uuid"];
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "template";
            content: components["schemas"]["TemplateContent"];
            metadata?: components["schemas"]["Metadata"];
        };
    };
    responses: {
        /** @description The credential is missing or not valid. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key lacks the scope this operation needs. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key lacks the scope, or a company owner has to allow the send. */
        SendForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The storefront is not on the plan, or the key lacks the scope. */
        StoreForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist in your company. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The channel or the template does not exist. */
        SendNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The flow or the channel does not exist. */
        ExecutionNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No template has this name. */
        TemplateNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Another request changed the resource at the same moment. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing was triggered. */
        NotTriggered: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The integration keeps no events. */
        EventsFeedOff: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Events after this sequence are no longer kept, or the sequence is beyond the newest event. */
        EventsExpired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource is not at the version that `If-Match` names. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The idempotency key was used for another request. */
        IdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The phone belongs to a contact with another external id. */
        ContactConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB or holds more than 65,000 values, unless the operation names other limits. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not valid JSON. */
        InvalidJson: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter or field is not acceptable. `details.fields` names the first 50. Where more were found, `details.total` is the number of all. It is null where a body of many values was not checked whole. */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field of the contact is not acceptable. */
        ContactUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The execution cannot be started. */
        ExecutionUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The message cannot be sent. Template payloads are checked on this call; the gates are checked here and again at dispatch. */
        SendUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field of the product is not acceptable. */
        ProductUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The move is not possible. */
        OrderUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The idempotency key was used for another request, or another request changed the integration at the same moment. */
        WebhookConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The endpoint is not acceptable. */
        WebhookUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The endpoint can not be used now. */
        EndpointUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The replay can not be started. */
        ReplayUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The delivery can not be sent again. */
        DeliveryUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests with this key. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests or open streams with this key. */
        StreamsLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The address and the headers are larger than 16 kB together. The connection is closed. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the server. Nothing about the cause is disclosed; quote the request id. A send that answered 500 is safe to repeat with the same Idempotency-Key. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A store the service depends on cannot be reached. Nothing was accepted; repeat the call. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Cursor: `meta.next_cursor` of the previous page. */
        After: string;
        /** @description Size of the page. */
        Limit: number;
        /**
         * @description Sequence of the last event that you have; the events after it follow. Left out, from the oldest kept.
         * @example 48213
         */
        AfterSequence: number;
        /**
         * @description The last `id` that you received; counts more than `after`. Clients of server-sent events send it by themselves.
         * @example 48213
         */
        LastEventId: string;
        /**
         * @description Only events of these types, separated by commas.
         * @example [
         *       "message.received",
         *       "order.created"
         *     ]
         */
        EventTypes: components["schemas"]["WebhookEventType"][];
        /** @description `newest`: newest first. `recorded`: in the order in which they were recorded here, oldest first. The last page then has a `next_cursor` too. A later call with it returns the messages recorded since, also those that WhatsApp delivered late. It is null while there are no messages. */
        MessageOrder: "newest" | "recorded";
        /**
         * @description Your unique key for this request, 1 to 128 characters; a UUID is a good choice. A retry with the same key and the same request returns the first answer and does nothing twice. The same key with another request answers 409 `idempotency_key_reused`. Kept for at least 24 hours.
         * @example pedido-1001-enviado
         */
        IdempotencyKey: string;
        /**
         * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the product as it was created, with `Idempotent-Replayed`, and creates no second one. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Keys of products are separate from those of messages and flow executions. Without a key, each request creates a product.
         * @example produto-camiseta-azul
         */
        ProductIdempotencyKey: string;
        /**
         * @description The `version` of the product that the change is based on, quoted, as `"7"`. It may be a list of several, or `*` for any. A product at another version answers 412 `precondition_failed` and stays as it is. Every change counts, also stock that an order took. Weak tags (`W/"7"`) never match. If the header is left out, any version is accepted.
         * @example "7"
         */
        IfMatch: string;
        /** @description The contact. */
        ContactUuid: components["schemas"]["Uuid"];
        /** @description The flow. */
        FlowUuid: components["schemas"]["Uuid"];
        /** @description The operation. */
        OperationUuid: components["schemas"]["Uuid"];
        /** @description The message, or the operation that sends it. */
        MessageUuid: components["schemas"]["Uuid"];
        /** @description The conversation. */
        ConversationUuid: components["schemas"]["Uuid"];
        /** @description The product. */
        ProductUuid: components["schemas"]["Uuid"];
        /** @description The order. */
        OrderUuid: components["schemas"]["Uuid"];
        /**
         * @description Your own identifier of the contact, percent-encoded.
         * @example cliente-42
         */
        ExternalId: string;
        /**
         * @description Template name.
         * @example pedido_enviado
         */
        TemplateName: string;
        /** @description The webhook endpoint. */
        EndpointUuid: components["schemas"]["Uuid"];
        /** @description The delivery. */
        DeliveryId: components["schemas"]["Uuid"];
        /** @description The replay. */
        ReplayUuid: components["schemas"]["Uuid"];
        /**
         * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the first answer, with `Idempotent-Replayed`, and creates nothing. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Without a key, each request is a new one.
         * @example endpoint-erp-1
         */
        WebhookIdempotencyKey: string;
        /**
         * @description Unique per event. Deduplicate on it: delivery is at least once.
         * @example 0198a6f0-ee01-7000-8000-000000000001
         */
        ServiceEventId: components["schemas"]["Uuid"];
        /**
         * @description The event type.
         * @example message.received
         */
        ServiceEvent: components["schemas"]["WebhookEventType"];
        /**
         * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
         * @example 0198a6f2-7777-7000-8000-00000000d001
         */
        ServiceDeliveryId: components["schemas"]["Uuid"];
        /**
         * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
         * @example 1795183391
         */
        ServiceTimestamp: string;
        /**
         * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
         * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
         */
        ServiceSignature: string;
        /**
         * @description Number of this attempt, from 1.
         * @example 1
         */
        ServiceAttempt: string;
        /**
         * @description Standard Webhooks: equal to `Service-Event-Id`.
         * @example 0198a6f0-ee01-7000-8000-000000000001
         */
        WebhookId: string;
        /**
         * @description Standard Webhooks: equal to `Service-Timestamp`.
         * @example 1795183391
         */
        WebhookTimestamp: string;
        /**
         * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in our logs. An `X-Request-Id` that you send (1 to 128 characters of A-Z, a-z, 0-9, `.`, `_`, `-`) is kept; otherwise one is generated.
         * @example 0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11
         */
        "X-Request-Id": string;
        /**
         * @description Remaining quota for this call (draft-ietf-httpapi-ratelimit-headers-10): `r` requests in the next `t` seconds.
         * @example "reads";r=599;t=60
         */
        RateLimit: string;
        /**
         * @description The quota itself: `q` requests per `w` seconds.
         * @example "reads";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Whole seconds to wait before the call is worth repeating.
         * @example 7
         */
        "Retry-After": number;
        /**
         * @description Always the Bearer scheme.
         * @example Bearer realm="recado"
         */
        "WWW-Authenticate": string;
        /**
         * @description Address of the created resource.
         * @example /api/v1/operations/0198a6f0-0b01-7000-8000-000000000001
         */
        Location: string;
        /** @description Sent, as `true`, when this answer repeats the one given to an earlier request with the same key. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One connected channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Words to search for.
                 * @example maria
                 */
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact. */
                contact_uuid: components["parameters"]["ContactUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A contact */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact. */
                contact_uuid: components["parameters"]["ContactUuid"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactWrite"];
            };
        };
        responses: {
            /** @description The contact after the change */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ContactUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertExternalContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your own identifier of the contact, percent-encoded.
                 * @example cliente-42
                 */
                external_id: components["parameters"]["ExternalId"];
            };
            cookie?: never;
        };
        /** @description The contact. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpsert"];
            };
        };
        responses: {
            /** @description The linked contact */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ContactConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ContactUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFlows: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only flows in this status. */
                status?: "draft" | "active";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A flow */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    executeFlow: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters; a UUID is a good choice. A retry with the same key and the same request returns the first answer and does nothing twice. The same key with another request answers 409 `idempotency_key_reused`. Kept for at least 24 hours.
                 * @example pedido-1001-enviado
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        /** @description The recipient, the channel and the variables. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowExecutionRequest"];
            };
        };
        responses: {
            /** @description Accepted. Poll the operation named by `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ExecutionNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ExecutionUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Words to search for in the name.
                 * @example pedido
                 */
                query?: string;
                /** @description Only templates of this channel. */
                channel_uuid?: components["schemas"]["Uuid"];
                /** @description Only templates in this review state. */
                status?: "APPROVED" | "PENDING" | "REJECTED" | "PAUSED" | "DISABLED" | "IN_APPEAL" | "DRAFT";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Template name.
                 * @example pedido_enviado
                 */
                name: components["parameters"]["TemplateName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A template */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TemplateNotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /**
                 * @description Recipient, as in `POST /messages`. Encode the `+` as `%2B`. Both spellings of a Brazilian mobile number find the same messages.
                 * @example +5511987654321
                 */
                phone?: string;
                /** @description Recipient; includes contacts that were merged into this one. The uuid of a merged contact stands for the contact that it is part of. */
                contact_uuid?: components["schemas"]["Uuid"];
                /**
                 * @description Name of the template, in any language.
                 * @example pedido_enviado
                 */
                template?: string;
                /**
                 * @description First reason why the message failed, as in `error.code`. Also finds messages that were delivered later. Sorted by the time of the failure.
                 * @example recipient_unreachable
                 */
                error_code?: string;
                /**
                 * @description Exact `Idempotency-Key` of `POST /messages`, of your own integration.
                 * @example pedido-1001-enviado
                 */
                idempotency_key?: string;
                /**
                 * @description Key of one pair of `metadata`. Needs `metadata_value`.
                 * @example order_id
                 */
                metadata_key?: string;
                /**
                 * @description Exact value of that pair. Needs `metadata_key`.
                 * @example 4711
                 */
                metadata_value?: string;
                /** @description Status of the message now. With `failed` alone, the list is sorted by the time of the failure. */
                status?: "queued" | "sent" | "delivered" | "read" | "failed";
                /**
                 * @description Not before this time. It is compared with the time by which the list is sorted, which is when the send was accepted, except as said above.
                 * @example 2026-11-20T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Before this time, which must not be before `from`.
                 * @example 2026-11-21T00:00:00Z
                 */
                to?: string;
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentMessageList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters; a UUID is a good choice. A retry with the same key and the same request returns the first answer and does nothing twice. The same key with another request answers 409 `idempotency_key_reused`. Kept for at least 24 hours.
                 * @example pedido-1001-enviado
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The message. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description Accepted. Poll the operation named by `Location`. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SendForbidden"];
            404: components["responses"]["SendNotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SendUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRefusedMessages: {
        parameters: {
            query?: {
                /**
                 * @description Recipient, as in `POST /messages`. Encode the `+` as `%2B`.
                 * @example +5511987654321
                 */
                phone?: string;
                /**
                 * @description Not before this time.
                 * @example 2026-11-20T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Before this time, which must not be before `from`.
                 * @example 2026-11-21T00:00:00Z
                 */
                to?: string;
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedSendList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message, or the operation that sends it. */
                message_uuid: components["parameters"]["MessageUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageStoryResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversationMessages: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description `newest`: newest first. `recorded`: in the order in which they were recorded here, oldest first. The last page then has a `next_cursor` too. A later call with it returns the messages recorded since, also those that WhatsApp delivered late. It is null while there are no messages. */
                order?: components["parameters"]["MessageOrder"];
            };
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The operation. */
                operation_uuid: components["parameters"]["OperationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the operation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Sequence of the last event that you have; the events after it follow. Left out, from the oldest kept.
                 * @example 48213
                 */
                after?: components["parameters"]["AfterSequence"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only events of these types, separated by commas.
                 * @example [
                 *       "message.received",
                 *       "order.created"
                 *     ]
                 */
                types?: components["parameters"]["EventTypes"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["EventsFeedOff"];
            410: components["responses"]["EventsExpired"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * @description Sequence of the last event that you have; the events after it follow. Left out, from the oldest kept.
                 * @example 48213
                 */
                after?: components["parameters"]["AfterSequence"];
                /**
                 * @description Only events of these types, separated by commas.
                 * @example [
                 *       "message.received",
                 *       "order.created"
                 *     ]
                 */
                types?: components["parameters"]["EventTypes"];
            };
            header?: {
                /**
                 * @description The last `id` that you received; counts more than `after`. Clients of server-sent events send it by themselves.
                 * @example 48213
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the connection ends */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *
                     *     : alive
                     *     id: 48190
                     *
                     *     event: webhook.test
                     *     id: 48213
                     *     data: {"id":"0198a6f0-e001-7000-8000-000000000001","type":"webhook.test","api_version":"1.8.0","created_at":"2026-11-20T14:03:11.482Z","sequence":48213,"data":{"endpoint_uuid":"0198a6f0-e0e0-7000-8000-000000000001","text":"This is a test event. Nothing happened."}}
                     */
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["EventsFeedOff"];
            410: components["responses"]["EventsExpired"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["StreamsLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only conversations in this status. */
                status?: "open" | "pending" | "resolved";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: {
                /** @description Embed the first page of messages. */
                include?: "messages";
            };
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With its messages */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStoreProducts: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Words to search for.
                 * @example camiseta
                 */
                query?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createStoreProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the product as it was created, with `Idempotent-Replayed`, and creates no second one. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Keys of products are separate from those of messages and flow executions. Without a key, each request creates a product.
                 * @example produto-camiseta-azul
                 */
                "Idempotency-Key"?: components["parameters"]["ProductIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The product. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreProductWrite"];
            };
        };
        responses: {
            /** @description The new product */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProductUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    batchStoreProducts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The products. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreProductBatchRequest"];
            };
        };
        responses: {
            /** @description One updated, one failed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductBatchResult"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStoreProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The product. */
                product_uuid: components["parameters"]["ProductUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A product */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteStoreProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `version` of the product that the change is based on, quoted, as `"7"`. It may be a list of several, or `*` for any. A product at another version answers 412 `precondition_failed` and stays as it is. Every change counts, also stock that an order took. Weak tags (`W/"7"`) never match. If the header is left out, any version is accepted.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The product. */
                product_uuid: components["parameters"]["ProductUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateStoreProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `version` of the product that the change is based on, quoted, as `"7"`. It may be a list of several, or `*` for any. A product at another version answers 412 `precondition_failed` and stays as it is. Every change counts, also stock that an order took. Weak tags (`W/"7"`) never match. If the header is left out, any version is accepted.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The product. */
                product_uuid: components["parameters"]["ProductUuid"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreProductPatch"];
            };
        };
        responses: {
            /** @description The product after the change */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProductUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStoreCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All categories */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreCategoryList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStoreOrders: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only orders in this status. */
                status?: "novo" | "confirmado" | "pago" | "entregue" | "cancelado";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStoreOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order. */
                order_uuid: components["parameters"]["OrderUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moveStoreOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order. */
                order_uuid: components["parameters"]["OrderUuid"];
            };
            cookie?: never;
        };
        /** @description The status to move to. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreOrderStatusWrite"];
            };
        };
        responses: {
            /** @description The order after the change of status */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OrderUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All endpoints */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the first answer, with `Idempotent-Replayed`, and creates nothing. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Without a key, each request is a new one.
                 * @example endpoint-erp-1
                 */
                "Idempotency-Key"?: components["parameters"]["WebhookIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Only messages */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointWrite"];
            };
        };
        responses: {
            /** @description The new endpoint */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["WebhookConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["WebhookUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An endpoint */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        /** @description Pause it */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointPatch"];
            };
        };
        responses: {
            /** @description The endpoint after the change */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["WebhookUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestQueuedResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["EndpointUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Type of the event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerWrite"];
            };
        };
        responses: {
            /** @description The cause is there; the event follows */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggeredResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotTriggered"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Overlap of one hour */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotationWrite"];
            };
        };
        responses: {
            /** @description The new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookReplays: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All replays */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startWebhookReplay: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the first answer, with `Idempotent-Replayed`, and creates nothing. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Without a key, each request is a new one.
                 * @example endpoint-erp-1
                 */
                "Idempotency-Key"?: components["parameters"]["WebhookIdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        /** @description A day, at 20 events a second */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayWrite"];
            };
        };
        responses: {
            /** @description Started */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReplayUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
                /** @description The replay. */
                replay_uuid: components["parameters"]["ReplayUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A replay */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
                /** @description The replay. */
                replay_uuid: components["parameters"]["ReplayUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay after the call */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverFailed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the first answer, with `Idempotent-Replayed`, and creates nothing. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Without a key, each request is a new one.
                 * @example endpoint-erp-1
                 */
                "Idempotency-Key"?: components["parameters"]["WebhookIdempotencyKey"];
            };
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        /** @description Of one day */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RedeliverFailedWrite"];
            };
        };
        responses: {
            /** @description Started */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReplayUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only to this endpoint. */
                endpoint_uuid?: components["schemas"]["Uuid"];
                /** @description Only events of this type. */
                event_type?: "message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created";
                /** @description Only in this status. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
                /** @description Only of this event. */
                event_id?: components["schemas"]["Uuid"];
                /** @description Only of events of this message. */
                message_uuid?: components["schemas"]["Uuid"];
                /** @description Only of `conversation.*` events of this conversation, the newest 200. */
                conversation_uuid?: components["schemas"]["Uuid"];
                /** @description Only of events of this order. */
                order_uuid?: components["schemas"]["Uuid"];
                /** @description Only deliveries created at this time or later. */
                created_from?: string;
                /** @description Only deliveries created before this time, which must not be before `created_from`. */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A delivery */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetailResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery. */
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveryResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["DeliveryUnprocessable"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onMessageReceived: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageReceivedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageStatusUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageStatusUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageTranscribed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageTranscribedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageDeletedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationCreatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFlowExecutionUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowExecutionUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onOrderCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Unique per event. Deduplicate on it: delivery is at least once.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "Service-Event-Id": components["parameters"]["ServiceEventId"];
                /**
                 * @description The event type.
                 * @example message.received
                 */
                "Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description Stable for one event and one endpoint over all attempts; new for a manual redelivery.
                 * @example 0198a6f2-7777-7000-8000-00000000d001
                 */
                "Service-Delivery-Id": components["parameters"]["ServiceDeliveryId"];
                /**
                 * @description Unix seconds at which this attempt was signed. Refuse deliveries older than five minutes.
                 * @example 1795183391
                 */
                "Service-Timestamp": components["parameters"]["ServiceTimestamp"];
                /**
                 * @description HMAC-SHA256, in lower-case hex, of `{Service-Timestamp}.{raw body}` with the webhook secret. Valid when any entry matches; there are two during the 24 hours after a rotation.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description Number of this attempt, from 1.
                 * @example 1
                 */
                "Service-Attempt": components["parameters"]["ServiceAttempt"];
                /**
                 * @description Standard Webhooks: equal to `Service-Event-Id`.
                 * @example 0198a6f0-ee01-7000-8000-000000000001
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Standard Webhooks: equal to `Service-Timestamp`.
                 * @example 1795183391
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`, one or two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCreatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. The body is not read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The payload or its signature is invalid; the delivery is retried and the failure is shown to the operator. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The error codes of this release. The list is open: a later release may have more. */
export type KnownErrorCode =
  | 'answer_invalid'
  | 'bad_request'
  | 'category_not_found'
  | 'channel_marketing_paused'
  | 'channel_not_connected'
  | 'channel_not_found'
  | 'channel_required'
  | 'company_daily_marketing_cap_exceeded'
  | 'concurrent_update'
  | 'delivery_erased'
  | 'duplicate_handle_in_batch'
  | 'duplicate_template_send'
  | 'events_expired'
  | 'events_feed_off'
  | 'expectation_failed'
  | 'external_contact_conflict'
  | 'flow_failed'
  | 'flow_not_active'
  | 'flow_running'
  | 'gtin_invalid'
  | 'headers_too_large'
  | 'idempotency_key_required'
  | 'idempotency_key_reused'
  | 'import_handle_taken'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_cursor'
  | 'invalid_json'
  | 'invalid_status_transition'
  | 'marketing_sends_disabled'
  | 'method_not_allowed'
  | 'ncm_invalid'
  | 'not_a_sandbox_channel'
  | 'not_found'
  | 'not_implemented'
  | 'payload_too_large'
  | 'precondition_failed'
  | 'price_invalid'
  | 'product_deleted'
  | 'product_image_invalid'
  | 'product_limit_reached'
  | 'promo_price_invalid'
  | 'provider_rejected'
  | 'provider_unavailable'
  | 'rate_limited'
  | 'recipient_erased'
  | 'recipient_marketing_limit_reached'
  | 'recipient_opted_out'
  | 'recipient_unreachable'
  | 'request_address_refused'
  | 'request_answer_broke_off'
  | 'request_answer_too_large'
  | 'request_header_invalid'
  | 'request_outcome_unknown'
  | 'request_timeout'
  | 'secret_rotation_limit_reached'
  | 'send_failed'
  | 'send_outcome_unknown'
  | 'send_pacing_timeout'
  | 'service_window_closed'
  | 'sku_shared'
  | 'storefront_not_allowed'
  | 'template_frequency_cap_exceeded'
  | 'template_language_invalid'
  | 'template_not_approved'
  | 'template_not_found'
  | 'template_parameters_invalid'
  | 'template_quality_blocked'
  | 'template_sends_disabled'
  | 'template_state_invalid'
  | 'text_too_long'
  | 'too_many_flows'
  | 'too_many_steps'
  | 'too_many_streams'
  | 'trigger_not_possible'
  | 'unauthenticated'
  | 'unavailable'
  | 'unit_limit_exceeded'
  | 'unknown_field'
  | 'unpaid_order_limit_reached'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'variable_too_large'
  | 'variables_too_large'
  | 'variant_duplicated'
  | 'variant_options_mismatch'
  | 'variant_unknown'
  | 'webhook_disabled'
  | 'webhook_job_limit_reached'
  | 'webhook_limit_reached';
