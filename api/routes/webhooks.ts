import type { App } from '../../application/app.js';
import type { Caller as Commander } from '../../application/provisioning/common.js';
import { rotateWebhookSecret } from '../../application/provisioning/integrations.js';
import { addWebhookEndpointOnce } from '../../application/provisioning/webhook-once.js';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  removeWebhookEndpoint,
  testWebhookEndpoint,
} from '../../application/provisioning/webhooks.js';
import { readHealth } from '../../application/queries/webhook-health.js';
import { presentWebhookEndpoint } from '../../application/resources/webhook-endpoint.js';
import type { Position } from '../../ports/event-store.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, type Call, type Handlers, type Reply } from '../middleware/call.js';
import { readWritten } from '../read-written.js';
import { backFillOf, type BackFillBody } from './back-fill.js';
import { keyedRequest, one } from './replies.js';
import { unknownEndpoint } from './webhook-replays.js';

/** A change that a key made. The operator is told: a key with `webhooks:write` can lead data out. */
export type EndpointChange = 'created' | 'changed' | 'deleted' | 'secret_rotated';

interface EndpointBody {
  readonly url?: string;
  readonly event_types?: readonly string[] | null;
  readonly enabled?: boolean;
}

interface NewEndpointBody extends EndpointBody, BackFillBody {
  readonly url: string;
}

/** Most endpoints of an integration that its own keys may create. */
const LIMIT = 20;

/** @param basePath prefix of `Location` */
export function webhookRoutes(
  app: App,
  basePath: string,
  onChange: (change: EndpointChange) => void = () => undefined,
): Handlers<ApiCaller> {
  async function endpointOf(call: Call<ApiCaller>): Promise<WebhookEndpointDoc> {
    const uuid = pathParam(call.params, 'endpoint_uuid');
    const doc = (await app.readModels.get(webhookEndpoints.name, uuid))?.doc;
    if (doc?.integration_uuid !== call.caller.integration) throw unknownEndpoint(uuid);
    return doc;
  }
  const refOf = ({ caller, params }: Call<ApiCaller>) => ({
    integrationUuid: caller.integration,
    endpointUuid: pathParam(params, 'endpoint_uuid'),
  });
  async function presentAll(docs: readonly WebhookEndpointDoc[]) {
    const health = await readHealth(
      app,
      docs.map(({ endpoint_uuid }) => endpoint_uuid),
    );
    return docs.map((doc) => presentWebhookEndpoint(doc, health.get(doc.endpoint_uuid), app.clock.now()));
  }
  const present = async (doc: WebhookEndpointDoc) => (await presentAll([doc]))[0];
  const written = async (uuid: string, position: Position | null) =>
    present(await readWritten(app, webhookEndpoints.name, uuid, position));

  function tell(
    { caller, requestId }: Call<ApiCaller>,
    change: EndpointChange,
    endpointUuid: string | null,
  ): void {
    const { actor, integration, company } = caller;
    app.logger.warn(
      {
        change,
        actor,
        endpoint_uuid: endpointUuid,
        integration_uuid: integration,
        company_uuid: company,
        request_id: requestId,
      },
      'an API key changed where webhooks go',
    );
    onChange(change);
  }

  async function create(call: Call<ApiCaller>, body: NewEndpointBody): Promise<Reply> {
    const { url, event_types: eventTypes, enabled } = body;
    const { integration: integrationUuid } = call.caller;
    const backFill = backFillOf(app, integrationUuid, call.caller.actor, body);
    const input = { integrationUuid, url, eventTypes, enabled, limit: LIMIT, ...backFill?.hook };
    const added =
      call.headers['idempotency-key'] === undefined
        ? { ...(await addWebhookEndpoint(app, input, commander(call))), earlier: null }
        : await addWebhookEndpointOnce(app, input, keyedRequest(call, body), commander(call));
    const { endpointUuid, position, earlier } = added;
    const Location = `${basePath}/webhooks/${endpointUuid}`;
    if (earlier === null) {
      await backFill?.begin();
      tell(call, 'created', endpointUuid);
      return { status: 201, headers: { Location }, body: { data: await written(endpointUuid, position) } };
    }
    // As it was created; GET returns its current state.
    const at = earlier.meta.occurred_at;
    const first: WebhookEndpointDoc = {
      endpoint_uuid: endpointUuid,
      integration_uuid: integrationUuid,
      company_uuid: call.caller.company,
      url,
      event_types: eventTypes ?? null,
      enabled: enabled ?? true,
      disabled_reason: null,
      changed_by: earlier.meta.actor,
      created_at: at,
      updated_at: at,
    };
    const headers = { Location, 'Idempotent-Replayed': 'true' };
    return {
      status: 201,
      headers,
      body: { data: presentWebhookEndpoint(first, undefined, app.clock.now()) },
    };
  }

  return {
    listWebhookEndpoints: async ({ caller }) => {
      const { documents } = await app.readModels.find(webhookEndpoints.name, {
        index: 'by_integration',
        equals: [caller.integration],
        order: 'asc',
        limit: UNPAGED,
      });
      return { status: 200, body: { data: await presentAll(documents.map(({ doc }) => doc)) } };
    },

    createWebhookEndpoint: create,

    getWebhookEndpoint: async (call) => ({
      status: 200,
      body: { data: await present(await endpointOf(call)) },
    }),

    updateWebhookEndpoint: async (call, { url, event_types, enabled }: EndpointBody) => {
      const ref = refOf(call);
      const input = { ...ref, url, eventTypes: event_types, enabled };
      const { position } = await changeWebhookEndpoint(app, input, commander(call));
      if (position !== null) tell(call, 'changed', ref.endpointUuid);
      return { status: 200, body: { data: await written(ref.endpointUuid, position) } };
    },

    deleteWebhookEndpoint: async (call) => {
      const ref = refOf(call);
      await removeWebhookEndpoint(app, ref, commander(call));
      tell(call, 'deleted', ref.endpointUuid);
      return { status: 204 };
    },

    testWebhookEndpoint: async (call) => {
      const { eventId } = await testWebhookEndpoint(app, refOf(call), commander(call));
      return { status: 202, body: { data: { event_id: eventId } } };
    },

    rotateWebhookSecret: async (call, body?: { readonly grace_seconds?: number }) => {
      const input = { integrationUuid: call.caller.integration, graceSeconds: body?.grace_seconds };
      const { webhookSecret, previousExpiresAt } = await rotateWebhookSecret(app, input, commander(call));
      tell(call, 'secret_rotated', null);
      return one({ webhook_secret: webhookSecret, previous_expires_at: previousExpiresAt });
    },
  };
}

/** Operators may create more than LIMIT. */
const UNPAGED = 1_000;

const commander = ({ caller, requestId }: Call<ApiCaller>): Commander => ({
  actor: caller.actor,
  correlationId: requestId,
});
