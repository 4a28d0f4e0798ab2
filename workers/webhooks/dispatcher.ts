/**
 * Sends webhook deliveries: at least once, at most `maxPerEndpoint` at a time to one endpoint, endpoints in round
 * robin.
 *
 * Every delivery is a row of the due-time store until it has ended, so a crash anywhere only lets a lease expire. Rows
 * are claimed endpoint by endpoint, and no faster than the endpoint accepts them: one that hangs occupies its own slots
 * and nothing else. Many slow ones leave a share of all slots to those that answer quickly.
 */
import { createCache } from '../../ports/cache.js';
import { RETRY_SCHEDULE } from '../../domain/policies/webhook-schedule.js';
import { signingKey, type SigningKey } from '../../domain/policies/webhook-signature.js';
import type { HttpResult } from '../../ports/http-sender.js';
import {
  attemptHeaders,
  signingSecrets,
  cancellation,
  classify,
  failureClass,
  type Held,
} from './attempt.js';
import type { DeliveryEndpoint } from './endpoints.js';
import { MAX_UNRECORDED, startFeed } from './feed.js';
import { createEndpointLanes, type EndpointLane } from './lanes.js';
import { DEFAULT_WEBHOOK_LIMITS, type WebhookDispatcherDeps, type WebhookLimits } from './options.js';
import { isQuick, learn } from './pace.js';
import { createRecorder } from './recorder.js';

export interface WebhookDispatcher {
  /**
   * Claims nothing new, lets requests in flight end and be recorded, and gives back claimed rows that were not sent.
   * After that it waits for an unavailable store for `RECORD_WITHIN_MS` at most.
   */
  stop(): Promise<void>;
  /** Resolves when nothing is in flight, unrecorded or due, as far as this process knows. */
  idle(): Promise<void>;
  stats(): WebhookStats;
}

export interface WebhookStats {
  readonly inFlight: number;
  /** Claimed and waiting for a slot. */
  readonly held: number;
  /** Endpoints whose breaker is open. */
  readonly resting: number;
  /** Attempts that have ended and are not durable yet. */
  readonly unrecorded: number;
}

const CACHED_KEYS = 10_000;
/** Own faults (the directory does not answer, there is no secret): pause before a retry. Not counted as an attempt. */
const OWN_FAULT_PAUSE_MS = 1_000;
/**
 * Counted from the end of the last attempt in flight; an attempt not recorded by then is sent again by the next
 * process.
 */
export const RECORD_WITHIN_MS = 8_000;

export function startWebhookDispatcher(deps: WebhookDispatcherDeps): WebhookDispatcher {
  const { clock, logger } = deps;
  const limits: WebhookLimits = { ...DEFAULT_WEBHOOK_LIMITS, ...deps.limits };
  const schedule = deps.schedule ?? RETRY_SCHEDULE;
  const random = deps.random ?? Math.random;
  const lanes = createEndpointLanes(limits);
  const keys = createCache<string, SigningKey>(CACHED_KEYS);
  const recorder = createRecorder({
    dueTimes: deps.dueTimes,
    readModels: deps.readModels,
    clock,
    gatherMs: limits.gatherMs,
    onError: (error) => logger.error({ err: error }, 'webhook attempts could not be recorded; trying again'),
  });
  const waitingForIdle: (() => void)[] = [];
  let inFlight = 0;
  /** Requests in flight to endpoints that were not known to be quick when the request began. */
  let slowInFlight = 0;
  let stopped = false;
  let cancelLetGo: (() => void) | undefined;

  const feed = startFeed({ ...deps, limits, lanes, recorder, changed: startWhatCan });

  function keyFor(secret: string): SigningKey {
    let key = keys.get(secret);
    if (key === undefined) {
      key = signingKey(secret);
      keys.set(secret, key);
    }
    return key;
  }

  async function send(lane: EndpointLane, held: Held): Promise<void> {
    const { doc } = held.stored;
    let endpoint: DeliveryEndpoint | null;
    try {
      endpoint = await deps.endpoints.get(lane.endpointUuid, doc.integration_uuid);
    } catch (error) {
      logger.warn({ err: error, endpoint_uuid: lane.endpointUuid }, 'webhook endpoint is not known now');
      return feed.giveBack(lane, held, clock.now() + OWN_FAULT_PAUSE_MS);
    }
    if (stopped) return feed.giveBack(lane, held, held.entry.dueAt);
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
    const span =
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
    conclude(lane, held, endpoint, current.fingerprint, startedAt, result);
  }

  function conclude(
    lane: EndpointLane,
    held: Held,
    endpoint: DeliveryEndpoint,
    keyFingerprint: string,
    startedAt: number,
    result: HttpResult,
  ): void {
    const finishedAt = clock.now();
    const judged = classify({
      held,
      endpoint,
      keyFingerprint,
      result,
      startedAt,
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
      restUntil: restUntil(lane),
    });
    feed.record(lane, judged.update);
    if (judged.step !== 'gone' || deps.onGone === undefined) return;
    deps.onGone(endpoint).catch((error: unknown) => {
      logger.error({ err: error, endpoint_uuid: lane.endpointUuid }, 'gone endpoint could not be disabled');
    });
  }

  /** By the wall clock; null while the breaker is closed. */
  function restUntil({ pace }: EndpointLane): number | null {
    return pace.restedMs === 0 ? null : Math.round(clock.now() + pace.restUntil - clock.monotonic());
  }

  function start(lane: EndpointLane, held: Held): void {
    const outlives = clock.monotonic() + limits.timeoutMs > held.leaseUntil;
    if (outlives) return feed.giveBack(lane, held, held.entry.dueAt);
    const slow = isQuick(lane.pace, limits) ? 0 : 1;
    inFlight += 1;
    slowInFlight += slow;
    lane.inFlight += 1;
    send(lane, held)
      .catch((error: unknown) => {
        // A fault of ours (a hook that throws). The row comes back when its lease expires.
        logger.error({ err: error, delivery_id: held.entry.id }, 'webhook attempt broke off');
      })
      .finally(() => {
        inFlight -= 1;
        slowInFlight -= slow;
        lane.inFlight -= 1;
        recordInTime();
        lanes.offer(lane);
        feed.look(lane);
        startWhatCan();
      });
  }

  function startWhatCan(): void {
    if (stopped) giveBackAll();
    while (!stopped && inFlight < limits.maxInFlight && recorder.backlog() < MAX_UNRECORDED) {
      const lane = lanes.take(clock.monotonic(), slowInFlight >= limits.maxSlowInFlight);
      if (lane === undefined) break;
      const held = feed.takeHeld(lane);
      lanes.offer(lane);
      start(lane, held);
    }
    if (waitingForIdle.length > 0 && isIdle()) for (const resolve of waitingForIdle.splice(0)) resolve();
  }

  function giveBackAll(): void {
    for (const lane of lanes.all()) feed.giveBackHeld(lane);
  }

  function isIdle(): boolean {
    if (inFlight > 0 || feed.busy() || recorder.backlog() > 0) return false;
    const now = clock.now();
    for (const lane of lanes.all()) {
      if (lane.held.length > 0 || (!stopped && lane.nextDueAt <= now)) return false;
    }
    return true;
  }

  function recordInTime(): void {
    if (stopped && inFlight === 0) cancelLetGo ??= clock.after(RECORD_WITHIN_MS, () => recorder.letGo());
  }

  const idle = (): Promise<void> =>
    isIdle() ? Promise.resolve() : new Promise((resolve) => waitingForIdle.push(resolve));

  return {
    async stop() {
      stopped = true;
      feed.stop();
      startWhatCan();
      recordInTime();
      await idle();
      cancelLetGo?.();
    },
    idle,
    stats() {
      const now = clock.monotonic();
      const all = [...lanes.all()];
      return {
        inFlight,
        held: all.reduce((sum, lane) => sum + lane.held.length, 0),
        resting: all.filter((lane) => now < lane.pace.restUntil).length,
        unrecorded: recorder.backlog(),
      };
    },
  };
}
