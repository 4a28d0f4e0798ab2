/**
 * Sends webhook deliveries: at least once, at most `maxPerEndpoint` at a time to one endpoint, endpoints in round
 * robin.
 *
 * Every delivery is a row of the due-time store until it has ended, so a crash anywhere only lets a lease expire. Rows
 * are claimed endpoint by endpoint, and no faster than the endpoint accepts them: one that hangs occupies its own slots
 * and nothing else. Many slow ones leave a share of all slots to those that answer quickly.
 */
import type { Held } from './attempt.js';
import { createDeliver } from './deliver.js';
import { MAX_UNRECORDED, startFeed } from './feed.js';
import { createEndpointLanes, type EndpointLane } from './lanes.js';
import { DEFAULT_WEBHOOK_LIMITS, type WebhookDispatcherDeps, type WebhookLimits } from './options.js';
import { isQuick } from './pace.js';
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

/**
 * Counted from the end of the last attempt in flight; an attempt not recorded by then is sent again by the next
 * process.
 */
export const RECORD_WITHIN_MS = 8_000;

export function startWebhookDispatcher(deps: WebhookDispatcherDeps): WebhookDispatcher {
  const { clock, logger } = deps;
  const limits: WebhookLimits = { ...DEFAULT_WEBHOOK_LIMITS, ...deps.limits };
  const lanes = createEndpointLanes(limits);
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
  const deliver = createDeliver({ ...deps, limits, feed, stopped: () => stopped });

  function start(lane: EndpointLane, held: Held): void {
    const outlives = clock.monotonic() + limits.timeoutMs > held.leaseUntil;
    if (outlives) return feed.giveBack(lane, held, held.entry.dueAt);
    const slow = isQuick(lane.pace, limits) ? 0 : 1;
    inFlight += 1;
    slowInFlight += slow;
    lane.inFlight += 1;
    deliver(lane, held)
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
