import type { App } from '../../application/app.js';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  removeWebhookEndpoint,
  testWebhookEndpoint,
} from '../../application/provisioning/webhooks.js';
import { readHealth } from '../../application/queries/webhook-health.js';
import { presentWebhookEndpoint } from '../../application/resources/webhook-endpoint.js';
import type { Places } from '../../application/history/place.js';
import { START, type Position } from '../../ports/event-store.js';
import { integrations } from '../../read-models/integrations.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import { backFillOf, type BackFillBody } from '../routes/back-fill.js';
import { replayRoutes } from '../routes/webhook-replays.js';
import { pathParam, type Call, type Caller } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import { boundsOf } from './events.js';
import {
  ADMIN_PATH,
  accepted,
  commander,
  created,
  nothing,
  readAll,
  readDocument,
  readWritten,
  unpaged,
  type AdminHandlers,
} from './support.js';

interface EndpointBody {
  readonly url?: string;
  readonly event_types?: readonly string[] | null;
  readonly enabled?: boolean;
}

/** Sends a range of the history to an endpoint again, or counts the events to send. */
export type ReplayWebhooks = (piece: {
  readonly endpoint: WebhookEndpointDoc;
  readonly after: Position;
  readonly upTo: Position;
  readonly replayUuid: string;
  readonly deliver: boolean;
}) => Promise<{
  readonly position: Position;
  readonly first: number;
  readonly again: number;
  readonly pending: number;
  readonly leftOut: number;
}>;

export function webhookRoutes(app: App, places: Places, replay: ReplayWebhooks): AdminHandlers {
  const { readModels } = app;
  const endpointOf = (call: Call): Promise<WebhookEndpointDoc> =>
    readDocument(readModels, webhookEndpoints.name, pathParam(call.params, 'endpoint_uuid'), 'webhook');
  const refOf = async (call: Call) => {
    const { endpoint_uuid, integration_uuid } = await endpointOf(call);
    return { endpointUuid: endpoint_uuid, integrationUuid: integration_uuid };
  };
  const present = async (doc: WebhookEndpointDoc) => {
    const health = await readHealth(app, [doc.endpoint_uuid]);
    return presentWebhookEndpoint(doc, health.get(doc.endpoint_uuid), app.clock.now());
  };
  async function presentAll(docs: readonly WebhookEndpointDoc[]) {
    const health = await readHealth(
      app,
      docs.map(({ endpoint_uuid }) => endpoint_uuid),
    );
    return docs.map((doc) => presentWebhookEndpoint(doc, health.get(doc.endpoint_uuid), app.clock.now()));
  }
  const written = async (uuid: string, position: Position | null) =>
    present(await readWritten(app, webhookEndpoints.name, uuid, position));

  return {
    ...replayRoutes<Caller>(app, {
      basePath: ADMIN_PATH,
      endpointOf,
      originOf: ({ caller }) => ({ requestedBy: caller.actor }),
    }),

    listWebhookEndpoints: async ({ params }) => {
      const uuid = pathParam(params, 'integration_uuid');
      await readDocument(readModels, integrations.name, uuid, 'integration');
      const docs = await readAll(readModels, webhookEndpoints.name, 'by_integration', [uuid]);
      return unpaged(await presentAll(docs));
    },

    createWebhookEndpoint: async (call, body: EndpointBody & BackFillBody & { readonly url: string }) => {
      const { url, event_types: eventTypes, enabled } = body;
      const integrationUuid = pathParam(call.params, 'integration_uuid');
      const backFill = backFillOf(app, integrationUuid, call.caller.actor, body);
      const input = { integrationUuid, url, eventTypes, enabled, ...backFill?.hook };
      const { endpointUuid, position } = await addWebhookEndpoint(app, input, commander(call));
      await backFill?.begin();
      return created(await written(endpointUuid, position));
    },

    getWebhookEndpoint: async (call) => one(await present(await endpointOf(call))),

    updateWebhookEndpoint: async (call, { url, event_types, enabled }: EndpointBody) => {
      const ref = await refOf(call);
      const input = { ...ref, url, eventTypes: event_types, enabled };
      const { position } = await changeWebhookEndpoint(app, input, commander(call));
      return one(await written(ref.endpointUuid, position));
    },

    deleteWebhookEndpoint: async (call) => {
      await removeWebhookEndpoint(app, await refOf(call), commander(call));
      return nothing;
    },

    testWebhookEndpoint: async (call) => {
      const { eventId } = await testWebhookEndpoint(app, await refOf(call), commander(call));
      return accepted({ event_id: eventId });
    },

    replayWebhooks: async (call, body: { readonly deliver?: boolean; readonly replay_uuid: string }) => {
      const endpoint = await endpointOf(call);
      const { after, upTo } = await boundsOf(app, places, call);
      const end = upTo ?? (await app.store.head());
      const { deliver = false, replay_uuid: replayUuid } = body;
      const piece = { endpoint, after, upTo: end, replayUuid, deliver };
      const { position, first, again, pending, leftOut } = await replay(piece);
      return one({
        position: position === START ? null : position,
        up_to: end === START ? null : end,
        done: position >= end,
        first_time: first,
        again,
        under_way: pending,
        left_out: leftOut,
      });
    },
  };
}
