/**
 * One attempt of a delivery, from the endpoint as it is now to what is recorded of the answer. It holds a slot of the
 * dispatcher all the while.
 */
import { createCache } from '../../ports/cache.js';
import { RETRY_SCHEDULE } from '../../domain/policies/webhook-schedule.js';
import { signingKey, type SigningKey } from '../../domain/policies/webhook-signature.js';
import type { Clock } from '../../ports/clock.js';
import type { DeliveryDoc } from '../../read-models/deliveries.js';
import {
  attemptHeaders,
  cancellation,
  classify,
  failureClass,
  signingSecrets,
  type AttemptFacts,
  type Held,
} from './attempt.js';
import type { DeliveryEndpoint } from './endpoints.js';
import type { Feed } from './feed.js';
import type { EndpointLane } from './lanes.js';
import type { WebhookDispatcherDeps, WebhookLimits } from './options.js';
import { learn, type Pace } from './pace.js';

export interface DeliverDeps extends Omit<WebhookDispatcherDeps, 'limits'> {
  readonly limits: WebhookLimits;
  readonly feed: Pick<Feed, 'record' | 'giveBack'>;
  /** True: no request may begin any more. */
  readonly stopped: () => boolean;
}

/** Resolves when the row is with the feed again. */
export type Deliver = (lane: EndpointLane, held: Held) => Promise<void>;

const CACHED_KEYS = 10_000;
/** Own faults (the directory does not answer, there is no secret): pause before a retry. Not counted as an attempt. */
const OWN_FAULT_PAUSE_MS = 1_000;

export function createDeliver(deps: DeliverDeps): Deliver {
  const { clock, logger, limits, feed } = deps;
  const schedule = deps.schedule ?? RETRY_SCHEDULE;
  const random = deps.random ?? Math.random;
  const keys = createCache<string, SigningKey>(CACHED_KEYS);

  function keyFor(secret: string): SigningKey {
    let key = keys.get(secret);
    if (key === undefined) {
      key = signingKey(secret);
      keys.set(secret, key);
    }
    return key;
  }

  const spanOf = (lane: EndpointLane, doc: DeliveryDoc) =>
    doc.correlation_id === undefined
      ? undefined
      : deps.tracing?.begin({
          name: 'webhook delivery',
          kind: 'client',
          correlationId: doc.correlation_id,
          attributes: {
            'recado.delivery_id': doc.delivery_id,
            'recado.event_type': doc.event_type,
            'recado.endpoint_uuid': lane.endpointUuid,
            'recado.attempt': doc.attempts + 1,
          },
        });

  function conclude(
    lane: EndpointLane,
    held: Held,
    made: Pick<AttemptFacts, 'endpoint' | 'keyFingerprint' | 'startedAt' | 'result'>,
  ): void {
    const { endpoint, startedAt, result } = made;
    const finishedAt = clock.now();
    const judged = classify({
      ...made,
      held,
      finishedAt,
      random,
      schedule,
    });
    learn(lane.pace, judged.signal, result.durationMs, clock.monotonic(), limits);
    logger.info(
      {
        delivery_id: held.entry.id,
        event_id: held.stored.doc.event_id,
        correlation_id: held.stored.doc.correlation_id,
        endpoint_uuid: lane.endpointUuid,
        step: judged.step,
        status: result.kind === 'answered' ? result.status : null,
        failure: judged.failure,
        duration_ms: Math.round(result.durationMs),
      },
      'webhook attempt',
    );
    deps.onAttempt?.({
      endpointUuid: lane.endpointUuid,
      companyUuid: endpoint.company_uuid,
      step: judged.step,
      status: result.kind === 'answered' ? result.status : null,
      failure: judged.failure,
      durationMs: result.durationMs,
      lagMs: Math.max(0, startedAt - held.entry.dueAt),
    });
    deps.onOutcome?.(endpoint, {
      at: finishedAt,
      failure: failureClass(result, judged.failure),
      restUntil: restUntil(lane.pace, clock),
    });
    feed.record(lane, judged.update);
    if (judged.step !== 'gone' || deps.onGone === undefined) return;
    deps.onGone(endpoint).catch((error: unknown) => {
      logger.error({ err: error, endpoint_uuid: lane.endpointUuid }, 'gone endpoint could not be disabled');
    });
  }

  return async (lane, held) => {
    const { doc } = held.stored;
    let endpoint: DeliveryEndpoint | null;
    try {
      endpoint = await deps.endpoints.get(lane.endpointUuid, doc.integration_uuid);
    } catch (error) {
      logger.warn({ err: error, endpoint_uuid: lane.endpointUuid }, 'webhook endpoint is not known now');
      return feed.giveBack(lane, held, clock.now() + OWN_FAULT_PAUSE_MS);
    }
    if (deps.stopped()) return feed.giveBack(lane, held, held.entry.dueAt);
    if (endpoint === null || !endpoint.enabled) {
      const reason = endpoint === null ? 'endpoint_removed' : 'endpoint_disabled';
      return feed.record(lane, cancellation(held, reason, clock.now()));
    }
    const secrets = signingSecrets(endpoint.secrets(), doc.attempts);
    const current = secrets[0];
    if (current === undefined) {
      logger.error({ endpoint_uuid: lane.endpointUuid }, 'webhook endpoint has no secret to sign with');
      return feed.giveBack(lane, held, clock.now() + OWN_FAULT_PAUSE_MS);
    }
    const startedAt = clock.now();
    const body = Buffer.from(doc.body, 'utf8');
    const signers = secrets.map(({ secret }) => keyFor(secret));
    const span = spanOf(lane, doc);
    const headers = attemptHeaders(doc, body, signers, startedAt);
    const result = await deps.sender.post({
      url: endpoint.url,
      // The receiver's own trace may continue from here (W3C Trace Context); the signature does not cover headers.
      headers: span ? { ...headers, traceparent: span.traceparent } : headers,
      body,
      timeoutMs: limits.timeoutMs,
    });
    const status = result.kind === 'answered' ? result.status : undefined;
    const failure =
      result.kind === 'failed' ? result.failure : status! >= 300 ? `status ${status}` : undefined;
    span?.end({ 'http.response.status_code': status }, failure);
    conclude(lane, held, { endpoint, keyFingerprint: current.fingerprint, startedAt, result });
  };
}

/** By the wall clock; null while the breaker is closed. */
function restUntil(pace: Pace, clock: Clock): number | null {
  return pace.restedMs === 0 ? null : Math.round(clock.now() + pace.restUntil - clock.monotonic());
}
