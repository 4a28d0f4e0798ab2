import type { App } from '../../application/app.js';
import { fingerprintOf } from '../../application/accept-once.js';
import { presentWebhookJob } from '../../application/resources/webhook-job.js';
import {
  endJob,
  listJobs,
  readJob,
  startJob,
  type JobOrigin,
  type JobRequest,
} from '../../application/webhooks/jobs.js';
import { deriveSecretId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import type { WebhookJobKind } from '../../read-models/webhook-jobs.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, type Call, type Caller, type Handlers } from '../middleware/call.js';
import { one } from './replies.js';

interface ReplayDeps<C extends Caller> {
  /** The endpoint of the path. @throws Refusal not_found */
  readonly endpointOf: (call: Call<C>) => Promise<WebhookEndpointDoc>;
  readonly originOf: (call: Call<C>, body: unknown) => JobOrigin;
  /** Prefix of `Location`. */
  readonly basePath: string;
}

/** Jobs on the deliveries of an endpoint: the same operations in the public API and in the admin API. */
export function replayRoutes<C extends Caller>(
  app: App,
  { endpointOf, originOf, basePath }: ReplayDeps<C>,
): Handlers<C> {
  const replayOf = (call: Call<C>): string => pathParam(call.params, 'replay_uuid');
  const start = (kind: WebhookJobKind) => async (call: Call<C>, body: JobRequest) => {
    const endpoint = await endpointOf(call);
    const { doc, replayed } = await startJob(app, kind, endpoint, body, originOf(call, body));
    const Location = `${basePath}/webhooks/${endpoint.endpoint_uuid}/replays/${doc.uuid}`;
    const headers = replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location };
    return { status: 202, headers, body: { data: presentWebhookJob(doc) } };
  };
  const redeliverFailed = start('redeliver_failed');

  return {
    startWebhookReplay: start('replay'),

    redeliverFailed: (call: Call<C>, body: RedeliverBody = {}) => {
      const { since, ...rest } = body;
      return redeliverFailed(call, { ...rest, from: since });
    },

    listWebhookReplays: async (call) => {
      const { endpoint_uuid } = await endpointOf(call);
      return { status: 200, body: { data: (await listJobs(app, endpoint_uuid)).map(presentWebhookJob) } };
    },

    getWebhookReplay: async (call) => {
      const { endpoint_uuid } = await endpointOf(call);
      return one(presentWebhookJob(await readJob(app, replayOf(call), endpoint_uuid)));
    },

    cancelWebhookReplay: async (call) => {
      const { endpoint_uuid } = await endpointOf(call);
      const { uuid } = await readJob(app, replayOf(call), endpoint_uuid);
      await endJob(app, uuid, { status: 'cancelled', reason: null });
      return one(presentWebhookJob(await readJob(app, uuid, endpoint_uuid)));
    },
  };
}

interface RedeliverBody {
  readonly since?: string;
  readonly per_second?: number;
  readonly dry_run?: boolean;
}

const KIND = 'webhook_replay_key';

/** Of the key's own integration. */
export const ownReplayRoutes = (app: App, basePath: string): Handlers<ApiCaller> =>
  replayRoutes<ApiCaller>(app, {
    basePath,
    async endpointOf({ caller, params }) {
      const uuid = pathParam(params, 'endpoint_uuid');
      const doc = (await app.readModels.get(webhookEndpoints.name, uuid))?.doc;
      if (doc?.integration_uuid === caller.integration) return doc;
      throw unknownEndpoint(uuid);
    },
    originOf({ caller, operation, params, headers }, body) {
      const key = headers['idempotency-key'];
      if (typeof key !== 'string') return { requestedBy: caller.actor };
      const route = `${operation.path} ${params['endpoint_uuid'] ?? ''}`;
      const uuid = deriveSecretId(app.indexSecret, KIND, caller.integration, key);
      const fingerprint = fingerprintOf(app, { method: operation.method, route, body: body ?? null });
      return { requestedBy: caller.actor, once: { uuid, fingerprint } };
    },
  });

export const unknownEndpoint = (uuid: string): Refusal =>
  new Refusal('not_found', 'Your integration has no such webhook endpoint.', { resource: 'webhook', uuid });
