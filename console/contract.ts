// Made from the contract by `npm run client:types`. Change the contract, not this file.

export interface paths {
    "/session/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link that signs in
         * @description The token signs one person in to the console, once, within ten minutes. Put it behind `/console#token=`.
         */
        post: operations["makeSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description The session of the caller. `uuid` is null for a caller with the admin token.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Exchanges a link's token for a session, which is in a cookie that scripts can't read. Needs no credential, but the header `X-Recado-Console`.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the caller's session. Without one, nothing happens.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by password
         * @description Of a person who has access. `code` is needed where a second factor is set up (`code_needed`): of the authenticator app, or a recovery code. Everything that is wrong answers `sign_in_failed`, and takes as long. Needs no credential, but the header `X-Recado-Console`.
         */
        post: operations["signInByPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Sets the password of a person, ends a second factor, an account of the identity provider and all sessions of before, and signs in. Needs no credential, but the header `X-Recado-Console`.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in at the identity provider
         * @description Tells where to send the browser, and gives it a cookie without which the answer is of no use. With an invitation, the account that is chosen there takes the place of everything that signed the person in before. Needs no credential, but the header `X-Recado-Console`.
         */
        post: operations["beginOidcSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/oidc/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand over the answer of the identity provider
         * @description The query with which the provider sent the browser back. It works once, within ten minutes, in the browser that began. What was begun is then done: the person is signed in, has accepted the invitation, has connected the account, or has shown again who it is. Needs no credential, but the header `X-Recado-Console`.
         */
        post: operations["answerOidc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the password again
         * @description The session may then do, for ten minutes, what asks for the password (`password_needed`).
         */
        post: operations["confirmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/confirmation/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to show again who it is, at the identity provider
         * @description For people without a password. The provider asks again who the person is; with its answer the session may do, for ten minutes, what asks for the password.
         */
        post: operations["confirmSessionByOidc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the own account
         * @description Of a person who signed in. The admin token and sessions by a link have none (`no_account`).
         */
        get: operations["getOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the own password
         * @description Ends the person's other sessions.
         */
        put: operations["changeOwnPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to connect an account of the identity provider
         * @description With the provider's answer, the person can sign in there. An account that was connected before is replaced.
         */
        post: operations["linkOidc"];
        /**
         * Disconnect the account of the identity provider
         * @description The person signs in by password only. Refused without a password (`oidc_only_way`).
         */
        delete: operations["unlinkOidc"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Confirm the second factor
         * @description Returns recovery codes, which are shown only this once. Each signs in once, instead of a code of the app.
         */
        put: operations["confirmTotp"];
        /**
         * Begin a second factor
         * @description Returns a secret for an authenticator app (TOTP). It counts once a code of it was shown.
         */
        post: operations["enrolTotp"];
        /**
         * Remove the second factor
         * @description The password alone signs in then.
         */
        delete: operations["removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the own sessions
         * @description Those that have not ended, newest first.
         */
        get: operations["listOwnSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/sessions/{session_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End an own session
         * @description That browser has to sign in again.
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is signed in
         * @description The sessions that have not ended, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description The person has to sign in again.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List companies
         * @description All tenants, oldest first.
         */
        get: operations["listCompanies"];
        put?: never;
        /**
         * Create a company
         * @description A new tenant.
         */
        post: operations["createCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a company
         * @description One tenant.
         */
        get: operations["getCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/marketing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch marketing on or off, or change its caps
         * @description Takes effect from the next send on, also for messages that already wait.
         */
        patch: operations["changeMarketing"];
        trace?: never;
    };
    "/companies/{company_uuid}/opt-out-words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose the words that stop and resume marketing
         * @description A customer stops or resumes marketing by a message that consists of one of these words alone. Case and accents do not matter. The words apply beside the built-in PARAR, STOP, VOLTAR and START. A list that is left out stays as it is. For a word in both lists, stopping wins.
         */
        patch: operations["changeOptOutWords"];
        trace?: never;
    };
    "/companies/{company_uuid}/person-words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose the words that ask for a person
         * @description A customer in a flow is handed over to people by a message that consists of one of these words alone. Case and accents do not matter. The words apply beside the built-in ones: ATENDENTE, HUMANO, FALAR COM UMA PESSOA and similar ones. The list replaces the previous one.
         */
        patch: operations["changePersonWords"];
        trace?: never;
    };
    "/companies/{company_uuid}/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose whether viewers may reveal customers
         * @description People with the role viewer see phones, e-mails and texts of customers masked. Where the company allows it, they may reveal those of one thing for ten minutes, for a reason that is recorded (`POST /companies/{company_uuid}/reveals`). It holds from the next call; what was revealed before stays shown until its time is over.
         */
        patch: operations["changePrivacy"];
        trace?: never;
    };
    "/companies/{company_uuid}/reveals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reveal the customers' data of one thing
         * @description For people with the role viewer, in their session: for ten minutes, the calls that read this thing (`x-recado-reveals`) answer unmasked. Everything else stays masked, also lists and searches with the same thing in them. The history has who, what, when and why before anything is shown (`PersonalDataRevealed`). The company must have allowed it (`revealing_off`). At most 20 things an hour and 60 a day (`reveals_exhausted`). Other roles and the admin token see nothing masked, so there is nothing to reveal (`nothing_masked`).
         */
        post: operations["revealPersonalData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changes, live
         * @description Server-sent events for pages that stay open. Each `change` has the kind of a thing and its uuid, and nothing of its content; `uuid` is null where many of the kind changed. Continues after `Last-Event-ID`. A comment comes every 15 seconds. Ends with the session. Leaves out deliveries of other processes. Sends a change once read models show it, or after two seconds, and then again when they do. A page that names itself (`page`) may say which conversation it has open (`PUT /companies/{company_uuid}/presence`). `presence` then tells it which other people have that open, and who of them types; `member_uuid` is null for an operator.
         */
        get: operations["streamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say what a page has open
         * @description For a page with an open stream (`GET /companies/{company_uuid}/live`): others who have the same conversation open hear of it by theirs, until this stream ends or the page says otherwise. Nothing of it is stored. `shown` is false where the stream is over, or of another process of the API.
         */
        put: operations["tellPresence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description Systems connected to the company.
         */
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Create an integration
         * @description The webhook secret is returned in this answer only.
         */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{integration_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an integration
         * @description One integration, without secrets.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch the events feed on or off
         * @description With the feed on, every event is kept for `GET /api/v1/events` for the days of the delivery log. An integration with a webhook endpoint keeps its events in any case.
         */
        patch: operations["changeIntegration"];
        trace?: never;
    };
    "/integrations/{integration_uuid}/webhook-secret/rotate": {
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
         * @description Deliveries carry signatures by both secrets during the grace period. Every earlier secret stays valid until its own grace period ends; while three are, only `grace_seconds` 0 is possible, which drops all of them. The body may be left out.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{integration_uuid}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Newest first, revoked keys included.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is returned in this answer only.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{integration_uuid}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Takes effect at once; the key stays listed.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/{integration_uuid}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Endpoints of the integration.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The endpoint receives events from now on. With `from` or `from_sequence` it also gets the events since then, each
         *     once, in the background: `GET /webhooks/{endpoint_uuid}/replays` shows the progress.
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
         * @description One endpoint.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Pending deliveries to it are discarded; past ones stay listed.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Omitted fields keep their value.
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
         * @description Delivers a `webhook.test` event to this endpoint, regardless of its event types.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{endpoint_uuid}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a part of the history to an endpoint
         * @description Queues a delivery to this endpoint for every event in a range of the history that the endpoint's event types include. An event may be delivered again or for the first time. Events keep their ids, so receivers can recognise events they have; each delivery has an id of its own. One request handles one piece, some hundred events. Repeat it with `from` set to `position` and `to` set to `up_to` until `done`. A piece that is repeated with the same `replay_uuid` queues nothing twice. The replay leaves out events whose delivery to the endpoint is in progress, and events about people who were erased.
         */
        post: operations["replayWebhooks"];
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
         */
        get: operations["listWebhookReplays"];
        put?: never;
        /**
         * Replay a part of the history
         * @description Delivers the events of a range to this endpoint again, in the background. The endpoint's event types apply. Events keep
         *     their ids, so a receiver can recognise those that it has. Live events do not wait: the deliveries leave at the pace that
         *     you set, and pause while the endpoint is behind. `dry_run` only counts. The range can begin as far back as deliveries
         *     are kept (30 days by default).
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
         */
        post: operations["redeliverFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description WhatsApp numbers of the company.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Connect a channel
         * @description Registers a WhatsApp number. Check it with `POST /channels/{channel_uuid}/check`, then import its templates.
         */
        post: operations["connectChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/{channel_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a channel
         * @description One channel, without its token.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Disconnect a channel
         * @description Nothing can be sent from it any more; its history stays.
         */
        delete: operations["disconnectChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/{channel_uuid}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the access token
         * @description Takes effect with the next send.
         */
        put: operations["replaceChannelToken"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/{channel_uuid}/sending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the send controls of a channel
         * @description Stopped kinds of messages, the pace, and the number of messages that wait.
         */
        get: operations["getSending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Stop, resume or slow down a channel's sends
         * @description Takes effect within about a second. Stopped messages wait; a message fails once its pacing window is over.
         */
        patch: operations["changeSending"];
        trace?: never;
    };
    "/channels/{channel_uuid}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask WhatsApp about the number
         * @description Reads the phone number from WhatsApp and records name, number, quality and state.
         */
        post: operations["checkChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/{channel_uuid}/templates/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a template sync
         * @description Progress of the latest sync of the channel's business account.
         */
        get: operations["getTemplateSync"];
        put?: never;
        /**
         * Import templates from WhatsApp
         * @description Reads all templates of the business account; unchanged ones write nothing. A sync that was interrupted is continued. An account has one sync at a time.
         */
        post: operations["syncTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Templates of the company, in every review state.
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
    "/companies/{company_uuid}/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List flows
         * @description Flows of a company, newest first.
         */
        get: operations["listFlows"];
        put?: never;
        /**
         * Create a flow
         * @description Creates a flow as a draft. The request may include a definition.
         */
        post: operations["createFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a definition
         * @description Returns every problem of the definition, without storing it.
         */
        post: operations["checkFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/rehearse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rehearse a definition
         * @description Plays a definition through without sending anything. The result lists the messages, questions and actions of the flow, and the place where it waits. `inputs` are the events at the blocks that wait for somebody, in order; add one and call again. Waits for a time pass at once.
         */
        post: operations["rehearseFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the schema of definitions
         * @description JSON Schema of a flow definition.
         */
        get: operations["getFlowSchema"];
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
         * @description A flow, and the problems of its draft.
         */
        get: operations["getFlow"];
        put?: never;
        post?: never;
        /**
         * Delete a flow
         * @description The flow cannot be started any more. Executions in progress continue with their version.
         */
        delete: operations["deleteFlow"];
        options?: never;
        head?: never;
        /**
         * Rename a flow
         * @description Changes the name of the flow.
         */
        patch: operations["renameFlow"];
        trace?: never;
    };
    "/flows/{flow_uuid}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save the draft
         * @description Replaces the draft; the published version stays as it is. A draft may have problems, which are returned. A definition without the right shape answers `flow_invalid`.
         */
        put: operations["saveFlowDraft"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the draft
         * @description Makes the draft the next version, which never changes again. Executions in progress keep their version. Problems of severity `error` answer 422 `flow_invalid` with `details.problems`. Publishing a draft that equals the published version changes nothing.
         */
        post: operations["publishFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpublish the flow
         * @description The flow cannot be started any more. Executions in progress continue.
         */
        post: operations["unpublishFlow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a definition
         * @description The draft, or a version as it was published.
         */
        get: operations["exportFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions
         * @description The changes, block by block.
         */
        get: operations["diffFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flows/{flow_uuid}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a version
         * @description A Mermaid flowchart.
         */
        get: operations["renderFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List executions of flows
         * @description Newest first. Values are masked.
         */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{execution_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an execution
         * @description One execution, with its newest fifty steps.
         */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{execution_uuid}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the steps of an execution
         * @description Every recorded step of the execution, oldest first.
         */
        get: operations["listExecutionSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{execution_uuid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description The execution ends at its current block. An execution that has ended stays as it is.
         */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{execution_uuid}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a parked execution
         * @description Retries the action at which the execution was parked. An execution that is not parked stays as it is; one that has ended answers 422 `execution_ended`.
         */
        post: operations["resumeExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operations
         * @description Newest first.
         */
        get: operations["listOperations"];
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
         * Read an operation with its timeline
         * @description Every event of the operation, oldest first, with personal data masked.
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
    "/companies/{company_uuid}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Most recently active first, each with its last message. Where several filters are given, a page may have fewer conversations than `limit`; `next_cursor` continues the search.
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
         * @description One conversation, with contact, channel, assignment and counters.
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
    "/conversations/{conversation_uuid}/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a conversation as pending
         * @description The conversation waits for the customer, whose next message opens it.
         */
        post: operations["markConversationPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Assign a conversation
         * @description Fields that are left out stay as they are; null removes the assignment.
         */
        put: operations["assignConversation"];
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
         * @description Messages and notes, newest first. To poll for new ones, use `order=recorded`.
         */
        get: operations["listConversationMessages"];
        put?: never;
        /**
         * Send a message in a conversation
         * @description Answers a customer. Asynchronous: answers 202 with an operation of type `message.send`, as `POST /messages` of the public API does. The same gates and the same pace hold. A text, a file or a question reaches the customer only within 24 hours of their last message; a template at any time. A retry with the same `Idempotency-Key` and the same request returns the original operation and does not send twice.
         */
        post: operations["sendConversationMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for a message
         * @description Hands a file to WhatsApp, to send it with `upload_uuid` in this conversation or another one of its channel. The body is the file itself, `Content-Type` its type. WhatsApp takes: image, JPEG or PNG up to 5 MB; video, MP4 or 3GP up to 16 MB; audio, OGG (Opus), MP3, M4A, AAC or AMR up to 16 MB; document, PDF, plain text, CSV, Office or ZIP up to 100 MB. The same file for the same channel is uploaded once, so a call may be repeated.
         */
        post: operations["uploadConversationMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sent messages
         * @description Messages that integrations, flows and operators sent, newest first, also those that still wait or never left. As `GET /messages` of the public API, for the whole company.
         */
        get: operations["listCompanyMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/messages/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refused calls
         * @description Calls of `POST /messages` that a gate refused, newest first, with what the gate saw.
         */
        get: operations["listCompanyRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/messages/{message_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One message and what happened to it
         * @description The message, and in `timeline` everything that is known of it, oldest first: when it was accepted, the gates it passed or was refused by, waits, attempts with WhatsApp's answer, statuses, and the deliveries of its webhooks. Also takes the uuid of the operation that sends the message.
         */
        get: operations["getCompanyMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a note
         * @description A note for the team. It is never sent to the customer and triggers no webhook.
         */
        post: operations["writeNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/saved-replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved replies
         * @description Texts that the team answers customers with, by short cut.
         */
        get: operations["listSavedReplies"];
        put?: never;
        /**
         * Save a reply
         * @description The text may have `{{contact.name}}` and `{{contact.first_name}}`, each with what stands there for who has no name: `{{contact.first_name|tudo bem}}`. The console fills them in before a person sends the text. A short cut belongs to one reply (`short_cut_taken`), and a company has at most 200 of them (`saved_replies_full`).
         */
        post: operations["addSavedReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/saved-replies/{reply_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a saved reply
         * @description Messages that were sent with it stay as they are.
         */
        delete: operations["removeSavedReply"];
        options?: never;
        head?: never;
        /**
         * Change a saved reply
         * @description Fields that are left out keep their values. Messages that were sent with it stay as they are.
         */
        patch: operations["changeSavedReply"];
        trace?: never;
    };
    "/companies/{company_uuid}/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents and groups
         * @description Agents and groups that conversations can be assigned to, oldest first.
         */
        get: operations["listTeam"];
        put?: never;
        /**
         * Add an agent or a group
         * @description A company can have at most 1,000 (`team_full`).
         */
        post: operations["addTeamMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/team/{member_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an agent or a group
         * @description Conversations can no longer be assigned to it. Existing assignments stay until they are changed.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        /**
         * Rename an agent or a group
         * @description Conversations show the new name.
         */
        patch: operations["renameTeamMember"];
        trace?: never;
    };
    "/companies/{company_uuid}/team/{member_uuid}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a person sign in
         * @description Answers the token of an invitation: it works once, for 24 hours. Put it behind `/console#invitation=`. The same call again makes a new one, which resets a forgotten password. A person has one e-mail, and an e-mail one person (`email_taken`). The last owner of a company keeps the role (`last_owner`).
         */
        post: operations["grantTeamAccess"];
        /**
         * Let a person no longer sign in
         * @description Ends the person's sessions at once. The person stays in the team.
         */
        delete: operations["revokeTeamAccess"];
        options?: never;
        head?: never;
        /**
         * Change a person's role
         * @description It holds from the person's next call.
         */
        patch: operations["changeTeamRole"];
        trace?: never;
    };
    "/conversations/{conversation_uuid}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a conversation
         * @description A conversation that is resolved stays as it is.
         */
        post: operations["resolveConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a conversation
         * @description A conversation that is open stays as it is.
         */
        post: operations["reopenConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a conversation over from a flow
         * @description The flow in charge ends (`handed_off`, with the reason `taken_over`), and the conversation is open. Until somebody resolves it, no message of the customer starts a flow.
         */
        post: operations["takeOverConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened in a conversation
         * @description What flows and people did between the messages, newest first: assignments, states, flows that began, waited and ended, and steps of the customer's orders. A page has the waits of the flows that begin on it besides.
         */
        get: operations["listConversationSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{conversation_uuid}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a conversation as read
         * @description Sets `unread_count` to zero.
         */
        post: operations["markReadConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Contacts of the company, newest first.
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
    "/companies/{company_uuid}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a thing
         * @description What a text names in the company: a person by name, e-mail address, tag or phone; anything by its UUID; an order by its number; a sent message by its `Idempotency-Key` or by WhatsApp's id. Exact matches come first, then at most ten people. The list is empty when nothing matches.
         */
        get: operations["findAnything"];
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
         */
        patch: operations["changeContact"];
        trace?: never;
    };
    "/contacts/{contact_uuid}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person
         * @description Destroys the keys under which the person's data is stored, and removes the data from the read models. It cannot be undone. Repeating it does no harm. The body may be left out. The erasure ends seconds later, when no store holds anything of the person; `GET /erasures/{erasure_uuid}` reports it. It continues by itself after a crash.
         */
        post: operations["eraseContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contact_uuid}/marketing-choices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a contact chose about marketing
         * @description Each time that marketing to the person was stopped or allowed again, newest first, with the message that is the evidence. Contacts that were merged into this one are included.
         */
        get: operations["listMarketingChoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contact_uuid}/opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop marketing to a contact
         * @description Manual suppression. Repeating it does no harm.
         */
        post: operations["optOutContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contact_uuid}/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allow marketing to a contact again
         * @description Reverts an opt-out, regardless of its origin. Repeating it does no harm.
         */
        post: operations["optInContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contact_uuid}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge two contacts
         * @description Merges two contacts of one company into one. The older contact remains and takes over the details that it lacks. Both uuids lead to it from then on, and the conversations of both stay. It cannot be undone. Repeating it does no harm.
         */
        post: operations["mergeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts
         * @description Creates or changes one contact for each row, found by its external id or its phone. Each row gets its own result; invalid rows do not affect the others. Repeating the same rows changes nothing. With `preview` nothing is changed at all.
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the store
         * @description Settings and counts, also when the plan does not include the storefront.
         */
        get: operations["getCompanyStore"];
        put?: never;
        /**
         * Open the store
         * @description Opens a store for the company, in status `setup` unless the request gives another one. Name and slug are derived
         *     from the company's name if they are left out. A company has one store: opening it again changes nothing and
         *     answers 200 with the existing store.
         */
        post: operations["openCompanyStore"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings of the store
         * @description Fields that are left out stay as they are. `active` needs a way to get the goods (`delivery` or `pickup`) and a
         *     payment method. The payment method `pix` needs the Pix key. Otherwise the answer is `store_not_ready` with
         *     `details.missing`. Previous slugs still lead to the store.
         */
        patch: operations["changeCompanyStore"];
        trace?: never;
    };
    "/companies/{company_uuid}/store/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add the storefront to the plan, or remove it
         * @description A plan with the storefront includes a store: a company without a store gets one in status `setup`. Without the
         *     storefront, every store route of the public API answers `storefront_not_allowed`, and the page is not served. No
         *     data is lost.
         */
        put: operations["changeCompanyStorePlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description The whole tree from the top, each category before its children.
         */
        get: operations["listCompanyStoreCategories"];
        put?: never;
        /**
         * Create a category
         * @description A tree has at most three levels (`category_too_deep`) and 500 categories (`category_limit_reached`). A slug that
         *     is left out is derived from the name; a slug that is in use answers `category_slug_taken`.
         */
        post: operations["createStoreCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/categories/{category_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a category
         * @description Its products stay, without a category. A category with subcategories answers `category_has_children`.
         */
        delete: operations["removeStoreCategory"];
        options?: never;
        head?: never;
        /**
         * Change or move a category
         * @description Fields that are left out stay as they are. A category that moves takes its subcategories along, and its new siblings make room for it.
         */
        patch: operations["changeStoreCategory"];
        trace?: never;
    };
    "/companies/{company_uuid}/store/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a picture for a product
         * @description The body is the picture itself: JPEG, PNG, WebP or GIF, up to 10 MiB (10,485,760 bytes) and 25 million pixels; its first bytes decide, not `Content-Type`. It is encoded anew from its pixels, upright: places, cameras and all else that was in the file are gone. Put the `url` of the answer into `image_urls` of a product, or `image_url` of a variant, within an hour. Only this company can use it, and it is served to nobody before a product shows it. The same picture again has the same `url`, and is kept for another hour. What is no picture is `product_image_invalid`, with a `reason`: `empty`, `format`, `pixels`, or `damaged`.
         */
        post: operations["uploadStoreImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Newest first. With `query`, only the products that a search finds, as in the public API.
         *     A page that `stock_at_most` filters may be short or empty, and still have a `next_cursor`.
         */
        get: operations["listCompanyStoreProducts"];
        put?: never;
        /**
         * Create a product
         * @description As `POST /store/products` of the public API. With an `Idempotency-Key` a retry makes no second product.
         */
        post: operations["createCompanyStoreProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/products/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import products
         * @description Accepts up to 100 products in the form of `POST /store/products/batch` of the public API. A product is created,
         *     or updated if the store has its `import_handle`. Each product gets its own result. With `preview` nothing is
         *     changed, no picture is fetched, and the results show no product. The body may have up to 8 MiB (8,388,608 bytes)
         *     and 150,000 values.
         */
        post: operations["importStoreProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/products/{product_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a product
         * @description One product, as in the public API.
         */
        get: operations["getCompanyStoreProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a product
         * @description Deletes the product for good, with its variants and pictures. Orders keep their record of it.
         */
        delete: operations["deleteCompanyStoreProduct"];
        options?: never;
        head?: never;
        /**
         * Change a product
         * @description As `PATCH /store/products/{product_uuid}` of the public API. Fields left out are preserved.
         */
        patch: operations["changeCompanyStoreProduct"];
        trace?: never;
    };
    "/companies/{company_uuid}/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Newest first, as in the public API.
         */
        get: operations["listCompanyOrders"];
        put?: never;
        /**
         * Place an order
         * @description For a customer who ordered elsewhere, at the store's current prices. The order takes its stock
         *     (`insufficient_stock`); a product that is not for sale answers `product_unavailable`, with the `reason` of each
         *     of `details.items`: `product_not_found`, `product_inactive`, `variant_required`, `variant_not_found` or
         *     `variant_inactive`. A repeated call with the same `uuid` returns the same order. Another order under that `uuid`
         *     answers 409 `order_uuid_reused`.
         */
        post: operations["placeCompanyOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/orders/{order_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an order
         * @description One order, as in the public API.
         */
        get: operations["getCompanyOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{company_uuid}/store/orders/{order_uuid}/status": {
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
         * @description novo → confirmado → pago → entregue; `cancelado` from novo, confirmado and pago. Cancelling returns the stock.
         *     Any other move answers `invalid_status_transition`.
         */
        post: operations["moveCompanyOrder"];
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
         * List webhook deliveries
         * @description Newest first. With `event_type`, `created_from` or `created_before`, a page can hold fewer deliveries than `limit`,
         *     or none, although more follow: read on until `next_cursor` is null.
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
         * Read a delivery with its attempts
         * @description The calls to the endpoint, and their responses; with `body=true` also what was sent.
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
         * @description Queues a new delivery of the same bytes to the same endpoint, with an id of its own.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what
         * @description What people decided, and all that changes who may what, newest first: sign-ins and failed ones, access, keys, settings, erasures, reveals, and what people did with contacts, conversations, orders, products and flows. What leaves no other event, such as a backup, a rebuild or an export, is there as `UpkeepRequested`: it was asked for, with the `operation` of this API and the parameters of its path in `details`. Names are those of now. Filters are answered by an index, so a page costs the same in a long history.
         */
        get: operations["listAudit"];
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
         * Read the event history
         * @description Oldest first, or newest first with `order=desc`, with personal data masked, and with data in the shape of the current version of its type. Positions are opaque and stable: `after` continues exactly where a page ended. A call examines at most 5,000 events: with a filter, a page can be empty although more pages follow. `to` with `order=desc&limit=1` shows the event at a position.
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
    "/events/range": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve a range of the history
         * @description Resolves times to positions, and the end of the history to its current position. Two adjacent ranges share no event and leave none out.
         */
        get: operations["getEventRange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the event history
         * @description One event per line, in the shape of `GET /events`, oldest first, as fast as the caller reads. The last line is `{"end": {"events": n, "position": "…"}}`. An answer without that line was cut off; resume it with `from` set to the position of its last whole line. If the server knows why it cannot continue, the last line is an error, `{"error": {"code", "message", "details", "request_id"}}`. `unavailable` is temporary; `history_damaged` names the event.
         */
        get: operations["exportEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/export/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sealed keys
         * @description The keys that seal personal fields, themselves sealed under the master key, for an exact export. Destroyed keys are listed without their value.
         */
        get: operations["listSealedKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/export/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove the master key
         * @description A text that only the same master key can open, for the manifest of an exact export.
         */
        get: operations["getMasterKeyProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an import
         * @description Begins the import of an exact export into a system that has no event yet and was started with HISTORY_IMPORT=on. An import that was begun with the same export is continued.
         */
        post: operations["beginHistoryImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/import/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import sealed keys
         * @description Import the keys before the events that are sealed under them. Repeating it changes nothing.
         */
        post: operations["importSealedKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/import/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import events
         * @description Lines of an exact export, in their order. Events that are already imported are skipped.
         */
        post: operations["importEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/import/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an import
         * @description Call it once the whole export is imported. Then start the server without HISTORY_IMPORT.
         */
        post: operations["completeHistoryImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Every type with its fields, its current schema version and when it is recorded.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projections
         * @description Read models with position, lag and last error.
         */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/rebuilds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rebuild jobs
         * @description Rebuilds, flips and drops, newest first; the last fifty.
         */
        get: operations["listRebuilds"];
        put?: never;
        /**
         * Rebuild projections
         * @description Builds a new generation of each projection from the whole history, in one pass, beside the live one. Then it compares the two, and flips (switches over). GETs read the live generation until the flip. The previous one is kept current until it is dropped. The job runs in the background, where projections run, and resumes after a restart.
         */
        post: operations["startRebuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/rebuilds/{rebuild_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a rebuild job
         * @description Progress of the job, and the result of the comparison.
         */
        get: operations["getRebuild"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/rebuilds/{rebuild_uuid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a rebuild
         * @description The generations that the job built are removed. A projection that was already flipped stays flipped.
         */
        post: operations["cancelRebuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/rebuilds/{rebuild_uuid}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept differences
         * @description For a rebuild that waits with status `differs`: flips to the new generations in spite of the differences.
         */
        post: operations["acceptRebuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a projection
         * @description Progress of the projection, the event that stops it, and its skipped events.
         */
        get: operations["getProjection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/{name}/skips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip an event
         * @description Skips the event that stops the projection, and records the skip. The projection continues after that event within seconds, and every rebuild leaves the event out as well. Only the event that stops the projection can be skipped.
         */
        post: operations["skipProjectionEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/{name}/generations/{generation}/flip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Flip to a kept generation
         * @description Usually a flip back: GETs read this generation from then on. It was kept current.
         */
        post: operations["flipProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/{name}/generations/{generation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Drop a kept generation
         * @description Removes its documents. Where several processes run, they first get some seconds to stop using it.
         */
        delete: operations["dropProjectionGeneration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projections/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Drop a version of another release
         * @description Removes every copy of the version, with its documents. A release that uses the version fills it anew from the history.
         */
        delete: operations["dropProjectionVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intake/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List parked provider webhooks
         * @description Webhooks that could not be understood, newest first. No inbound webhook is dropped.
         */
        get: operations["listParkedIntake"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/intake/parked/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a parked webhook
         * @description One parked webhook, with its raw body.
         */
        get: operations["getParkedIntake"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures
         * @description Persons who were erased or are being erased, newest first. An erasure continues by itself, also after a crash, until no store holds anything of the person.
         */
        get: operations["listErasures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures/{erasure_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an erasure
         * @description Progress of the erasure, and the reasons for its wait.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/held-work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List held work
         * @description Work that was due or in progress when the restored copy was taken. It may have been done after that, so it waits until it is released or ended. Oldest first.
         */
        get: operations["listHeldWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/held-work/{held_uuid}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release held work
         * @description The work is done as if it came due now; a message gets a pacing window of its own. A recipient that was reached before the restore is reached again.
         */
        post: operations["releaseHeldWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/held-work/{held_uuid}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End held work
         * @description A message fails with `send_outcome_unknown`, and so does a flow. A webhook delivery stays failed and can be redelivered. An order that was not paid in time stays and holds its stock without end. A reaction to an event is parked and can be retried.
         */
        post: operations["endHeldWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/held-work/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the oldest held work
         * @description At most 100 at once; repeat the call until no held work is left.
         */
        post: operations["releaseOldestHeldWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/held-work/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the oldest held work
         * @description At most 100 at once; repeat the call until no held work is left.
         */
        post: operations["endOldestHeldWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/parked-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List parked work
         * @description Work that a worker could not do after many tries, newest first. It is kept until it is retried.
         */
        get: operations["listParkedMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/parked-messages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry parked work
         * @description Runs the work from the start, soon. It leaves the list, and returns to it if it fails again.
         */
        post: operations["retryParkedMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-gaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List gaps in the events feeds
         * @description Events that could not be added to the events feed of an integration, oldest first. The feed ends before them. They are tried again twice a minute.
         */
        get: operations["listEventGaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-gaps/{gap_uuid}/leave-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an event out of the events feed
         * @description The feed continues. The event appears in it with empty `data`, for good; if its type is not known, it does not appear. An event that was added meanwhile stays as it is.
         */
        post: operations["leaveOutEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{message_uuid}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch the file of a message from WhatsApp again
         * @description For a file whose `media_status` is `failed`. WhatsApp keeps files for seven days. A file that is stored or being fetched stays as it is.
         */
        post: operations["requestMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{message_uuid}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Picture of a message, made anew
         * @description The image or sticker of a message, encoded anew from its pixels and at most 800 pixels wide: the only form in which a page shows what strangers sent. 404 where the message has no picture, or the file can't be decoded.
         */
        get: operations["getMessagePicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{message_uuid}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * File of a message
         * @description The file as it was sent, as a download under a safe name. The type is the one that its first bytes prove, else `application/octet-stream`. One range of bytes is answered with 206. `content.url` of a message is the same file for services without a session.
         */
        get: operations["getMessageFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the sandbox
         * @description States whether the built-in WhatsApp sandbox runs, and which channels use it.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a customer's message
         * @description The sandbox sends the message to the service as WhatsApp would, by a signed webhook.
         */
        post: operations["playSandboxReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/plays/{play}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play something in the sandbox
         * @description Plays an action of customers, WhatsApp or the network. The name is one of `message`, `tap`, `preference`, `identity`, `echo`, `history`, `number`, `template`, `fault`, `clear-faults`, `webhooks`, `webhook`, `calls`, `info`. docs/sandbox.md lists the fields of each; invalid fields answer `validation_failed`. `channel_uuid` may be given instead of `phone_number_id`.
         */
        post: operations["playSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backups
         * @description Backups that this process has made or is making, and those in its backup folder, newest first.
         */
        get: operations["listBackups"];
        put?: never;
        /**
         * Make a backup
         * @description Copies the embedded store while it runs, and reads the whole copy back. Only then does the copy get its name. Images and media are included, the master key is not. One backup runs at a time. With EventStoreDB, MongoDB and Kafka the call is refused (`backup_not_embedded`), because those have their own tools.
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups/{backup_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a backup
         * @description State of the backup. A process forgets its backups when it ends; finished backups are found by their files.
         */
        get: operations["getBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check this process and its work
         * @description Checks servers, read models, workers, parked work, webhook endpoints, channels, the provider, durability, disk, backups and clocks. Each finding recommends an action. The check only reads; it asks the provider about up to three channels.
         */
        get: operations["examine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of this process
         * @description Version, roles, positions and counts. It also answers while a server is unavailable: `parts` names the server and the reason. Facts that only that server knows are null.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
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
        /** @description The data of Pix codes. Null for a store that does not accept Pix. */
        StorePix: {
            /** @description Validated by its type. CPF and CNPJ may have punctuation; phones start with +55. */
            key: string;
            /** @enum {string} */
            key_type: "cpf" | "cnpj" | "phone" | "email" | "random";
            merchant_name: string;
            merchant_city: string;
        } | null;
        /** @description Place of pickup; null when orders cannot be picked up. */
        StorePickup: {
            location: string;
        } | null;
        /**
         * @description Time for which an unpaid order keeps its stock, by payment method. `not_chosen` is for orders without a method,
         *     such as WhatsApp carts. When the time is over, Recado cancels the order (`novo` or `confirmado` only) and
         *     returns its stock. A write names only the methods that it changes. The time applies to orders placed from then
         *     on; `null` also exempts orders that already wait.
         */
        StoreHoldMinutes: {
            pix?: components["schemas"]["StoreHoldTime"];
            card?: components["schemas"]["StoreHoldTime"];
            cash?: components["schemas"]["StoreHoldTime"];
            payment_link?: components["schemas"]["StoreHoldTime"];
            other?: components["schemas"]["StoreHoldTime"];
            not_chosen?: components["schemas"]["StoreHoldTime"];
        };
        /**
         * Format: int32
         * @description Minutes; null means no time limit. A new store has 1440 (24 hours) for `pix` and null for the others.
         */
        StoreHoldTime: number | null;
        /**
         * Format: int32
         * @description Maximum units of one product, all its variants together, in one order from the store page or one WhatsApp cart
         *     (`unit_limit_exceeded`). Null means no limit. Orders that the shop enters itself have no limit.
         */
        StoreMaxProductUnits: number | null;
        /**
         * Format: int32
         * @description Maximum unpaid orders (`novo`, `confirmado`) of one contact at a time, from the store page and WhatsApp carts
         *     (`unpaid_order_limit_reached`). Orders that are paid on delivery count too. Null means no limit. Orders that the
         *     shop enters itself are neither limited nor counted.
         */
        StoreMaxUnpaidOrders: number | null;
        /** @description Prefixes of the CEPs (postal codes) that the store delivers to, 1 to 8 digits. An empty list means everywhere. */
        StoreZipPrefixes: string[];
        /** @description Delivery of orders; null when the store does not deliver. */
        StoreDelivery: {
            fee: components["schemas"]["StoreMoney"];
            free_from: components["schemas"]["StoreNullableMoney"];
            zip_prefixes: components["schemas"]["StoreZipPrefixes"];
        } | null;
        /** @description Delivery of orders, replaced as a whole; null when the store does not deliver. */
        StoreDeliveryWrite: {
            fee: components["schemas"]["StoreMoneyWrite"];
            free_from?: components["schemas"]["StoreNullableMoneyWrite"];
            zip_prefixes?: components["schemas"]["StoreZipPrefixes"];
        } | null;
        /** @description Amount in BRL. */
        StoreMoney: string;
        /** @description Amount in BRL. */
        StoreNullableMoney: string | null;
        /** @description Amount in BRL, as text with a point and at most two decimals (`"12.50"`) or as a number. */
        StoreMoneyWrite: string | number;
        /** @description Amount in BRL, as text with a point and at most two decimals (`"12.50"`) or as a number. */
        StoreNullableMoneyWrite: string | number | null;
        /** @description The payment methods, in the order in which the page offers them. */
        StorePaymentMethods: ("pix" | "card" | "cash" | "payment_link" | "other")[];
        /**
         * @description `active`: the page sells. `paused`: the page is visible but does not sell. `setup`: the page does not exist yet.
         * @enum {string}
         */
        StoreStatus: "active" | "paused" | "setup";
        /**
         * @description Language of the page.
         * @enum {string}
         */
        StoreLocale: "pt-BR" | "en";
        StoreText: string | null;
        /** @description A company's store. */
        StoreSettings: {
            uuid: components["schemas"]["Uuid"];
            company_uuid: components["schemas"]["Uuid"];
            /** @description Whether the company's plan has the storefront. */
            allowed: boolean;
            name: string;
            slug: string;
            status: components["schemas"]["StoreStatus"];
            public_url: components["schemas"]["StoreText"];
            description: components["schemas"]["StoreText"];
            whatsapp_phone: components["schemas"]["StoreText"];
            channel_uuid: components["schemas"]["NullableUuid"];
            locale: components["schemas"]["StoreLocale"];
            pix: components["schemas"]["StorePix"];
            payment_methods: components["schemas"]["StorePaymentMethods"];
            delivery: components["schemas"]["StoreDelivery"];
            pickup: components["schemas"]["StorePickup"];
            hold_minutes: components["schemas"]["StoreHoldMinutes"];
            max_product_units_per_order: components["schemas"]["StoreMaxProductUnits"];
            max_unpaid_orders_per_contact: components["schemas"]["StoreMaxUnpaidOrders"];
            product_count: components["schemas"]["StoreCount"];
            active_product_count: components["schemas"]["StoreCount"];
            order_count: components["schemas"]["StoreCount"];
            orders_by_status: {
                novo: components["schemas"]["StoreCount"];
                confirmado: components["schemas"]["StoreCount"];
                pago: components["schemas"]["StoreCount"];
                entregue: components["schemas"]["StoreCount"];
                cancelado: components["schemas"]["StoreCount"];
            };
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** Format: int32 */
        StoreCount: number;
        /** @description Fields that are left out stay as they are, or get their default in a new store. */
        StoreSettingsWrite: {
            name?: string;
            /** @description Lower-case letters, digits and single dashes; unique in the deployment. */
            slug?: string;
            status?: components["schemas"]["StoreStatus"];
            description?: components["schemas"]["StoreText"];
            /** @description International format with a leading `+`. */
            whatsapp_phone?: string | null;
            channel_uuid?: components["schemas"]["NullableUuid"];
            locale?: components["schemas"]["StoreLocale"];
            pix?: components["schemas"]["StorePix"];
            payment_methods?: components["schemas"]["StorePaymentMethods"];
            delivery?: components["schemas"]["StoreDeliveryWrite"];
            pickup?: components["schemas"]["StorePickup"];
            hold_minutes?: components["schemas"]["StoreHoldMinutes"];
            max_product_units_per_order?: components["schemas"]["StoreMaxProductUnits"];
            max_unpaid_orders_per_contact?: components["schemas"]["StoreMaxUnpaidOrders"];
        };
        /** @description Whether the plan has the storefront. */
        StorePlanWrite: {
            allowed: boolean;
        };
        /** @description A category; `product_count` counts the products directly in it. */
        StoreCategory: {
            uuid: components["schemas"]["Uuid"];
            name: string;
            slug: string;
            parent_uuid: components["schemas"]["NullableUuid"];
            /**
             * Format: int32
             * @description Place among the categories of the same parent.
             */
            position: number;
            product_count: components["schemas"]["StoreCount"];
            active: boolean;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A new category. */
        StoreCategoryCreate: {
            name: string;
            slug?: string;
            parent_uuid?: components["schemas"]["NullableUuid"];
            /**
             * Format: int32
             * @description The last position when left out.
             */
            position?: number;
            active?: boolean;
        };
        /** @description Fields that are left out stay as they are. */
        StoreCategoryPatch: {
            name?: string;
            slug?: string;
            parent_uuid?: components["schemas"]["NullableUuid"];
            /** Format: int32 */
            position?: number;
            active?: boolean;
        };
        /** @description A product with all the fields of `StoreProduct` in the public contract. */
        StoreProductDocument: {
            uuid: components["schemas"]["Uuid"];
            name: string;
            price: components["schemas"]["StoreMoney"];
        } & {
            [key: string]: unknown;
        };
        /** @description Products from a table. */
        StoreProductImport: {
            /** @description Return the result for each product without changing anything. */
            preview?: boolean;
            /** @description Applied in this order. */
            products: {
                [key: string]: unknown;
            }[];
        };
        /** @description Outcome for one product. */
        StoreProductImportResult: {
            /** Format: int32 */
            index: number;
            /** @description The value as given, if the product is not valid. */
            import_handle: string | null;
            /**
             * @description The outcome for the product, or the expected outcome in a preview.
             * @enum {string}
             */
            status: "created" | "updated" | "unchanged" | "failed";
            product_uuid: components["schemas"]["NullableUuid"];
            error: {
                code: string;
                message: string;
                /** @description As in the error envelope. */
                details: {
                    [key: string]: unknown;
                };
            } | null;
            warnings: {
                [key: string]: unknown;
            }[];
        };
        /** @description A result for each product, in order. */
        StoreProductImportResponse: {
            data: components["schemas"]["StoreProductImportResult"][];
            meta: {
                total: components["schemas"]["StoreCount"];
                created: components["schemas"]["StoreCount"];
                updated: components["schemas"]["StoreCount"];
                unchanged: components["schemas"]["StoreCount"];
                failed: components["schemas"]["StoreCount"];
            };
        };
        /** @description One store. */
        StoreSettingsResponse: {
            data: components["schemas"]["StoreSettings"];
        };
        /** @description One category. */
        StoreCategoryResponse: {
            data: components["schemas"]["StoreCategory"];
        };
        /** @description The whole tree, each category before its children. */
        StoreCategoriesResponse: {
            data: components["schemas"]["StoreCategory"][];
        };
        /** @description One product. */
        StoreProductDocumentResponse: {
            data: components["schemas"]["StoreProductDocument"];
        };
        /** @description A page of products. */
        StoreProductDocumentList: {
            data: components["schemas"]["StoreProductDocument"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /**
         * @description Status of an order.
         * @enum {string}
         */
        StoreOrderStatus: "novo" | "confirmado" | "pago" | "entregue" | "cancelado";
        /** @description An order that an operator places for a customer. */
        StoreOrderCreate: {
            uuid?: components["schemas"]["Uuid"];
            items: {
                product_uuid: components["schemas"]["Uuid"];
                variant_uuid?: components["schemas"]["NullableUuid"];
                /** Format: int32 */
                quantity: number;
                note?: string | null;
            }[];
            customer: {
                name?: string | null;
                phone: string;
                email?: string | null;
                document?: string | null;
            };
            fulfillment: {
                /** @enum {string} */
                type: "delivery" | "pickup";
                address?: {
                    zipcode?: string | null;
                    street?: string | null;
                    number?: string | null;
                    complement?: string | null;
                    district?: string | null;
                    city?: string | null;
                    state?: string | null;
                } | null;
            };
            payment?: {
                /** @enum {string|null} */
                method?: "pix" | "card" | "cash" | "payment_link" | "other" | null;
                link?: string | null;
            };
            note?: string | null;
            /** @description Attribution of the sale, such as `utm_source`. */
            tracking?: {
                [key: string]: string;
            };
        };
        /** @description The status to move to; `reason` is stored with a cancellation. */
        StoreOrderMove: {
            /** @enum {string} */
            status: "confirmado" | "pago" | "entregue" | "cancelado";
            reason?: string | null;
        };
        /** @description An order with all the fields of `StoreOrder` in the public contract. */
        StoreOrderDocument: {
            uuid: components["schemas"]["Uuid"];
            /** Format: int32 */
            number: number;
            code: string;
            status: components["schemas"]["StoreOrderStatus"];
            total: components["schemas"]["StoreMoney"];
        } & {
            [key: string]: unknown;
        };
        /** @description An order. */
        StoreOrderDocumentResponse: {
            data: components["schemas"]["StoreOrderDocument"];
        };
        /** @description Orders. */
        StoreOrderDocumentList: {
            /** @description The orders of this page. */
            data: components["schemas"]["StoreOrderDocument"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description Position at which a paged list continues. */
        PaginationMeta: {
            /** @description Pass it as `after` to read the next page. Null on the last page. Opaque: do not build or change it; it is bound to the route and its filters. */
            next_cursor: string | null;
            /**
             * Format: int32
             * @description Number of resources in the whole list, counted up to 10,000. It is on the first page of lists that are read by an index, but not on other pages or in searches.
             */
            total?: number;
            /** @description The list has more resources than `total` says. */
            total_capped?: boolean;
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
         * @description Stable machine-readable code: branch on it, never on `message`. `x-extensible-enum` lists those of this release. The list is open; treat a code you do not know like the HTTP status it came with.
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
        /** @description A tenant. Everything else belongs to one. */
        Company: {
            uuid: components["schemas"]["Uuid"];
            name: string;
            /**
             * @description IANA time zone.
             * @example America/Sao_Paulo
             */
            timezone: string;
            marketing: components["schemas"]["MarketingSettings"];
            opt_out_words: components["schemas"]["OptOutWords"];
            /** @description The company's own words that ask for a person, beside the built-in ones. */
            person_words: components["schemas"]["WordList"];
            privacy: components["schemas"]["PrivacySettings"];
            created_at: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description What people of the team who see customers masked may do about it. */
        PrivacySettings: {
            /** @description Whether people with the role viewer may reveal the customers' data of one thing. False at first. */
            viewers_may_reveal: boolean;
        };
        /** @description The company's own words, beside the built-in ones. */
        OptOutWords: {
            stop: components["schemas"]["WordList"];
            resume: components["schemas"]["WordList"];
        };
        /** @description Fields that are left out stay as they are. */
        OptOutWordsWrite: {
            stop?: components["schemas"]["WordList"];
            resume?: components["schemas"]["WordList"];
        };
        /** @description The words; with an empty list, only the built-in ones apply. */
        PersonWordsWrite: {
            words: components["schemas"]["WordList"];
        };
        /**
         * @example [
         *       "SAIR",
         *       "não quero mais"
         *     ]
         */
        WordList: string[];
        /** @description Whether a company sends marketing, and its caps. Sends inside the customer service window do not count per contact. */
        MarketingSettings: {
            /** @description Whether MARKETING templates may be sent at all; otherwise `marketing_sends_disabled`. */
            enabled: boolean;
            /**
             * Format: int32
             * @description MARKETING templates to one contact within 24 hours.
             * @example 2
             */
            per_contact_per_day: number;
            /**
             * Format: int32
             * @description MARKETING templates to one contact within 7 days.
             * @example 6
             */
            per_contact_per_week: number;
            /**
             * Format: int32
             * @description MARKETING templates of the whole company within 24 hours.
             * @example 1000
             */
            per_day: number;
        };
        /** @description Fields that are left out stay as they are. */
        MarketingSettingsWrite: {
            /** @description Whether MARKETING templates may be sent at all; otherwise `marketing_sends_disabled`. */
            enabled?: boolean;
            /**
             * Format: int32
             * @description MARKETING templates to one contact within 24 hours.
             * @example 2
             */
            per_contact_per_day?: number;
            /**
             * Format: int32
             * @description MARKETING templates to one contact within 7 days.
             * @example 6
             */
            per_contact_per_week?: number;
            /**
             * Format: int32
             * @description MARKETING templates of the whole company within 24 hours.
             * @example 1000
             */
            per_day?: number;
        };
        /** @description The send controls of a channel. */
        Sending: {
            channel_uuid: components["schemas"]["Uuid"];
            stopped: components["schemas"]["StoppedSends"];
            /** @description The operator's own limit, messages per second; null means no limit. */
            max_per_second: number | null;
            marketing_paused_until: components["schemas"]["NullableTimestamp"];
            /** @description Messages that wait to be sent. */
            waiting: {
                /**
                 * Format: int64
                 * @description Text, UTILITY and AUTHENTICATION.
                 */
                service: number;
                /**
                 * Format: int64
                 * @description MARKETING templates.
                 */
                marketing: number;
            };
            last_attempt_at: components["schemas"]["NullableTimestamp"];
            /** @description Pace of the last attempt, messages per second; null when nothing was sent yet, or without pacing. */
            per_second: number | null;
        };
        /**
         * @description Kinds of messages that wait until they are resumed. A message that waits longer than the pacing window fails with `send_pacing_timeout`.
         * @example marketing
         * @enum {string}
         */
        StoppedSends: "nothing" | "marketing" | "everything";
        /** @description Fields that are left out stay as they are. */
        SendingWrite: {
            stopped?: components["schemas"]["StoppedSends"];
            /**
             * @description Messages per second, below the limit of the number; null removes the limit.
             * @example 20
             */
            max_per_second?: number | null;
        };
        /** @description The send controls of a channel. */
        SendingResponse: {
            data: components["schemas"]["Sending"];
        };
        /** @description A company to create. */
        CompanyWrite: {
            name: string;
            /**
             * @description IANA time zone. `America/Sao_Paulo` when left out.
             * @example America/Sao_Paulo
             */
            timezone?: string;
        };
        /** @description A system connected to a company: owns API keys, a webhook secret and webhook endpoints. */
        Integration: {
            uuid: components["schemas"]["Uuid"];
            company_uuid: components["schemas"]["Uuid"];
            name: string;
            /** @description Time until which deliveries also carry a signature by an earlier secret. */
            previous_secret_expires_at: components["schemas"]["NullableTimestamp"];
            /** @description The events feed is switched on; with a webhook endpoint, events are kept in any case. */
            events_feed?: boolean;
            created_at: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description A change of an integration. */
        IntegrationChange: {
            /** @description Whether every event is kept for the events feed. */
            events_feed: boolean;
        };
        /** @description An integration to create. */
        IntegrationWrite: {
            name: string;
        };
        /**
         * @description Shown once. Keep it: it cannot be read again.
         * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
         */
        WebhookSecret: string;
        /** @description A new integration with its webhook secret. */
        IntegrationCreated: components["schemas"]["Integration"] & {
            webhook_secret: components["schemas"]["WebhookSecret"];
        };
        /** @description Options of the rotation. */
        SecretRotate: {
            /**
             * Format: int32
             * @description Time in which deliveries also carry a signature by the previous secret. 86400 when left out; 0 after a leak.
             */
            grace_seconds?: number;
        };
        /** @description The new secret. */
        SecretRotated: {
            webhook_secret: components["schemas"]["WebhookSecret"];
            /** @description Time at which the previous secret stops signing. */
            previous_expires_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description An API key, without its secret. */
        ApiKey: {
            key_id: string;
            label: string;
            scopes: ("channels:read" | "contacts:read" | "contacts:write" | "flows:read" | "flows:execute" | "templates:read" | "messages:send" | "operations:read" | "conversations:read" | "store:read" | "store:write" | "webhooks:read" | "webhooks:write" | "events:read")[];
            /** @description The public start of the key, enough to recognise it. */
            prefix: string;
            created_at: components["schemas"]["Timestamp"];
            /** @description Updated at most once a minute. */
            last_used_at: components["schemas"]["NullableTimestamp"];
            revoked_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A key to create. */
        ApiKeyWrite: {
            /** @description Label for people: the user of the key. */
            label: string;
            /** @description Actions that the key permits. */
            scopes: ("channels:read" | "contacts:read" | "contacts:write" | "flows:read" | "flows:execute" | "templates:read" | "messages:send" | "operations:read" | "conversations:read" | "store:read" | "store:write" | "webhooks:read" | "webhooks:write" | "events:read")[];
        };
        /** @description A new key with its secret. */
        ApiKeyCreated: components["schemas"]["ApiKey"] & {
            /** @description Shown once. Keep it: only a hash is stored. */
            api_key: string;
        };
        /** @description An address that receives the events of an integration. */
        WebhookEndpoint: {
            uuid: components["schemas"]["Uuid"];
            integration_uuid: components["schemas"]["Uuid"];
            url: string;
            /** @description Only these types; null means all. */
            event_types: ("message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created")[] | null;
            enabled: boolean;
            /** @description Reason, if the service disabled the endpoint. */
            disabled_reason?: string | null;
            /** @description Who made the last change, `admin` or `key:` with the key's id for example. */
            changed_by?: string;
            health?: components["schemas"]["WebhookHealth"];
            created_at: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
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
             * @description https address of the receiver. Plain http, private and loopback addresses are refused unless the deployment permits them.
             */
            url: string;
            /** @description Only these types; null means all. */
            event_types?: ("message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created")[] | null;
            /** @description A disabled endpoint receives nothing. True when left out on creation. */
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
             * @description https address of the receiver. Plain http, private and loopback addresses are refused unless the deployment permits them.
             */
            url?: string;
            /** @description Only these types; null means all. */
            event_types?: ("message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created")[] | null;
            /** @description A disabled endpoint receives nothing. True when left out on creation. */
            enabled?: boolean;
        };
        /** @description The test event that is on its way. */
        TestQueued: {
            /** @description The `webhook.test` event. */
            event_id: components["schemas"]["Uuid"];
        };
        /** @description A WhatsApp number, with the details for the operator. The token is never shown. */
        Channel: components["schemas"]["PublicChannel"] & {
            company_uuid: components["schemas"]["Uuid"];
            phone_number_id: string;
            waba_id: string;
            /**
             * @description The state, as WhatsApp names it.
             * @example CONNECTED
             */
            provider_status?: string | null;
            /** @description `GREEN`, `YELLOW`, `RED`, or null when unknown. */
            quality_rating?: string | null;
            /** @description Name that WhatsApp has verified. */
            verified_name?: string | null;
            /** @description Throughput that WhatsApp has granted. */
            throughput_level?: string | null;
            /** @description `LIVE` or `SANDBOX`. */
            account_mode?: string | null;
            /** @description Shared with the WhatsApp Business app: 20 messages a second at most. */
            on_business_app?: boolean | null;
            /** @description Reason why WhatsApp refuses the access token; null while it does not. */
            access_refused?: {
                /** @enum {string} */
                reason: "token" | "permission";
                /**
                 * Format: int32
                 * @description WhatsApp's error code.
                 */
                code: number;
                title: string;
            } | null;
            /** @description `DISABLE`, `SCHEDULE_FOR_DISABLE`, `DELETED`; null when the account is not banned. */
            ban_state?: string | null;
            /** @description Restrictions of the WhatsApp account, each until it expires. */
            restrictions?: {
                type: string;
                expires_at: components["schemas"]["NullableTimestamp"];
            }[];
            /** @description Disconnected by an operator, regardless of the state that WhatsApp reports. */
            taken_off?: boolean;
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description A WhatsApp number of the company. */
        PublicChannel: {
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
        /** @description A number to connect. */
        ChannelWrite: {
            display_name?: string | null;
            /** @description WhatsApp phone number id. */
            phone_number_id: string;
            /** @description WhatsApp Business Account id. */
            waba_id: string;
            /** @description WhatsApp access token. Stored encrypted, never shown again. */
            access_token: string;
            /** @description International format. The number that WhatsApp reports takes precedence. */
            phone_number?: string | null;
        };
        /** @description A new token. */
        ChannelTokenWrite: {
            /** @description WhatsApp access token. Stored encrypted, never shown again. */
            access_token: string;
        };
        /** @description Number of templates by outcome. */
        TemplateSync: {
            /** Format: int32 */
            imported: number;
            /** Format: int32 */
            changed: number;
            /** Format: int32 */
            unchanged: number;
            /** Format: int32 */
            removed: number;
        };
        /** @description Progress of a sync. */
        TemplateSyncProgress: components["schemas"]["TemplateSync"] & {
            /**
             * @description A sync that was interrupted stays `running`, with an unchanged `updated_at`, or `failed`, until the next sync continues it.
             * @enum {string}
             */
            state: "running" | "finished" | "failed";
            /** Format: int32 */
            pages: number;
            /**
             * Format: int32
             * @description Templates read so far.
             */
            listed: number;
            /**
             * Format: int32
             * @description Templates in the account when a sync last ended; null before the first sync has ended.
             */
            expected: number | null;
            /** @description Reason for the failure. */
            problem: {
                code: string;
                message: string;
            } | null;
            started_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["NullableTimestamp"];
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
            /** @description The state, as WhatsApp names it; `DELETED` once the template vanished from the account. */
            provider_status?: string;
            /** @description `GREEN`, `YELLOW`, `RED`, `UNKNOWN`, or null when not known. */
            quality?: string | null;
            /** @description Reason why the review refused it. */
            rejected_reason?: string | null;
            /** @description The category to which WhatsApp announced to move it. */
            upcoming_category?: string | null;
            /** @description WhatsApp's last refusal of a message with this template, since the template last changed. */
            last_refusal?: {
                /**
                 * Format: int32
                 * @description WhatsApp's error code.
                 */
                code: number;
                title: string;
                at: components["schemas"]["Timestamp"];
            } | null;
            /** @description Time at which it vanished from the WhatsApp account. */
            removed_at?: components["schemas"]["NullableTimestamp"];
            channel_uuid?: components["schemas"]["NullableUuid"];
            variables: components["schemas"]["TemplateVariables"];
            /** @description Header, body, footer and buttons, as WhatsApp lists them. */
            components?: {
                [key: string]: unknown;
            }[];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
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
        /** @description The messages between one contact and one channel. */
        Conversation: {
            uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            status: "open" | "pending" | "resolved";
            channel_uuid: components["schemas"]["NullableUuid"];
            /** @description The person, with tags. */
            contact?: components["schemas"]["Contact"] | null;
            /** @description The channel; not in lists. */
            channel?: components["schemas"]["PublicChannel"] | null;
            /** @description Agent in charge. */
            assigned_agent?: components["schemas"]["Assignee"];
            /** @description Group in charge; not in lists. */
            assigned_group?: components["schemas"]["Assignee"];
            /** @description Whether a flow is in charge. */
            with_flow?: boolean;
            /** @description Number of messages by kind; not in lists. */
            counters?: {
                [key: string]: number;
            };
            /**
             * Format: int32
             * @description Inbound messages that nobody has read yet.
             */
            unread_count: number;
            last_message_at?: components["schemas"]["NullableTimestamp"];
            created_at?: components["schemas"]["NullableTimestamp"];
            updated_at?: components["schemas"]["NullableTimestamp"];
            /** @description When the customer last wrote. For 24 hours from then, any message reaches them. */
            last_inbound_at?: components["schemas"]["NullableTimestamp"];
            /** @description The newest message, as in the list of messages; only in lists. */
            last_message?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description An asynchronous piece of work. Poll it until `status` is `succeeded` or `failed`. */
        Operation: {
            uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "message.send" | "flow.execute";
            /**
             * @description `succeeded` and `failed` are final. `waiting`: the message is paced, or the flow waits for an answer or a timer. `succeeded` of a send means that the provider accepted it.
             * @enum {string}
             */
            status: "queued" | "processing" | "waiting" | "succeeded" | "failed";
            /** @description Set on success. */
            result: components["schemas"]["MessageSendResult"] | components["schemas"]["FlowExecuteResult"] | null;
            /** @description Set on failure. */
            error: components["schemas"]["OperationError"] | null;
            /** @description The caller's own pairs. Personal data. Left out where there are none. */
            metadata?: {
                [key: string]: string;
            };
            created_at?: components["schemas"]["NullableTimestamp"];
            started_at?: components["schemas"]["NullableTimestamp"];
            completed_at?: components["schemas"]["NullableTimestamp"];
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
            /** @description The message as delivered, a template body already interpolated. Null when there is no text body. */
            text: string | null;
        };
        /** @description Result of a `flow.execute` operation. */
        FlowExecuteResult: {
            execution_uuid: components["schemas"]["Uuid"];
            conversation_uuid: components["schemas"]["NullableUuid"];
            contact_uuid: components["schemas"]["Uuid"];
            /**
             * @description Final status of the execution.
             * @example completed
             */
            status: string;
        };
        /** @description One run of a flow for one person, with its company and integration. Values are masked unless requested in the clear. */
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
            /** @description Given at the start or set by blocks. Masked unless requested in the clear; empty once the person was erased. */
            variables: {
                [key: string]: unknown;
            };
            /** @description The person's answers, by the name under which the question keeps them. Masked unless requested in the clear; empty once the person was erased. */
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
            company_uuid: components["schemas"]["Uuid"];
            /** @description Integration that started it by the API. */
            integration_uuid: components["schemas"]["NullableUuid"];
            /** @description Message of the customer that triggered it. */
            message_uuid: components["schemas"]["NullableUuid"];
            /** @description Execution that started this one at its end. */
            parent_uuid: components["schemas"]["NullableUuid"];
            /** @description Execution that this one started at its end. */
            continued_by: components["schemas"]["NullableUuid"];
        };
        /** @description A block that the execution has left. */
        ExecutionRecentStep: {
            /** Format: int32 */
            step: number;
            block: string;
            /** @description Exit that the execution took from the block. */
            way: string;
            /** @description The next block; null where the flow ended. */
            to: string | null;
            at: components["schemas"]["Timestamp"];
        };
        /** @description An execution with its newest steps. */
        ExecutionDetail: components["schemas"]["Execution"] & {
            /** @description The newest fifty, oldest first. */
            steps: components["schemas"]["ExecutionRecentStep"][];
        };
        /** @description Something that happened in an execution. */
        ExecutionStep: {
            at: components["schemas"]["Timestamp"];
            /** @description `created`, `queued`, `started`, `send_requested`, `request_began`, `wait_began`, `step_taken`, `callback_received`, `parked`, `resumed` or `ended`. The list is open. */
            what: string;
            /**
             * Format: int32
             * @description Identifies an action, together with the block.
             */
            step: number | null;
            block: string | null;
            /** @description Exit that the execution took from the block. */
            way: string | null;
            /** @description The next block. */
            to: string | null;
            /** @description Given or set. Masked unless requested in the clear; null if the step has no variables. */
            variables: {
                [key: string]: unknown;
            } | null;
            /** @description Answers that were kept. Masked unless requested in the clear; null if the step has no answers. */
            answers: {
                [key: string]: unknown;
            } | null;
            /** @description Operation that sent the message of the block. */
            operation_uuid: components["schemas"]["NullableUuid"];
            /** @description Message of the customer that answered, or triggered the execution. */
            message_uuid: components["schemas"]["NullableUuid"];
            /** @description All other recorded facts. Not personal. */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description One execution. */
        ExecutionResponse: {
            data: components["schemas"]["ExecutionDetail"];
        };
        /** @description Executions. */
        ExecutionList: {
            /** @description The executions of this page. */
            data: components["schemas"]["Execution"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description The steps of an execution. */
        ExecutionStepList: {
            /** @description The steps of this page. */
            data: components["schemas"]["ExecutionStep"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description An operation, with its company and integration. */
        AdminOperation: components["schemas"]["Operation"] & {
            company_uuid: components["schemas"]["Uuid"];
            integration_uuid: components["schemas"]["NullableUuid"];
        };
        /** @description One event of the timeline. */
        TimelineEvent: {
            id: components["schemas"]["Uuid"];
            type: string;
            /** @description Opaque position in the event history. */
            position: string;
            occurred_at: components["schemas"]["Timestamp"];
            /** @description Personal data is masked. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description An operation with its timeline. */
        OperationDetail: components["schemas"]["AdminOperation"] & {
            /** @description Oldest first. */
            events: components["schemas"]["TimelineEvent"][];
        };
        /** @description Reason for the erasure. */
        ContactErase: {
            /** @description Reason, for the record. Do not write personal data here, because the reason is kept. */
            reason?: string;
        };
        /** @description The contact to merge with. */
        ContactMerge: {
            contact_uuid: components["schemas"]["Uuid"];
        };
        /** @description Contacts from a table. `integration_uuid` names the integration of their external ids. */
        ContactImport: {
            integration_uuid?: components["schemas"]["Uuid"];
            /** @description Return the result for each row without changing anything. */
            preview?: boolean;
            /** @description Applied in this order. */
            rows: components["schemas"]["ContactImportRow"][];
        };
        /** @description One contact. The result of the row reports its errors. */
        ContactImportRow: {
            /**
             * Format: int32
             * @description Place of the row in your table; returned with its result.
             */
            line: number;
            /** @description International format with a leading `+`. */
            phone?: string;
            /** @description The integration's own identifier. */
            external_id?: string;
            /** @description Display name. Null clears it. */
            name?: string | null;
            /** @description E-mail address. Null clears it. */
            email?: string | null;
            /** @description Replaces the whole list. */
            tags?: string[];
            /** @description Merged key by key. */
            custom_fields?: {
                [key: string]: unknown;
            };
        };
        /** @description Outcome for one row. */
        ContactImportResult: {
            /** Format: int32 */
            line: number;
            /**
             * @description The outcome for the row, or the expected outcome in a preview.
             * @enum {string}
             */
            status: "created" | "updated" | "unchanged" | "failed";
            /**
             * Format: uuid
             * @description Null for rows that failed, and for contacts that a preview would create.
             */
            contact_uuid: string | null;
            /** @description Reason why the row failed. */
            error: {
                code: string;
                message: string;
                /** @description As in the error envelope. */
                details: {
                    [key: string]: unknown;
                };
            } | null;
        };
        /** @description Outcome of an import. */
        ContactImportResponse: {
            /** @description The results. */
            data: {
                /** @description In the order of the rows. */
                rows: components["schemas"]["ContactImportResult"][];
            };
        };
        /** @description The person's key is destroyed; the history remains usable without the data. */
        Erased: {
            contact_uuid: components["schemas"]["Uuid"];
            erasure_uuid: components["schemas"]["Uuid"];
            /** @description Documents from which data of the person was removed. */
            rewritten: {
                /** Format: int32 */
                contacts: number;
                /** Format: int32 */
                messages: number;
                /** Format: int32 */
                operations: number;
                /** Format: int32 */
                orders: number;
                /** Format: int32 */
                executions: number;
            };
            /**
             * Format: int32
             * @description Stored webhook payloads that were emptied.
             */
            deliveries: number;
        };
        /** @description One event on its way to one endpoint. */
        Delivery: {
            /** @description Equal to `Service-Delivery-Id`. */
            id: components["schemas"]["Uuid"];
            event_id: components["schemas"]["Uuid"];
            /** @enum {string} */
            event_type: "message.received" | "message.status.updated" | "message.transcribed" | "message.updated" | "message.deleted" | "conversation.created" | "conversation.updated" | "flow.execution.updated" | "webhook.test" | "order.created";
            integration_uuid: components["schemas"]["Uuid"];
            endpoint_uuid: components["schemas"]["Uuid"];
            /**
             * @description `pending`, `delivered`, `failed` (will be retried), `exhausted` or `discarded`. The list is open.
             * @example delivered
             */
            status: string;
            /** Format: int32 */
            attempt_count: number;
            /** Format: int32 */
            last_status_code?: number | null;
            /** @description Class of the last failure: `dns`, `blocked_ip`, `connect_refused`, `tls`, `timeout`, `http`. */
            last_error?: string | null;
            next_attempt_at: components["schemas"]["NullableTimestamp"];
            created_at: components["schemas"]["Timestamp"];
            completed_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description One HTTP call. */
        DeliveryAttempt: {
            /** Format: int32 */
            number: number;
            /** @description `first`, `retry` or `manual`. */
            trigger?: string;
            url?: string;
            remote_ip?: string | null;
            started_at: components["schemas"]["Timestamp"];
            /** Format: int32 */
            duration_ms: number;
            /** Format: int32 */
            status_code: number | null;
            error: string | null;
            /** @description The headers that were sent, without the two signatures. */
            request_headers?: {
                [key: string]: string;
            };
            /** @description The headers of the answer, without cookies. */
            response_headers?: {
                [key: string]: string;
            };
            /** @description The first 16 kB. */
            response_body?: string | null;
            next_attempt_at?: components["schemas"]["NullableTimestamp"];
        };
        /** @description A delivery with its attempts. */
        DeliveryDetail: components["schemas"]["Delivery"] & {
            /** @description The delivery whose bytes it sends again. */
            redelivery_of?: components["schemas"]["NullableUuid"];
            /**
             * @description With `body=true`: the bytes of every attempt, as text. Personal data. Null when the person that it was about
             *     was erased.
             */
            body?: string | null;
            /** @description Oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description The delivery that was queued. */
        Redelivery: {
            /** @description The new delivery. */
            delivery_id: components["schemas"]["Uuid"];
        };
        /** @description One event of the history. */
        StoredEvent: {
            id: components["schemas"]["Uuid"];
            /** @description Opaque; pass it as `after` to continue from here. */
            position: string;
            stream: string;
            /** Format: int64 */
            revision: number;
            type: string;
            /** Format: int32 */
            schema_version: number;
            company_uuid: components["schemas"]["NullableUuid"];
            occurred_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @description Identifies the person in events with personal data. It is a keyed hash of the company and the person, equal in every event about them.
             */
            person?: string | null;
            /** @description The originator of the event. */
            actor?: {
                [key: string]: unknown;
            };
            correlation_id?: string | null;
            causation_id?: string | null;
            /** @description Personal data is masked. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description A key of a person. */
        SealedKey: {
            key_id: string;
            subject: string;
            company: string;
            created_at: components["schemas"]["Timestamp"];
            /** Format: date-time */
            destroyed_at: string | null;
            /** @description Sealed under the master key; null once it is destroyed. */
            sealed_key: string | null;
        };
        /** @description Keys of persons. */
        SealedKeyList: {
            /** @description The resources of this page. */
            data: components["schemas"]["SealedKey"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description Keys of persons. */
        SealedKeyBatch: {
            keys: components["schemas"]["SealedKey"][];
        };
        /** @description A proof that only the same master key can open. */
        MasterKeyProof: {
            master_key_proof: string;
        };
        /** @description The proof. */
        MasterKeyProofResponse: {
            data: components["schemas"]["MasterKeyProof"];
        };
        /** @description An export, as its manifest describes it. */
        HistoryImportBegin: {
            /** @description Hash of the file of events. */
            sha256: string;
            /** Format: int64 */
            events: number;
            /** Format: int64 */
            keys: number;
            /** @description Position of the last event, in the system of the export. */
            last: string | null;
            master_key_proof: string;
        };
        /** @description Lines of an exact export. */
        HistoryImportBatch: {
            lines: string[];
        };
        /** @description Progress of an import. */
        HistoryImport: {
            /** @enum {string} */
            status: "running" | "done";
            sha256: string;
            /** Format: int64 */
            events: number;
            /** Format: int64 */
            imported: number;
            /** @description Position of the last imported event, in the system of the export. */
            source_position: string | null;
        };
        /** @description Progress of an import. */
        HistoryImportResponse: {
            data: components["schemas"]["HistoryImport"];
        };
        /** @description A range of the history. */
        EventRange: {
            /** @description Position after which the range begins; null for the beginning of the history. */
            after: string | null;
            /** @description Position with which the range ends; null while the history is empty. */
            up_to: string | null;
            /**
             * Format: int64
             * @description Grows with the position; on the embedded store, the number of events up to this position.
             */
            from_sequence: number;
            /** Format: int64 */
            to_sequence: number;
        };
        /** @description A range of the history. */
        EventRangeResponse: {
            data: components["schemas"]["EventRange"];
        };
        /** @description A field of an event type. */
        EventField: {
            name: string;
            /**
             * @description Type of a column for the field. `json` is any value with parts.
             * @enum {string}
             */
            type: "string" | "uuid" | "timestamp" | "integer" | "number" | "boolean" | "json";
            nullable: boolean;
            /** @description Encrypted per person, masked in output, null once the person was erased. */
            personal: boolean;
            /** @description All possible values, if they are few. */
            values: string[] | null;
        };
        /** @description An event type. */
        EventType: {
            type: string;
            /**
             * Format: int32
             * @description Current schema version.
             */
            version: number;
            aggregate: string;
            /** @description Pointers to the fields that are encrypted per person. */
            personal_fields: string[];
            /** @description Occasion on which it is recorded. */
            description: string;
            /** @description Fields of its data, in the current version. */
            fields: components["schemas"]["EventField"][];
        };
        /** @description A read model and its progress. */
        Projection: {
            name: string;
            /** Format: int32 */
            version: number;
            /**
             * Format: int32
             * @description The generation that GETs read.
             */
            generation: number;
            /** @description Generations that are kept current and can be flipped to. */
            kept_generations: number[];
            /** @description Versions of other releases. They are not kept current, and documents of erased people are removed from them. Drop them once you will not return to those releases. */
            kept_versions: number[];
            /** @description Last applied position; null before the first event. */
            position: string | null;
            /**
             * Format: int64
             * @description Events after its position, counted up to 10,000.
             */
            lag_events: number;
            /**
             * Format: double
             * @description Age of the oldest event that it has not applied.
             */
            lag_seconds: number;
            /**
             * Format: double
             * @description The recent rate.
             */
            events_per_second: number;
            /**
             * @description `live`, `catching_up` or `failed`.
             * @example live
             */
            status: string;
            last_error: string | null;
            /** @description The event that stops it. */
            failed_event: components["schemas"]["FailedEvent"] | null;
            failed_since: components["schemas"]["NullableTimestamp"];
            /** Format: int32 */
            skipped_events: number;
            /**
             * Format: uuid
             * @description The rebuild job in progress for it.
             */
            rebuild_uuid: string | null;
            /** @description Time since which work waits for this projection, because it is behind the history. No try is counted meanwhile. */
            work_waiting_since: components["schemas"]["NullableTimestamp"];
        };
        /** @description A read model with its record of skipped events. */
        ProjectionDetail: {
            name: string;
            /** Format: int32 */
            version: number;
            /**
             * Format: int32
             * @description The generation that GETs read.
             */
            generation: number;
            /** @description Generations that are kept current and can be flipped to. */
            kept_generations: number[];
            /** @description Versions of other releases. They are not kept current, and documents of erased people are removed from them. Drop them once you will not return to those releases. */
            kept_versions: number[];
            /** @description Last applied position; null before the first event. */
            position: string | null;
            /**
             * Format: int64
             * @description Events after its position, counted up to 10,000.
             */
            lag_events: number;
            /**
             * Format: double
             * @description Age of the oldest event that it has not applied.
             */
            lag_seconds: number;
            /**
             * Format: double
             * @description The recent rate.
             */
            events_per_second: number;
            /**
             * @description `live`, `catching_up` or `failed`.
             * @example live
             */
            status: string;
            last_error: string | null;
            /** @description The event that stops it. */
            failed_event: components["schemas"]["FailedEvent"] | null;
            failed_since: components["schemas"]["NullableTimestamp"];
            /** Format: int32 */
            skipped_events: number;
            /**
             * Format: uuid
             * @description The rebuild job in progress for it.
             */
            rebuild_uuid: string | null;
            /** @description Time since which work waits for this projection, because it is behind the history. No try is counted meanwhile. */
            work_waiting_since: components["schemas"]["NullableTimestamp"];
            skips: components["schemas"]["SkippedEvent"][];
        };
        /** @description One projection. */
        ProjectionResponse: {
            data: components["schemas"]["ProjectionDetail"];
        };
        /** @description An event that a projection cannot apply. */
        FailedEvent: {
            /** Format: uuid */
            event_id: string;
            type: string;
            stream: string;
            position: string;
        };
        /** @description An event that a projection skips. */
        SkippedEvent: {
            /** Format: uuid */
            event_id: string;
            event_type: string;
            stream: string;
            position: string;
            reason: string;
            error: string;
            skipped_by: string;
            skipped_at: components["schemas"]["Timestamp"];
        };
        /** @description The record of a skip. */
        SkipResponse: {
            data: components["schemas"]["SkippedEvent"];
        };
        /** @description The event to skip, and the reason. */
        SkipWrite: {
            /** Format: uuid */
            event_id: string;
            reason: string;
        };
        /** @description The projections to rebuild. */
        RebuildWrite: {
            /** @description All projections when left out. */
            projections?: string[];
            /**
             * Format: int32
             * @description Number of documents of each projection to compare; all documents when null or left out.
             */
            sample?: number | null;
            /**
             * @description Flip regardless of the result of the comparison.
             * @default false
             */
            accept_differences?: boolean;
        };
        /** @description A difference between two copies of a document. Values that may be personal are masked. */
        Difference: {
            id: string;
            /** @description JSON pointer; empty when the document is in one copy only. */
            pointer: string;
            old: string | null;
            new: string | null;
        };
        /** @description Result of the comparison of two copies. */
        Verification: {
            /** @description False for a sample. */
            full: boolean;
            /** Format: int32 */
            rows_old: number | null;
            /** Format: int32 */
            rows_new: number | null;
            /** Format: int32 */
            compared: number;
            /**
             * Format: int32
             * @description Missing and added documents are included.
             */
            different: number;
            /** Format: int32 */
            missing: number;
            /** Format: int32 */
            added: number;
            /**
             * Format: int32
             * @description Documents that cannot be read in the old copy but exist in the new one. They do not prevent a flip, and the old copy is dropped with it. Rebuilds of earlier releases do not have this field.
             */
            unreadable?: number;
            /** @description The first differences. */
            differences: components["schemas"]["Difference"][];
        };
        /** @description One projection of a rebuild job. */
        RebuildProjection: {
            name: string;
            /** Format: int32 */
            version: number;
            /** Format: int32 */
            from_generation: number | null;
            /** Format: int32 */
            generation: number | null;
            /** @enum {string} */
            state: "waiting" | "building" | "built" | "differs" | "flipped" | "dropped" | "failed" | "cancelled";
            error: string | null;
            failed_event: components["schemas"]["FailedEvent"] | null;
            verification: components["schemas"]["Verification"] | null;
        };
        /** @description Progress through the history. */
        RebuildProgress: {
            position: string | null;
            /** Format: int64 */
            events: number;
            /** Format: double */
            events_per_second: number;
            /** Format: double */
            part: number;
            /** Format: int64 */
            seconds_left: number | null;
        };
        /** @description A rebuild job. */
        Rebuild: {
            /** Format: uuid */
            uuid: string;
            /** @enum {string} */
            kind: "rebuild" | "flip" | "drop";
            /** @enum {string} */
            status: "queued" | "building" | "verifying" | "differs" | "flipping" | "dropping" | "done" | "cancelled" | "failed";
            requested_by: string;
            requested_at: components["schemas"]["Timestamp"];
            started_at: components["schemas"]["NullableTimestamp"];
            finished_at: components["schemas"]["NullableTimestamp"];
            /** Format: int32 */
            sample: number | null;
            accept_differences: boolean;
            began_at: string | null;
            progress: components["schemas"]["RebuildProgress"];
            projections: components["schemas"]["RebuildProjection"][];
            error: string | null;
        };
        /** @description One rebuild job. */
        RebuildResponse: {
            data: components["schemas"]["Rebuild"];
        };
        /** @description Orders. */
        RebuildList: {
            /** @description Newest first; this list is not paged. */
            data: components["schemas"]["Rebuild"][];
        };
        /** @description A provider webhook that could not be understood. It is kept. */
        ParkedIntake: {
            id: components["schemas"]["Uuid"];
            received_at: components["schemas"]["Timestamp"];
            reason: string;
            /**
             * @description Sender of the webhook.
             * @example whatsapp
             */
            provider?: string;
            /** Format: int32 */
            bytes: number;
        };
        /** @description A parked webhook with its raw body. */
        ParkedIntakeDetail: components["schemas"]["ParkedIntake"] & {
            /** @description Headers of the request. */
            headers?: {
                [key: string]: string;
            };
            /** @description The raw body. */
            body: string;
        };
        /** @description The built-in WhatsApp sandbox. */
        SandboxInfo: {
            enabled: boolean;
            /** @description Graph base address of the sandbox. */
            api_url: string | null;
            /** @description Channels connected to it. */
            channels: {
                channel_uuid: components["schemas"]["Uuid"];
                phone_number_id: string;
                phone_number: string | null;
            }[];
        };
        /** @description A message a customer sends. */
        SandboxReply: {
            /** @description The customer's phone, international format. */
            from: string;
            text: string;
            /** @description May be left out when one channel is connected to the sandbox. */
            channel_uuid?: components["schemas"]["Uuid"];
        };
        /** @description Fields of the play. */
        SandboxPlay: {
            /** @description Stands for the phone_number_id of the play. */
            channel_uuid?: components["schemas"]["Uuid"];
        } & {
            [key: string]: unknown;
        };
        /** @description The message that is on its way. */
        SandboxReplied: {
            /** @description WhatsApp id the sandbox gave it. */
            message_id: string;
            channel_uuid: components["schemas"]["Uuid"];
        };
        Finding: {
            /** @description Name of the check. */
            check: string;
            /** @enum {string} */
            status: "ok" | "warn" | "fail";
            message: string;
            /** @description Recommended action. */
            todo: string | null;
        };
        Examination: {
            version: string;
            now: components["schemas"]["Timestamp"];
            findings: components["schemas"]["Finding"][];
        };
        ExaminationResponse: {
            data: components["schemas"]["Examination"];
        };
        BackupCreate: {
            /** @description Full path on the machine of the server, below BACKUP_DIR (by default: `backups` in the data folder). The file must not exist. When left out, a new file there. */
            file?: string;
            /**
             * Format: int32
             * @description Number of the newest backups of this history to keep in the file's folder. All others are removed afterwards.
             */
            keep?: number;
        };
        Backup: {
            uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            status: "running" | "succeeded" | "failed";
            /** @description Path on the machine of the server. Beside it are `<file>.json`, the manifest, and `<file>.blobs`. */
            file: string;
            started_at: components["schemas"]["Timestamp"];
            completed_at: components["schemas"]["Timestamp"] | null;
            /**
             * Format: double
             * @description Copied part of the database. After 1 the copy is read back.
             */
            progress: number;
            /**
             * Format: int64
             * @description Size of the database.
             */
            bytes: number | null;
            /** @description Hash of the database file. */
            sha256: string | null;
            /**
             * Format: int64
             * @description Number of events in it.
             */
            events: number | null;
            /** @description Images and media. Null until the backup is complete, and when they are in a bucket. */
            blobs: null | {
                /** Format: int64 */
                count: number;
                /** Format: int64 */
                bytes: number;
                /**
                 * Format: int64
                 * @description Files that have changed on the disk since they were stored; the backup does not include them.
                 */
                damaged: number;
            };
            /** @description Older backups that `keep` removed. */
            removed: string[];
            /** @description Reason for the failure. */
            error: string | null;
            /** @description Location of the key that a restore needs. The key is never in a backup. */
            master_key: string;
        };
        BackupResponse: {
            data: components["schemas"]["Backup"];
        };
        BackupList: {
            data: components["schemas"]["Backup"][];
        };
        /** @description State and progress of this process. */
        Status: {
            version: string;
            /** @constant */
            api_version: "1.8.0";
            roles: ("api" | "projections" | "workers")[];
            started_at: components["schemas"]["Timestamp"];
            /** @description The last change of release of this deployment, and how the start handled it. */
            last_upgrade: null | {
                at: components["schemas"]["Timestamp"];
                from: string | null;
                to: string;
                notes: string[];
            };
            /** @description The servers that this process needs, by name: `ok`, or the problem in one sentence. Empty on the embedded store. */
            parts: {
                [key: string]: string;
            };
            /** @description Last position of the history and of each consumer, by name. Null before the first position, and while the server that knows it is unavailable. */
            positions: {
                [key: string]: string | null;
            };
            /** @description Number of events, operations by status, deliveries by status and the like, by name. Null while the server that knows it is unavailable. */
            counts: {
                [key: string]: number | null;
            };
            /** @description Holders of the work that only one process may do at a time, by name. The names are `projections`, `relay@1`, `intents`, `sweeper`, `retention`, and `send`, the channels whose sends it paces. Null while the read models' server is unavailable. */
            leases: {
                name: string;
                /** @description Host and process id. */
                holder: string;
                /**
                 * Format: int64
                 * @description Number of leases of this name that it holds.
                 */
                count: number;
            }[] | null;
            /** @description Number of messages of a topic that a group of consumers has not processed yet, over all processes. Null while the topics' server is unavailable. Empty on the embedded store, where `counts` reports them. */
            lags: {
                topic: string;
                group: string;
                /** Format: int64 */
                messages: number;
            }[] | null;
        };
        /** @description Companies. */
        CompanyList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Company"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One company. */
        CompanyResponse: {
            data: components["schemas"]["Company"];
        };
        /** @description Integrations. */
        IntegrationList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Integration"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One integration. */
        IntegrationResponse: {
            data: components["schemas"]["Integration"];
        };
        /** @description The new integration. */
        IntegrationCreatedResponse: {
            data: components["schemas"]["IntegrationCreated"];
        };
        /** @description The new secret. */
        SecretRotatedResponse: {
            data: components["schemas"]["SecretRotated"];
        };
        /** @description Keys, revoked ones included. */
        ApiKeyList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["ApiKey"][];
        };
        /** @description The new key. */
        ApiKeyCreatedResponse: {
            data: components["schemas"]["ApiKeyCreated"];
        };
        /** @description Endpoints. */
        WebhookEndpointList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["WebhookEndpoint"][];
        };
        /** @description One endpoint. */
        WebhookEndpointResponse: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description The test. */
        TestQueuedResponse: {
            data: components["schemas"]["TestQueued"];
        };
        /** @description Channels. */
        ChannelList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["Channel"][];
        };
        /** @description One channel. */
        ChannelResponse: {
            data: components["schemas"]["Channel"];
        };
        /** @description The progress. */
        TemplateSyncProgressResponse: {
            data: components["schemas"]["TemplateSyncProgress"];
        };
        /** @description The outcome. */
        TemplateSyncResponse: {
            data: components["schemas"]["TemplateSync"];
        };
        /** @description Templates. */
        TemplateList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Template"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description Operations. */
        OperationList: {
            /** @description The resources of this page. */
            data: components["schemas"]["AdminOperation"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One operation. */
        OperationDetailResponse: {
            data: components["schemas"]["OperationDetail"];
        };
        /** @description The agent or group in charge. */
        ConversationAssignment: {
            agent_uuid?: components["schemas"]["NullableUuid"];
            group_uuid?: components["schemas"]["NullableUuid"];
        };
        /** @description A sign-in by a link. */
        SignIn: {
            /** @description What follows `#token=` in the link. */
            link_token: string;
        };
        /**
         * @description What a person may do in a company.
         * @enum {string}
         */
        CompanyRole: "viewer" | "agent" | "owner";
        /** @description A password. */
        PasswordText: string;
        /** @description What proves who somebody is. */
        Proof: {
            password: string;
            /** @description Of the authenticator app, or a recovery code. */
            code?: string;
        };
        /** @description A sign-in by password. */
        PasswordSignIn: {
            email: string;
            password: string;
            /** @description Of the authenticator app, or a recovery code. */
            code?: string;
        };
        /** @description A new password of a person who was invited. */
        InvitationAnswer: {
            /** @description What follows `#invitation=` in the link. */
            token: string;
            password: components["schemas"]["PasswordText"];
        };
        /** @description A new password. */
        PasswordChange: {
            present: components["schemas"]["Proof"];
            password: components["schemas"]["PasswordText"];
        };
        /** @description The account of a person. */
        OwnAccountResponse: {
            data: {
                name: string | null;
                email: string | null;
                role: components["schemas"]["CompanyRole"];
                /** @description When the password was set; null without one. */
                password_at: components["schemas"]["NullableTimestamp"];
                /** @description When an account of the identity provider was connected; null without one. */
                oidc_at: components["schemas"]["NullableTimestamp"];
                /** @description Whether a second factor is set up. */
                totp: boolean;
                /** Format: int32 */
                recovery_codes_left: number;
            };
        };
        /** @description A secret for an authenticator app. */
        TotpSecretResponse: {
            data: {
                /** @description In base 32. */
                secret: string;
                /** @description For a QR code. */
                uri: string;
            };
        };
        /** @description A code of an authenticator app. */
        TotpCode: {
            code: string;
        };
        /** @description Recovery codes. */
        RecoveryCodesResponse: {
            data: {
                recovery_codes: string[];
            };
        };
        /** @description Who may sign in, as what. */
        TeamAccess: {
            role: components["schemas"]["CompanyRole"];
            /** @description What the person signs in with. Nothing is sent there. */
            email: string;
        };
        /** @description A person's role. */
        TeamRole: {
            role: components["schemas"]["CompanyRole"];
        };
        /** @description A link's token. */
        SignInLinkResponse: {
            data: {
                token: string;
                expires_at: components["schemas"]["Timestamp"];
            };
        };
        /**
         * @description What somebody may do. Each role may do all that those before it may; operators are of no company.
         * @enum {string}
         */
        Role: "viewer" | "agent" | "owner" | "operator";
        /** @description Somebody who is signed in to the console. */
        ConsoleSession: {
            uuid: components["schemas"]["NullableUuid"];
            /** @description As recorded with the events of its calls. */
            actor: string;
            role: components["schemas"]["Role"];
            /** @description The company that everything is about; null for operators. */
            company_uuid: components["schemas"]["NullableUuid"];
            /** @description Its name; null for operators. */
            company_name?: string | null;
            /** @description Who it is in the company's team; null for operators. */
            member_uuid?: components["schemas"]["NullableUuid"];
            /** @description Of the person in the company's team; null for operators. */
            name?: string | null;
            created_at?: components["schemas"]["Timestamp"];
            /** @description Its last call, to five minutes. It ends twelve hours later. */
            seen_at?: components["schemas"]["Timestamp"];
            /** @description When the person last showed a password or a link, or who it is to the identity provider. */
            proved_at?: components["schemas"]["Timestamp"];
            /** @description Its end, however busy it is. */
            expires_at?: components["schemas"]["Timestamp"];
            /**
             * @description How the person signed in. `oidc` is the identity provider; null is not known.
             * @enum {string|null}
             */
            signed_in_by?: "link" | "password" | "oidc" | null;
            /** @description Things that the session sees unmasked now. Given for the caller's own session. */
            reveals?: components["schemas"]["Reveal"][];
            /** @description Where integrations call the public API. Given for the caller's own session. */
            api_url?: string;
            /** @description A position of the history that everything shows which is read from now on. Given for the caller's own session; the stream of changes continues after it. Null while read models are behind. */
            live_after?: string | null;
        };
        /** @description A thing whose customers' data a session sees unmasked. */
        Reveal: {
            thing: components["schemas"]["RevealedThing"];
            thing_uuid: components["schemas"]["Uuid"];
            /** @description It is shown until then, or until the session ends. */
            until: components["schemas"]["Timestamp"];
        };
        /** @description What was revealed. */
        RevealResponse: {
            data: components["schemas"]["Reveal"];
        };
        /** @description Who did it. */
        NamedActor: {
            /** @description `user`, `admin`, `key`, `worker`, or another word. */
            kind: string;
            id?: string;
            /** @description What the person or the key is called now. */
            name: string | null;
        };
        /** @description A choice about marketing, with its evidence. */
        MarketingChoice: {
            event_id: components["schemas"]["Uuid"];
            /** @description Of the event in the history. */
            position: string;
            contact_uuid: components["schemas"]["Uuid"];
            /**
             * @description Whether marketing was stopped or allowed again.
             * @enum {string}
             */
            choice: "out" | "in";
            /** @description How it came: `keyword` (a word of the customer), `native` (the switch in WhatsApp), `provider_131050` (reported by WhatsApp with a refused message), `manual`. */
            source: string;
            at: components["schemas"]["Timestamp"];
            message_uuid: components["schemas"]["NullableUuid"];
            actor: components["schemas"]["NamedActor"];
        };
        /** @description A page, newest first. */
        MarketingChoiceList: {
            data: components["schemas"]["MarketingChoice"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /**
         * @description What it is about.
         * @enum {string}
         */
        AuditKind: "access" | "sign_in" | "reveal" | "key" | "erasure" | "setting" | "webhook" | "server" | "contact" | "conversation" | "message" | "order" | "product" | "flow";
        /** @description Something that somebody did. */
        AuditEntry: {
            event_id: components["schemas"]["Uuid"];
            /** @description Of the event, for `GET /events?to=`. */
            position: string;
            occurred_at: components["schemas"]["Timestamp"];
            kind: components["schemas"]["AuditKind"];
            /** @description Type of the event. */
            type: string;
            actor: components["schemas"]["NamedActor"];
            company_uuid: components["schemas"]["NullableUuid"];
            stream: string;
            /** @description More of what was done, without personal data. */
            details: {
                [key: string]: string | number | boolean | null;
            };
        };
        /** @description A page, newest first. */
        AuditEntryList: {
            data: components["schemas"]["AuditEntry"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /**
         * @description What one call reads as a whole.
         * @enum {string}
         */
        RevealedThing: "contact" | "conversation" | "order" | "message";
        /** @description What to reveal, and why. */
        RevealWrite: {
            thing: components["schemas"]["RevealedThing"];
            thing_uuid: components["schemas"]["Uuid"];
            /**
             * @description A word of this list, so that no personal data gets into the record.
             * @enum {string}
             */
            reason: "customer_asked" | "order_problem" | "payment_check" | "complaint" | "quality_review" | "legal_request" | "suspected_abuse";
            /**
             * @description Number of a ticket or an order; no phone, document or e-mail address.
             * @example T-1042
             */
            reference?: string | null;
        };
        /** @description A sign-in at the identity provider. */
        OidcBegin: {
            /** @description The token of an invitation, which is accepted by this sign-in. */
            invitation?: string;
        };
        /** @description How the identity provider sent the browser back. */
        OidcAnswer: {
            /** @description The query of the address, without the question mark. */
            answer: string;
        };
        /** @description A sign-in that was begun. */
        OidcBegunResponse: {
            data: {
                /**
                 * Format: uri
                 * @description Where to send the browser.
                 */
                url: string;
                /** @description The answer must be here by then. */
                expires_at: components["schemas"]["Timestamp"];
            };
        };
        /** @description What the answer of the identity provider did. */
        OidcDoneResponse: {
            data: {
                /**
                 * @description What it was begun for.
                 * @enum {string}
                 */
                purpose: "sign_in" | "invitation" | "link" | "confirm";
                session: components["schemas"]["ConsoleSession"];
            };
        };
        /** @description A session. */
        ConsoleSessionResponse: {
            data: components["schemas"]["ConsoleSession"];
        };
        /** @description Sessions. */
        ConsoleSessionList: {
            data: components["schemas"]["ConsoleSession"][];
        };
        /** @description A message of an operator to the customer of a conversation. */
        ConversationMessageRequest: components["schemas"]["TextReply"] | components["schemas"]["TemplateReply"] | components["schemas"]["ImageReply"] | components["schemas"]["VideoReply"] | components["schemas"]["AudioReply"] | components["schemas"]["DocumentReply"] | components["schemas"]["QuestionReply"];
        /** @description A file that WhatsApp has, for a message to be sent. */
        MediaUpload: {
            upload_uuid: components["schemas"]["Uuid"];
            /**
             * @description As what it can be sent.
             * @enum {string}
             */
            kind: "image" | "video" | "audio" | "document";
            /** @description Its type. */
            mime_type: string;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            size: number;
            /**
             * Format: date-time
             * @description Until when it can be sent.
             */
            expires_at: string;
        };
        /** @description An upload. */
        MediaUploadResponse: {
            data: components["schemas"]["MediaUpload"];
        };
        /** @description A picture that was uploaded for a product. */
        StoreImageUpload: {
            /** @description Address of the hosted copy, for `image_urls` and `image_url`. It is served once a product shows it. */
            url: string;
            /** @enum {string} */
            mime_type: "image/jpeg" | "image/png" | "image/webp" | "image/gif";
            /**
             * Format: int64
             * @description Bytes of the hosted copy.
             */
            size: number;
            /**
             * Format: int32
             * @description Pixels.
             */
            width: number;
            /**
             * Format: int32
             * @description Pixels.
             */
            height: number;
            /** @description When it is removed, unless a product shows it. */
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description An uploaded picture. */
        StoreImageUploadResponse: {
            data: components["schemas"]["StoreImageUpload"];
        };
        /** @description `content` of a message of type `image`, `video`, `audio` or `document`. */
        FileContent: {
            /** @description Public http or https address of the file; WhatsApp fetches it. Either this or `upload_uuid`. */
            link?: string;
            /** @description File of `POST /conversations/{conversation_uuid}/media`, instead of a link. */
            upload_uuid?: components["schemas"]["Uuid"];
            /** @description Text under the file; not of audio. */
            caption?: string;
            /** @description Of a document: name shown to the recipient. */
            filename?: string;
        };
        /** @description `content` of a message of type `question`. */
        QuestionContent: {
            /** @description The question; at most 1,024 characters over buttons. */
            text: string;
            /** @description Up to three short ones become buttons, more a list. */
            choices: {
                /** @description Comes back with the customer's tap. */
                id: string;
                /** @description At most 20 characters on a button, 24 in a list. */
                title: string;
                /** @description Second line; makes the choices a list. */
                description?: string;
            }[];
            /** @description Label of the button that opens a list. `Ver opções` when left out. */
            list_button?: string;
        };
        /** @description An operation. */
        OperationResponse: {
            data: components["schemas"]["Operation"];
        };
        /** @description A message with all the fields of `Message` in the public contract. */
        MessageDocument: {
            uuid: components["schemas"]["Uuid"];
            direction: string;
            type: string;
            status: string;
            content: {
                [key: string]: unknown;
            };
            created_at: components["schemas"]["Timestamp"];
        } & {
            [key: string]: unknown;
        };
        /** @description A page of messages. */
        MessageDocumentList: {
            data: components["schemas"]["MessageDocument"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A product after a change. */
        StoreProductWrittenResponse: {
            data: components["schemas"]["StoreProductDocument"];
            /** @description `warnings`, when something was ignored or adjusted. */
            meta?: {
                [key: string]: unknown;
            };
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
            /** @description For `IMAGE`, `VIDEO` and `DOCUMENT`: public https address of the file, or `upload_uuid`. */
            link?: string;
            /** @description File of `POST /conversations/{conversation_uuid}/media`, instead of a link. */
            upload_uuid?: components["schemas"]["Uuid"];
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
        /** @description A note and its author. */
        NoteWrite: {
            text: string;
            agent_uuid?: components["schemas"]["NullableUuid"];
        };
        /** @description A message of the type note. */
        Note: {
            uuid: components["schemas"]["Uuid"];
            conversation_uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            type: "note";
            /** @description The text for the team. */
            content: {
                text: string;
                agent_uuid: components["schemas"]["NullableUuid"];
            };
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description A flow, with the details for its editors. */
        AdminFlow: {
            uuid: components["schemas"]["Uuid"];
            company_uuid: components["schemas"]["Uuid"];
            name: string;
            /** @enum {string} */
            status: "draft" | "active";
            /**
             * Format: int32
             * @description The version that new executions run; null while the flow cannot be started.
             */
            version: number | null;
            /** @description Publishing would change something. */
            draft_differs: boolean;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /** @description Problems of the draft. Not in lists. */
            problems?: components["schemas"]["FlowProblem"][];
        };
        /** @description One problem of a flow. */
        FlowProblem: {
            /**
             * @description A problem of severity `error` prevents the publication of the draft.
             * @enum {string}
             */
            severity: "error" | "warning";
            code: string;
            /** @description What exactly is wrong, for pages that say it in their own words. A code has one reason or several. */
            reason: string;
            /** @description The values of `message`, by name. */
            values: {
                [key: string]: string;
            };
            /** @description Id of the block; null for a problem of the whole flow. */
            block: string | null;
            /** @description Field of the block. */
            path: string | null;
            message: string;
        };
        /** @description A new flow. */
        FlowCreate: {
            name: string;
            /** @description See `GET /flows/schema`. */
            definition?: unknown;
        };
        /** @description Another name. */
        FlowRename: {
            name: string;
        };
        /** @description A definition. */
        FlowDraftWrite: {
            /** @description See `GET /flows/schema`. */
            definition: unknown;
        };
        /** @description A page of flows. */
        AdminFlowList: {
            data: components["schemas"]["AdminFlow"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A flow. */
        AdminFlowResponse: {
            data: components["schemas"]["AdminFlow"];
        };
        /** @description A definition. */
        FlowDefinitionResponse: {
            data: {
                /** @description See `GET /flows/schema`. */
                definition: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The changes. */
        FlowDiffResponse: {
            data: {
                changes: {
                    /** @enum {string} */
                    change: "added" | "removed" | "changed";
                    block: string | null;
                    field: string | null;
                    /** @description Null if it did not exist. */
                    before: unknown;
                    /** @description Null if it does not exist. */
                    after: unknown;
                }[];
            };
        };
        /** @description A flowchart. */
        FlowRenderResponse: {
            data: {
                mermaid: string;
            };
        };
        /** @description A definition, and the inputs for its blocks. */
        FlowRehearsalRequest: {
            /** @description See `GET /flows/schema`. */
            definition: unknown;
            /** @description Variables that an execution would start with. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description The contact of the rehearsal. */
            contact?: {
                name?: string;
                phone?: string;
                email?: string;
                external_id?: string;
            };
            /** @description The contact's custom fields. */
            fields?: {
                [key: string]: unknown;
            };
            inputs?: {
                /** @description The customer's message. */
                reply?: string;
                /** @description Id of the button or list row that the customer chooses. */
                choice?: string;
                /**
                 * @description No answer comes until the time-out.
                 * @constant
                 */
                silence?: true;
                /** @description JSON answer of another system. */
                answer?: unknown;
                /** @description The other system fails. */
                error?: string;
            }[];
        };
        /** @description Result of the rehearsal. */
        FlowRehearsalResponse: {
            data: {
                scenes: {
                    block: string;
                    /** @description The action that would be done. */
                    effect: {
                        [key: string]: unknown;
                    };
                    /** @description Exit that the flow took; null while it waits for an input. */
                    way: string | null;
                }[];
                /** @description The input that the flow waits for. */
                waiting: string | null;
                ended: {
                    /** @enum {string} */
                    status: "completed" | "handed_off" | "expired" | "failed";
                    outcome: string | null;
                    reason: string | null;
                } | null;
                vars: {
                    [key: string]: unknown;
                };
                answers: {
                    [key: string]: unknown;
                };
                fields: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description Result of the check. */
        FlowCheckResponse: {
            data: {
                publishable: boolean;
                problems: components["schemas"]["FlowProblem"][];
            };
        };
        /** @description The schema of definitions. */
        FlowSchemaResponse: {
            /** @description JSON Schema, draft 2020-12 vocabulary. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description Name of an agent or a group. */
        TeamMemberWrite: {
            name: string;
        };
        /** @description A text to save. */
        SavedReplyCreate: {
            /** @description What it is about. */
            title: string;
            /** @description People type it behind a slash. Small letters without accents, digits and hyphens. */
            short_cut: string;
            /** @description The answer, with or without the name of the customer. */
            text: string;
        };
        /** @description What changes of a saved reply. */
        SavedReplyWrite: {
            /** @description What it is about. */
            title?: string;
            /** @description People type it behind a slash. Small letters without accents, digits and hyphens. */
            short_cut?: string;
            /** @description The answer, with or without the name of the customer. */
            text?: string;
        };
        /** @description A text that the team answers customers with. */
        SavedReply: {
            uuid: components["schemas"]["Uuid"];
            /** @description What it is about. */
            title: string;
            /** @description People type it behind a slash. Small letters without accents, digits and hyphens. */
            short_cut: string;
            /** @description The answer, with or without the name of the customer. */
            text: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Saved replies of a company. */
        SavedReplyList: {
            /** @description By short cut. */
            data: components["schemas"]["SavedReply"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One saved reply. */
        SavedReplyResponse: {
            data: components["schemas"]["SavedReply"];
        };
        /** @description What a page has open. */
        PresenceWrite: {
            page: components["schemas"]["Uuid"];
            /**
             * Format: uuid
             * @description Null when none is open any more.
             */
            conversation_uuid: string | null;
            /**
             * @description Whether somebody types an answer.
             * @default false
             */
            typing?: boolean;
        };
        /** @description Whether this process has a stream of the page, so that others can see it. */
        PresenceResponse: {
            /** @description Whether this process has a stream of the page, so that others can see it. */
            data: {
                /** @description False where no stream of the page is open in this process. */
                shown: boolean;
            };
        };
        /** @description One thing that happened. */
        ConversationStep: {
            at: components["schemas"]["Timestamp"];
            /**
             * @description What happened.
             * @enum {string}
             */
            what: "assigned" | "resolved" | "reopened" | "pending" | "flow_started" | "flow_queued" | "flow_waits" | "flow_parked" | "flow_ended" | "handed_off" | "order_moved";
            /** @description As recorded with the event, such as `user:` and the uuid of a person of the team. */
            actor: string;
            /**
             * Format: uuid
             * @description Of `assigned`; null when nobody is in charge.
             */
            agent_uuid: string | null;
            /**
             * Format: uuid
             * @description Of `assigned`.
             */
            group_uuid: string | null;
            /**
             * Format: uuid
             * @description The execution of the flow.
             */
            execution_uuid: string | null;
            /**
             * Format: uuid
             * @description The flow.
             */
            flow_uuid: string | null;
            /** @description The present name of the flow. */
            flow_name: string | null;
            /**
             * Format: uuid
             * @description Of `order_moved`.
             */
            order_uuid: string | null;
            /**
             * Format: int32
             * @description Of `order_moved`.
             */
            order_number: number | null;
            /** @description How the flow ended, or the new status of the order. */
            status: string | null;
            /** @description Why the flow ended or rests; what it waits for (`time`, `callback`); who handed over (`handoff`, `asked`, `person`), or what opened the conversation again (`agent`, `inbound`, `outbound`, `flow`). */
            reason: string | null;
            /**
             * Format: date-time
             * @description Of `flow_waits`, when the wait ends.
             */
            until: string | null;
        };
        /** @description What happened in a conversation. */
        ConversationStepList: {
            /** @description Newest first. */
            data: components["schemas"]["ConversationStep"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description An agent, or a group of agents. */
        TeamMemberCreate: {
            /** @enum {string} */
            kind: "agent" | "group";
            name: string;
        };
        /** @description An agent or group that conversations can be assigned to. */
        TeamMember: {
            uuid: components["schemas"]["Uuid"];
            /** @enum {string} */
            kind: "agent" | "group";
            name: string | null;
            /** @description What the person may do in the console; null for who can't sign in. */
            role: components["schemas"]["CompanyRole"] | null;
            email: string | null;
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description One note. */
        NoteResponse: {
            data: components["schemas"]["Note"];
        };
        /** @description One agent or group. */
        TeamMemberResponse: {
            data: components["schemas"]["TeamMember"];
        };
        /** @description Agents and groups of a company. */
        TeamResponse: {
            /** @description Oldest first. */
            data: components["schemas"]["TeamMember"][];
        };
        /** @description The agent or group in charge. */
        Assignee: {
            uuid: components["schemas"]["Uuid"];
            name: string;
        } | null;
        /** @description Conversations. */
        ConversationList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Conversation"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One conversation. */
        ConversationResponse: {
            data: components["schemas"]["Conversation"];
        };
        /** @description Contacts. */
        ContactList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Contact"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description A message that was sent, or is to be sent. */
        SentMessage: {
            /** @description The message, as in a conversation. */
            message: {
                [key: string]: unknown;
            };
            operation_uuid: components["schemas"]["NullableUuid"];
            channel_uuid: components["schemas"]["Uuid"];
            conversation_uuid: components["schemas"]["NullableUuid"];
            contact_uuid: components["schemas"]["NullableUuid"];
            /** @description The person it is for. Null where nobody is known yet, or any more. */
            contact: {
                name: string | null;
                phone: string | null;
            } | null;
            /** @description While it waits, `reason` and `until`. */
            waiting: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Sent messages. */
        SentMessageList: {
            /** @description The resources of this page. */
            data: components["schemas"]["SentMessage"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One message and what happened to it. */
        MessageStoryResponse: {
            data: components["schemas"]["SentMessage"] & {
                /** @description What happened, oldest first. */
                timeline: ({
                    /** @description Such as `accepted`, `gates`, `wait`, `attempt`, `status` or `delivery`. */
                    kind: string;
                    at: components["schemas"]["Timestamp"];
                } & {
                    [key: string]: unknown;
                })[];
            };
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
            /** @description The caller's own pairs. */
            metadata?: {
                [key: string]: string;
            };
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
        /** @description A thing of the company, by its kind and UUID. */
        FoundThing: {
            /**
             * @description What it is.
             * @enum {string}
             */
            kind: "contact" | "conversation" | "message" | "operation" | "order" | "product" | "flow" | "execution" | "channel" | "template" | "integration" | "webhook_endpoint" | "delivery";
            uuid: components["schemas"]["Uuid"];
            /**
             * @description What of the query named it.
             * @enum {string}
             */
            matched_by: "words" | "uuid" | "order_number" | "idempotency_key" | "provider_message_id";
            /** @description What people call it. */
            title: string | null;
        };
        /** @description Things of a company. */
        FoundThingsResponse: {
            /** @description What was found. */
            data: components["schemas"]["FoundThing"][];
        };
        /** @description One contact. */
        ContactResponse: {
            data: components["schemas"]["Contact"];
        };
        /** @description The erasure. */
        ErasedResponse: {
            data: components["schemas"]["Erased"];
        };
        /** @description Deliveries. */
        DeliveryList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Delivery"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One delivery. */
        DeliveryDetailResponse: {
            data: components["schemas"]["DeliveryDetail"];
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
        WebhookJob: {
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
        WebhookJobList: {
            /** @description The newest ones; this list is not paged. */
            data: components["schemas"]["WebhookJob"][];
        };
        /** @description One replay. */
        WebhookJobResponse: {
            data: components["schemas"]["WebhookJob"];
        };
        /** @description A uuid of your choice identifies the replay in all its requests. */
        WebhookReplayInput: {
            replay_uuid: components["schemas"]["Uuid"];
            /**
             * @description Queue the deliveries. Otherwise they are only counted.
             * @default false
             */
            deliver?: boolean;
        };
        /** @description One piece of a replay. */
        WebhookReplay: {
            /** @description The position that the replay has reached. */
            position: string | null;
            /** @description The position at which the replay ends. */
            up_to: string | null;
            done: boolean;
            /**
             * Format: int32
             * @description Events without a recorded delivery to this endpoint.
             */
            first_time: number;
            /**
             * Format: int32
             * @description Events with a recorded delivery to this endpoint.
             */
            again: number;
            /**
             * Format: int32
             * @description Events whose own delivery to it is in progress.
             */
            under_way: number;
            /**
             * Format: int32
             * @description Events about erased people, or about documents that a skipped event left out.
             */
            left_out: number;
        };
        /** @description One piece of a replay. */
        WebhookReplayResponse: {
            data: components["schemas"]["WebhookReplay"];
        };
        /** @description The new delivery. */
        RedeliveryResponse: {
            data: components["schemas"]["Redelivery"];
        };
        /** @description The end of a page of the history. */
        EventPageMeta: {
            /** @description Pass it as `after` for the next page; null on the last one. */
            next_cursor: string | null;
            /** @description Position up to which the history was read, also where a filter hid all of it. */
            position: string | null;
        };
        /** @description Events. */
        StoredEventList: {
            /** @description The resources of this page. */
            data: components["schemas"]["StoredEvent"][];
            meta: components["schemas"]["EventPageMeta"];
        };
        /** @description Event types. */
        EventTypeList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["EventType"][];
        };
        /** @description Projections. */
        ProjectionList: {
            /** @description All of them; this list is not paged. */
            data: components["schemas"]["Projection"][];
        };
        /** @description Parked webhooks. */
        ParkedIntakeList: {
            /** @description The resources of this page. */
            data: components["schemas"]["ParkedIntake"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One parked webhook. */
        ParkedIntakeDetailResponse: {
            data: components["schemas"]["ParkedIntakeDetail"];
        };
        /** @description The erasure of a person. */
        Erasure: {
            uuid: components["schemas"]["Uuid"];
            company_uuid: components["schemas"]["Uuid"];
            contact_uuid: components["schemas"]["Uuid"];
            /** @description Contacts that were merged into one are erased together. */
            contact_uuids: components["schemas"]["Uuid"][];
            /**
             * @description `requested`: keys still have to be destroyed. `removing`: the keys are destroyed, and copies of their data are being removed. `done`: no store holds anything of the person.
             * @enum {string}
             */
            status: "requested" | "removing" | "done";
            /** @description Reasons why it cannot end yet. It is retried automatically. */
            waiting_for: string[];
            /**
             * Format: int32
             * @description Number of keys of the person that existed.
             */
            keys_destroyed: number;
            /**
             * Format: int32
             * @description Documents and stored webhook payloads from which data of the person was removed.
             */
            removed: number;
            requested_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description Null while it is in progress.
             */
            ended_at: string | null;
        };
        /** @description Erasures. */
        ErasureList: {
            /** @description The resources of this page. */
            data: components["schemas"]["Erasure"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One erasure. */
        ErasureResponse: {
            data: components["schemas"]["Erasure"];
        };
        /** @description Work that a restore holds. */
        HeldWork: {
            uuid: components["schemas"]["Uuid"];
            /**
             * @description `send`: a message, `uuid` is its operation. `flow`: a wait or a step, `uuid` is the execution. `delivery`: a webhook delivery, `uuid` is the delivery. `order`: an order that was not paid in time, `uuid` is the order. `reaction`: the reaction of a worker to an event that it had not handled.
             * @enum {string}
             */
            kind: "send" | "flow" | "delivery" | "order" | "reaction";
            company_uuid: components["schemas"]["NullableUuid"];
            /** @description Effect that the work would have. Holds no personal data. */
            about: string;
            due_at: components["schemas"]["Timestamp"];
            restored_at: components["schemas"]["Timestamp"];
        };
        /** @description Work that a restore holds. */
        HeldWorkList: {
            /** @description The resources of this page. */
            data: components["schemas"]["HeldWork"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One piece of held work. */
        HeldWorkResponse: {
            data: components["schemas"]["HeldWork"];
        };
        /** @description Result of releasing or ending held work. */
        HeldWorkDecided: {
            /**
             * Format: int32
             * @description Number of items that this call released or ended.
             */
            done: number;
            /**
             * Format: int32
             * @description Number of items that are still held.
             */
            left: number;
        };
        /** @description Result of releasing or ending held work. */
        HeldWorkDecidedResponse: {
            data: components["schemas"]["HeldWorkDecided"];
        };
        /** @description An event that the events feed of an integration waits for. */
        EventGap: {
            uuid: components["schemas"]["Uuid"];
            company_uuid: components["schemas"]["Uuid"];
            integration_uuid: components["schemas"]["Uuid"];
            /** @description Id of the webhook event. */
            event_id: components["schemas"]["Uuid"];
            /** @description Null if the event's stream could not be read. */
            event_type: string | null;
            /** Format: int64 */
            sequence: number;
            stream: string;
            reason: string;
            since: components["schemas"]["Timestamp"];
        };
        /** @description A page of gaps. */
        EventGapList: {
            /** @description The resources of this page. */
            data: components["schemas"]["EventGap"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One gap. */
        EventGapResponse: {
            data: components["schemas"]["EventGap"];
        };
        /** @description Parked work. */
        ParkedMessage: {
            id: string;
            /** @description The group of workers it belongs to. */
            group: string;
            reason: string;
            /** @description Identifies the work. Holds no personal data. */
            value: {
                [key: string]: unknown;
            };
            parked_at: components["schemas"]["Timestamp"];
        };
        /** @description Parked work. */
        ParkedMessageList: {
            /** @description The resources of this page. */
            data: components["schemas"]["ParkedMessage"][];
            meta: components["schemas"]["PaginationMeta"];
        };
        /** @description One piece of parked work. */
        ParkedMessageResponse: {
            data: components["schemas"]["ParkedMessage"];
        };
        /** @description The file of a message. */
        RequestedMediaResponse: {
            data: {
                uuid: components["schemas"]["Uuid"];
                conversation_uuid: components["schemas"]["Uuid"];
                /** @enum {string} */
                media_status: "pending" | "stored" | "failed";
            };
        };
        /** @description The sandbox. */
        SandboxInfoResponse: {
            data: components["schemas"]["SandboxInfo"];
        };
        /** @description The result of the play. */
        SandboxPlayedResponse: {
            /** @description The answer of the play. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description The message. */
        SandboxRepliedResponse: {
            data: components["schemas"]["SandboxReplied"];
        };
        /** @description The process. */
        StatusResponse: {
            data: components["schemas"]["Status"];
        };
        /** @description A text to send. */
        TextReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
            content: components["schemas"]["TextContent"];
        };
        /** @description A template to send. */
        TemplateReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "template";
            content: components["schemas"]["TemplateContent"];
        };
        /** @description A picture to send. */
        ImageReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "image";
            content: components["schemas"]["FileContent"];
        };
        /** @description A video to send. */
        VideoReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "video";
            content: components["schemas"]["FileContent"];
        };
        /** @description A voice message or a sound to send. */
        AudioReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "audio";
            content: components["schemas"]["FileContent"];
        };
        /** @description A file to send. */
        DocumentReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "document";
            content: components["schemas"]["FileContent"];
        };
        /** @description A question to send. */
        QuestionReply: {
            /**
             * @description Decides the shape of `content`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "question";
            content: components["schemas"]["QuestionContent"];
        };
    };
    responses: {
        /** @description The caller's role does not allow the call, or the call did not come from the console's own page. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many things were revealed to this person. */
        RevealsExhausted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many attempts to sign in. */
        SignInSlowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many open streams. */
        StreamsLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Marketing is not enabled for the company. */
        SendForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The storefront is not available on the company's plan. */
        StoreForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The admin token is missing or wrong. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource was changed at the same moment, or an existing resource conflicts with the request. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The number is connected already. */
        ChannelConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter or field is not acceptable. */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The message cannot be played. */
        SandboxUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
        /** @description A fault of the server; quote the request id. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description WhatsApp refused the call, or the channel is disconnected. */
        ProviderUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description WhatsApp, or a store the service depends on, cannot be reached. */
        ProviderUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The endpoint is disabled and receives nothing. */
        EndpointUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The conversation cannot be reopened. */
        ReopenUnprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A store the service depends on cannot be reached. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
        /** @description Begin after this position, or with the first event at or after this time (ISO 8601; a date is midnight UTC). */
        From: string;
        /** @description End with this position, or before the first event at or after this time, which must not be before `from`. The end of the history by default. */
        To: string;
        /**
         * @description Any value. Pages of other sites can't send it.
         * @example 1
         */
        ConsoleHeader: string;
        /** @description The session. */
        SessionUuid: string;
        /** @description The company. */
        CompanyUuid: components["schemas"]["Uuid"];
        /** @description The flow. */
        FlowUuid: components["schemas"]["Uuid"];
        /** @description The integration. */
        IntegrationUuid: components["schemas"]["Uuid"];
        /** @description The webhook endpoint. */
        EndpointUuid: components["schemas"]["Uuid"];
        /** @description The channel. */
        ChannelUuid: components["schemas"]["Uuid"];
        /** @description The execution. */
        ExecutionUuid: components["schemas"]["Uuid"];
        /** @description Return personal data in the clear. The request for it is logged. */
        IncludePersonal: boolean;
        /** @description The operation. */
        OperationUuid: components["schemas"]["Uuid"];
        /** @description The saved reply. */
        ReplyUuid: components["schemas"]["Uuid"];
        /** @description The agent or group. */
        MemberUuid: components["schemas"]["Uuid"];
        /** @description The conversation. */
        ConversationUuid: components["schemas"]["Uuid"];
        /** @description The contact. */
        ContactUuid: components["schemas"]["Uuid"];
        /** @description The category. */
        CategoryUuid: components["schemas"]["Uuid"];
        /**
         * @description A unique key for this request, 1 to 128 characters; a UUID is a good choice. A retry with the same key and the same request returns the first answer and does nothing twice. The same key with another request answers 409 `idempotency_key_reused`. Kept for at least 24 hours.
         * @example pedido-1001-enviado
         */
        IdempotencyKey: string;
        /**
         * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the product as it was created, with `Idempotent-Replayed`, and creates no second one. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Keys of products are separate from those of messages and flow executions. Without a key, each request creates a product.
         * @example produto-camiseta-azul
         */
        ProductIdempotencyKey: string;
        /** @description `newest`: newest first. `recorded`: in the order in which they were recorded here, oldest first. The last page then has a `next_cursor` too. A later call with it returns the messages recorded since, also those that WhatsApp delivered late. It is null while there are no messages. */
        MessageOrder: "newest" | "recorded";
        /**
         * @description The `version` of the product that the change is based on, quoted, as `"7"`. It may be a list of several, or `*` for any. A product at another version answers 412 `precondition_failed` and stays as it is. Every change counts, also stock that an order took. Weak tags (`W/"7"`) never match. If the header is left out, any version is accepted.
         * @example "7"
         */
        IfMatch: string;
        /** @description The product. */
        ProductUuid: components["schemas"]["Uuid"];
        /** @description The order. */
        OrderUuid: components["schemas"]["Uuid"];
        /**
         * @description The public id of the key.
         * @example k7h2m9
         */
        KeyId: string;
        /** @description The replay. */
        ReplayUuid: components["schemas"]["Uuid"];
        /** @description The delivery. */
        DeliveryId: components["schemas"]["Uuid"];
        /** @description The parked webhook. */
        ParkedId: components["schemas"]["Uuid"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in our logs. An `X-Request-Id` that you send (1 to 128 characters of A-Z, a-z, 0-9, `.`, `_`, `-`) is kept; otherwise one is generated.
         * @example 0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11
         */
        "X-Request-Id": string;
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
         * @description `attachment`, with a safe name of the file.
         * @example attachment; filename="nota.pdf"; filename*=UTF-8''nota.pdf
         */
        "Content-Disposition": string;
        /**
         * @description Address of the created resource.
         * @example /admin/v1/operations/0198a6f0-0b01-7000-8000-000000000001
         */
        Location: string;
        /** @description The session, for the browser alone (HttpOnly, SameSite=Strict). */
        "Set-Cookie": string;
        /** @description What the answer of the identity provider is checked by, sealed, for the browser alone (HttpOnly, SameSite=Strict). */
        OidcCookie: string;
        /** @description Sent, as `true`, when this answer repeats the one given to an earlier request with the same key. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    makeSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLinkResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSessionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Any value. Pages of other sites can't send it.
                 * @example 1
                 */
                "X-Recado-Console": components["parameters"]["ConsoleHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The token of a link. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSessionResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signInByPassword: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Any value. Pages of other sites can't send it.
                 * @example 1
                 */
                "X-Recado-Console": components["parameters"]["ConsoleHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description E-mail and password */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordSignIn"];
            };
        };
        responses: {
            /** @description Signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSessionResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Any value. Pages of other sites can't send it.
                 * @example 1
                 */
                "X-Recado-Console": components["parameters"]["ConsoleHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Token and new password */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationAnswer"];
            };
        };
        responses: {
            /** @description Signed in */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSessionResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginOidcSignIn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Any value. Pages of other sites can't send it.
                 * @example 1
                 */
                "X-Recado-Console": components["parameters"]["ConsoleHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Nothing, or an invitation */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OidcBegin"];
            };
        };
        responses: {
            /** @description Where to go */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["OidcCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OidcBegunResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerOidc: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Any value. Pages of other sites can't send it.
                 * @example 1
                 */
                "X-Recado-Console": components["parameters"]["ConsoleHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The query of the address */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OidcAnswer"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OidcDoneResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Password */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proof"];
            };
        };
        responses: {
            /** @description Confirmed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmSessionByOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to go */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["OidcCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OidcBegunResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccountResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeOwnPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Present and new password */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Changed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    linkOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to go */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["OidcCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OidcBegunResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlinkOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disconnected */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A code of the app */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCode"];
            };
        };
        responses: {
            /** @description Recovery codes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["SignInSlowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enrolTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecretResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSessionList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session. */
                session_uuid: components["parameters"]["SessionUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSessionList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session. */
                session_uuid: components["parameters"]["SessionUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanies: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only this one. */
                company?: components["schemas"]["Uuid"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A company */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyWrite"];
            };
        };
        responses: {
            /** @description The new company */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A company */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMarketing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The changes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarketingSettingsWrite"];
            };
        };
        responses: {
            /** @description The company */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeOptOutWords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The changes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptOutWordsWrite"];
            };
        };
        responses: {
            /** @description The company */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePersonWords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The changes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonWordsWrite"];
            };
        };
        responses: {
            /** @description The company */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePrivacy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The changes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrivacySettings"];
            };
        };
        responses: {
            /** @description The company */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revealPersonalData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description What, and why */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevealWrite"];
            };
        };
        responses: {
            /** @description What is shown, and until when */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevealResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RevealsExhausted"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamChanges: {
        parameters: {
            query?: {
                /** @description A new UUID of the caller's choice, which names the page. */
                page?: components["schemas"]["Uuid"];
                /**
                 * @description The same for a first connection, such as `live_after` of the session. The header counts where both are given.
                 * @example 00000000000000048213
                 */
                after?: string;
            };
            header?: {
                /**
                 * @description The last `id` that you received. Clients of server-sent events send it by themselves.
                 * @example 00000000000000048213
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes, until the connection ends */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *
                     *     event: change
                     *     data: {"kind":"conversation","uuid":"0198a6f0-c002-7000-8000-000000000001"}
                     *
                     *     event: presence
                     *     data: {"conversation_uuid":"0198a6f0-c003-7000-8000-000000000001","people":[{"member_uuid":"0198a6f0-c00d-7000-8000-000000000001","typing":true}]}
                     *
                     *     : alive
                     *     id: 00000000000000048213
                     */
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["StreamsLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    tellPresence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description What the page has open */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresenceWrite"];
            };
        };
        responses: {
            /** @description Whether this process has a stream of the page, so that others can see it */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresenceResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description An integration */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationWrite"];
            };
        };
        responses: {
            /** @description The new integration */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationCreatedResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An integration */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
            cookie?: never;
        };
        /** @description The change */
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationChange"];
            };
        };
        responses: {
            /** @description The integration */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
            cookie?: never;
        };
        /** @description Without overlap, after a leak */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotate"];
            };
        };
        responses: {
            /** @description The new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretRotatedResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
            cookie?: never;
        };
        /** @description A key that can send */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyWrite"];
            };
        };
        responses: {
            /** @description The new key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreatedResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
                /**
                 * @description The public id of the key.
                 * @example k7h2m9
                 */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All endpoints */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integration. */
                integration_uuid: components["parameters"]["IntegrationUuid"];
            };
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
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
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
        /** @description Switch it off */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhooks: {
        parameters: {
            query?: {
                /** @description Begin after this position, or with the first event at or after this time (ISO 8601; a date is midnight UTC). */
                from?: components["parameters"]["From"];
                /** @description End with this position, or before the first event at or after this time, which must not be before `from`. The end of the history by default. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description The webhook endpoint. */
                endpoint_uuid: components["parameters"]["EndpointUuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayInput"];
            };
        };
        responses: {
            /** @description The counts of the piece, and the position that it reached */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookJobList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookJobResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookJobResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookJobResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverFailed: {
        parameters: {
            query?: never;
            header?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookJobResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All channels */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description A number */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelWrite"];
            };
        };
        responses: {
            /** @description The new channel */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChannelConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProviderUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disconnectChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceChannelToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        /** @description A token */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelTokenWrite"];
            };
        };
        responses: {
            /** @description The channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProviderUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    getSending: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The send controls of the channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendingResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeSending: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        /** @description The changes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendingWrite"];
            };
        };
        responses: {
            /** @description The send controls of the channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendingResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel, as WhatsApp reports it */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ProviderUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    getTemplateSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateSyncProgressResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncTemplates: {
        parameters: {
            query?: {
                /** @description With `false` the call answers 202 at once; `GET` the same address to follow the sync. */
                wait?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The channel. */
                channel_uuid: components["parameters"]["ChannelUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateSyncResponse"];
                };
            };
            /** @description The sync has begun */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateSyncProgressResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ProviderUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only in this review state. */
                status?: "APPROVED" | "PENDING" | "REJECTED" | "PAUSED" | "DISABLED" | "IN_APPEAL" | "DRAFT";
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
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
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description Create a flow */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowCreate"];
            };
        };
        responses: {
            /** @description The flow */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkFlow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Check a definition */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowDraftWrite"];
            };
        };
        responses: {
            /** @description The problems */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowCheckResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rehearseFlow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Rehearse a definition */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowRehearsalRequest"];
            };
        };
        responses: {
            /** @description The rehearsal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRehearsalResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFlowSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowSchemaResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
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
            /** @description The flow */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFlow: {
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
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameFlow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        /** @description Rename a flow */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowRename"];
            };
        };
        responses: {
            /** @description The flow */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveFlowDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        /** @description Save the draft */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FlowDraftWrite"];
            };
        };
        responses: {
            /** @description The flow */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishFlow: {
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
            /** @description The flow */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unpublishFlow: {
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
            /** @description The flow */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminFlowResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportFlow: {
        parameters: {
            query?: {
                /** @description `draft` (when left out), `published` or a number. */
                version?: string;
            };
            header?: never;
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A definition */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowDefinitionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    diffFlow: {
        parameters: {
            query?: {
                /** @description `published` when left out. */
                from?: string;
                /** @description `draft` when left out. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowDiffResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renderFlow: {
        parameters: {
            query?: {
                /** @description `draft` (when left out), `published` or a number. */
                version?: string;
            };
            header?: never;
            path: {
                /** @description The flow. */
                flow_uuid: components["parameters"]["FlowUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A flowchart */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowRenderResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only of this company. */
                company?: components["schemas"]["Uuid"];
                /** @description Only of this flow. */
                flow?: components["schemas"]["Uuid"];
                /** @description Only of this contact and of those merged with it. */
                contact?: components["schemas"]["Uuid"];
                /** @description Only in this status. */
                status?: "queued" | "processing" | "waiting" | "parked" | "completed" | "handed_off" | "expired" | "cancelled" | "failed";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getExecution: {
        parameters: {
            query?: {
                /** @description Return personal data in the clear. The request for it is logged. */
                include_personal?: components["parameters"]["IncludePersonal"];
            };
            header?: never;
            path: {
                /** @description The execution. */
                execution_uuid: components["parameters"]["ExecutionUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An execution */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listExecutionSteps: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Return personal data in the clear. The request for it is logged. */
                include_personal?: components["parameters"]["IncludePersonal"];
            };
            header?: never;
            path: {
                /** @description The execution. */
                execution_uuid: components["parameters"]["ExecutionUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionStepList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                execution_uuid: components["parameters"]["ExecutionUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The execution. */
                execution_uuid: components["parameters"]["ExecutionUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only of this company. */
                company?: components["schemas"]["Uuid"];
                /** @description Only in this status. */
                status?: "queued" | "processing" | "waiting" | "succeeded" | "failed";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
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
            /** @description An operation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationDetailResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
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
                /** @description Only in this status. */
                status?: "open" | "pending" | "resolved";
                /** @description Only those of this agent; `none` for those that nobody is in charge of. */
                agent?: string;
                /** @description Only of this channel. */
                channel?: components["schemas"]["Uuid"];
                /** @description Only of this contact and of those merged with it; sorted by channel. */
                contact?: components["schemas"]["Uuid"];
                /** @description Only those with messages that nobody has read. */
                unread?: boolean;
                /** @description `true`: only those that a flow is in charge of; `false`: only others. While a flow is in charge, a conversation is `pending`. */
                with_flow?: boolean;
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    markConversationPending: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        /** @description Assign a conversation */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationAssignment"];
            };
        };
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageDocumentList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendConversationMessage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique key for this request, 1 to 128 characters; a UUID is a good choice. A retry with the same key and the same request returns the first answer and does nothing twice. The same key with another request answers 409 `idempotency_key_reused`. Kept for at least 24 hours.
                 * @example pedido-1001-enviado
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        /** @description The message. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationMessageRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadConversationMedia: {
        parameters: {
            query: {
                /**
                 * @description As what the file will be sent.
                 * @example image
                 */
                kind: "image" | "video" | "audio" | "document";
            };
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        /** @description The file. */
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The upload */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaUploadResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanyMessages: {
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
                /** @description Whose `idempotency_key`; needed with it, and of no effect alone. */
                integration?: components["schemas"]["Uuid"];
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanyRefusals: {
        parameters: {
            query: {
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
                /** @description Whose calls. */
                integration: components["schemas"]["Uuid"];
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedSendList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompanyMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The message, or its operation. */
                message_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    writeNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        /** @description Leave a note */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteWrite"];
            };
        };
        responses: {
            /** @description The note */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSavedReplies: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReplyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addSavedReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description Save a reply */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedReplyCreate"];
            };
        };
        responses: {
            /** @description The saved reply */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReplyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeSavedReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The saved reply. */
                reply_uuid: components["parameters"]["ReplyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeSavedReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The saved reply. */
                reply_uuid: components["parameters"]["ReplyUuid"];
            };
            cookie?: never;
        };
        /** @description Change a saved reply */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedReplyWrite"];
            };
        };
        responses: {
            /** @description The saved reply */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReplyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Agents and groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description Add an agent or a group */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamMemberCreate"];
            };
        };
        responses: {
            /** @description The agent or group */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The agent or group. */
                member_uuid: components["parameters"]["MemberUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The agent or group. */
                member_uuid: components["parameters"]["MemberUuid"];
            };
            cookie?: never;
        };
        /** @description Rename an agent or a group */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamMemberWrite"];
            };
        };
        responses: {
            /** @description The agent or group */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantTeamAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The agent or group. */
                member_uuid: components["parameters"]["MemberUuid"];
            };
            cookie?: never;
        };
        /** @description Role and e-mail */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamAccess"];
            };
        };
        responses: {
            /** @description An invitation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLinkResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeTeamAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The agent or group. */
                member_uuid: components["parameters"]["MemberUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeTeamRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The agent or group. */
                member_uuid: components["parameters"]["MemberUuid"];
            };
            cookie?: never;
        };
        /** @description The role */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamRole"];
            };
        };
        responses: {
            /** @description The person */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reopenConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ReopenUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeOverConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ReopenUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConversationSteps: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationStepList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    markReadConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The conversation. */
                conversation_uuid: components["parameters"]["ConversationUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
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
                /** @description Words to search for. */
                query?: string;
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findAnything: {
        parameters: {
            query: {
                /** @description What to look for. */
                query: string;
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundThingsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeContact: {
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
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact. */
                contact_uuid: components["parameters"]["ContactUuid"];
            };
            cookie?: never;
        };
        /** @description Asked for by the person */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ContactErase"];
            };
        };
        responses: {
            /** @description Erased */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMarketingChoices: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description The contact. */
                contact_uuid: components["parameters"]["ContactUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketingChoiceList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    optOutContact: {
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
            /** @description The contact */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    optInContact: {
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
            /** @description The contact */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    mergeContacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact. */
                contact_uuid: components["parameters"]["ContactUuid"];
            };
            cookie?: never;
        };
        /** @description The other contact. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactMerge"];
            };
        };
        responses: {
            /** @description The contact that remains */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importContacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The rows. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactImport"];
            };
        };
        responses: {
            /** @description A result for each row, in order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImportResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompanyStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreSettingsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openCompanyStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description Settings */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreSettingsWrite"];
            };
        };
        responses: {
            /** @description The existing store */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreSettingsResponse"];
                };
            };
            /** @description The new store */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreSettingsResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeCompanyStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description Settings */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreSettingsWrite"];
            };
        };
        responses: {
            /** @description The store */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreSettingsResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeCompanyStorePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The plan */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StorePlanWrite"];
            };
        };
        responses: {
            /** @description The store */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreSettingsResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanyStoreCategories: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Categories */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreCategoriesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createStoreCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description A category */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreCategoryCreate"];
            };
        };
        responses: {
            /** @description The category */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreCategoryResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeStoreCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The category. */
                category_uuid: components["parameters"]["CategoryUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeStoreCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The category. */
                category_uuid: components["parameters"]["CategoryUuid"];
            };
            cookie?: never;
        };
        /** @description Changes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreCategoryPatch"];
            };
        };
        responses: {
            /** @description The category */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreCategoryResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadStoreImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The picture. */
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The picture */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreImageUploadResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanyStoreProducts: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Words of the name, the description or a code. */
                query?: string;
                /** @description Only products of this category. */
                category?: components["schemas"]["Uuid"];
                /** @description Only products that are on sale, or only those that are not. */
                active?: boolean;
                /**
                 * @description Only products of which the product itself, or an active variant, has at most this stock. Stock that is not
                 *     tracked is never low.
                 */
                stock_at_most?: number;
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductDocumentList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCompanyStoreProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your unique key for this request, 1 to 128 characters. A retry with the same key and the same request returns the product as it was created, with `Idempotent-Replayed`, and creates no second one. The same key with another request answers 409 `idempotency_key_reused`. A request that was refused is not remembered. Keys of products are separate from those of messages and flow executions. Without a key, each request creates a product.
                 * @example produto-camiseta-azul
                 */
                "Idempotency-Key"?: components["parameters"]["ProductIdempotencyKey"];
            };
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description The product, or the fields to change. */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The product */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductWrittenResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importStoreProducts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description Products */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreProductImport"];
            };
        };
        responses: {
            /** @description A result for each product, in order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductImportResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompanyStoreProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The product. */
                product_uuid: components["parameters"]["ProductUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductDocumentResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCompanyStoreProduct: {
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
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The product. */
                product_uuid: components["parameters"]["ProductUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeCompanyStoreProduct: {
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
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The product. */
                product_uuid: components["parameters"]["ProductUuid"];
            };
            cookie?: never;
        };
        /** @description The product, or the fields to change. */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The product */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreProductWrittenResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompanyOrders: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only orders in this status. */
                status?: components["schemas"]["StoreOrderStatus"];
            };
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderDocumentList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeCompanyOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
            };
            cookie?: never;
        };
        /** @description An order */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreOrderCreate"];
            };
        };
        responses: {
            /** @description The order */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderDocumentResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["StoreForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCompanyOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The order. */
                order_uuid: components["parameters"]["OrderUuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderDocumentResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moveCompanyOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The company. */
                company_uuid: components["parameters"]["CompanyUuid"];
                /** @description The order. */
                order_uuid: components["parameters"]["OrderUuid"];
            };
            cookie?: never;
        };
        /** @description The status to move to */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreOrderMove"];
            };
        };
        responses: {
            /** @description The order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderDocumentResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
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
                /** @description Only of this company. */
                company?: components["schemas"]["Uuid"];
                /** @description Only of this integration. */
                integration?: components["schemas"]["Uuid"];
                /** @description Only to this endpoint. */
                endpoint?: components["schemas"]["Uuid"];
                /** @description Only in this status. */
                status?: string;
                /** @description Only events of this type. Needs `integration`. */
                event_type?: string;
                /** @description Only deliveries created at this time or later. Needs `integration`. */
                created_from?: string;
                /** @description Only deliveries created before this time. Needs `integration`. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                /** @description Also show what was sent. It may contain personal data. */
                body?: boolean;
            };
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveryResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Whose. Left out by an operator, what concerns the server itself, such as a backup or a restore. */
                company?: components["schemas"]["Uuid"];
                /** @description Only what this actor did: `user:<uuid>` for a person, `admin` for operators, `key:<id>`. */
                actor?: string;
                /** @description Only of this kind. */
                kind?: components["schemas"]["AuditKind"];
                /** @description Begin after this position, or with the first event at or after this time (ISO 8601; a date is midnight UTC). */
                from?: components["parameters"]["From"];
                /** @description End with this position, or before the first event at or after this time, which must not be before `from`. The end of the history by default. */
                to?: components["parameters"]["To"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only these event types, separated by commas. */
                types?: string;
                /** @description Only of this company. */
                company?: components["schemas"]["Uuid"];
                /** @description Only this stream. */
                stream?: string;
                /** @description Only events that this actor caused, such as `admin`, `worker:sending` or `key:<id>`. */
                actor?: string;
                /** @description Only events with this `correlation_id`. */
                correlation?: string;
                /** @description Begin after this position, or with the first event at or after this time (ISO 8601; a date is midnight UTC). */
                from?: components["parameters"]["From"];
                /** @description End with this position, or before the first event at or after this time, which must not be before `from`. The end of the history by default. */
                to?: components["parameters"]["To"];
                /** @description `asc` is the order of the history; `desc` is newest first, and then `wait` has no effect. */
                order?: "asc" | "desc";
                /** @description Number of seconds that an empty last page may be held back until an event arrives. To follow the history, ask again with `after` set to `meta.position`. */
                wait?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredEventList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventRange: {
        parameters: {
            query?: {
                /** @description Begin after this position, or with the first event at or after this time (ISO 8601; a date is midnight UTC). */
                from?: components["parameters"]["From"];
                /** @description End with this position, or before the first event at or after this time, which must not be before `from`. The end of the history by default. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The range */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventRangeResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportEvents: {
        parameters: {
            query?: {
                /** @description Begin after this position, or with the first event at or after this time (ISO 8601; a date is midnight UTC). */
                from?: components["parameters"]["From"];
                /** @description End with this position, or before the first event at or after this time, which must not be before `from`. The end of the history by default. */
                to?: components["parameters"]["To"];
                /** @description Only these event types, separated by commas. */
                types?: string;
                /** @description Only of this company. */
                company?: components["schemas"]["Uuid"];
                /** @description Return personal data in the clear. The request for it is logged. */
                include_personal?: boolean;
                /** @description Return events as they are stored, with personal fields and secrets sealed. An import builds the same history from them. Each line is then `{position, id, type, stream, revision, meta, data}`. */
                exact?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of JSON */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSealedKeys: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SealedKeyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMasterKeyProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MasterKeyProofResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginHistoryImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HistoryImportBegin"];
            };
        };
        responses: {
            /** @description Progress of the import */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryImportResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importSealedKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SealedKeyBatch"];
            };
        };
        responses: {
            /** @description The keys are imported */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HistoryImportBatch"];
            };
        };
        responses: {
            /** @description Progress of the import */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryImportResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeHistoryImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Progress of the import */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryImportResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All types */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All projections */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRebuilds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last jobs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    startRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The rebuild to run. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RebuildWrite"];
            };
        };
        responses: {
            /** @description The order */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Uuid of the job, from the answer that created it. */
                rebuild_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Uuid of the job, from the answer that created it. */
                rebuild_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job at that moment */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptRebuild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Uuid of the job, from the answer that created it. */
                rebuild_uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job at that moment */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the projection, as in the list. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The projection */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipProjectionEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the projection, as in the list. */
                name: string;
            };
            cookie?: never;
        };
        /** @description The event to skip, and the reason. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkipWrite"];
            };
        };
        responses: {
            /** @description The record */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkipResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    flipProjection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the projection, as in the list. */
                name: string;
                /** @description One of `generation` and `kept_generations`. */
                generation: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    dropProjectionGeneration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the projection, as in the list. */
                name: string;
                /** @description One of `generation` and `kept_generations`. */
                generation: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    dropProjectionVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the projection, as in the list. */
                name: string;
                /** @description One of `kept_versions`. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RebuildResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listParkedIntake: {
        parameters: {
            query?: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedIntakeList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getParkedIntake: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The parked webhook. */
                id: components["parameters"]["ParkedId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A parked webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedIntakeDetailResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only erasures that have not ended, or only those that have. */
                open?: boolean;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The erasure. */
                erasure_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHeldWork: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only of this company. */
                company?: components["schemas"]["Uuid"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldWorkList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseHeldWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Uuid of the held work, as in the list. */
                held_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The work will be done */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldWorkResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endHeldWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Uuid of the held work, as in the list. */
                held_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The work is ended */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldWorkResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseOldestHeldWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldWorkDecidedResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOldestHeldWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldWorkDecidedResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listParkedMessages: {
        parameters: {
            query?: {
                /** @description Cursor: `meta.next_cursor` of the previous page. */
                after?: components["parameters"]["After"];
                /** @description Size of the page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only of this group of workers. */
                group?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedMessageList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryParkedMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the parked work, as in the list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The work will be retried */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedMessageResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEventGaps: {
        parameters: {
            query?: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventGapList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveOutEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The gap. */
                gap_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gap that was closed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventGapResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message. */
                message_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the file */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedMediaResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMessagePicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message. */
                message_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMessageFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message. */
                message_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A part of the file */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxInfoResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    playSandboxReply: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A customer writes */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxReply"];
            };
        };
        responses: {
            /** @description The message is on its way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxRepliedResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SandboxUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    playSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the play.
                 * @example message
                 */
                play: string;
            };
            cookie?: never;
        };
        /** @description Fields of the play */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxPlay"];
            };
        };
        responses: {
            /** @description Played */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxPlayedResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SandboxUnprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The target file, and the number of backups to keep */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BackupCreate"];
            };
        };
        responses: {
            /** @description The backup is being made */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description Another backup is being made. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The backup. */
                backup_uuid: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backup */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    examine: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The findings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExaminationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
