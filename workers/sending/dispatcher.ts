/**
 * Hands accepted messages to the provider at the channel's and the recipient's pace. Waiting messages stay in the
 * due-time store; this holds only what is being sent right now and one number per channel.
 */
import { LRUCache } from 'lru-cache';
import type { App } from '../../application/app.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { advance, conformsAt, RECIPIENT_PACE, type Pace } from '../../domain/policies/gcra.js';
import type { ClaimedEntry, Settlement } from '../../ports/due-times.js';
import { attemptSend, type BegunAttempts } from './attempt.js';
import type { Backlog } from './intake.js';
import { channelPace, mayGo, nextTurn, took, type Lane } from './lane.js';
import { createLanes } from './lanes.js';
import type { Judged } from './outcome.js';
import { RECONCILE_QUEUE, SEND_QUEUE, type SendPayload } from './queue.js';
import { RECORDING_MS, type Step } from './record.js';

const POLL_MS = 1_000;
const MAX_CLAIM = 64;
/** A wake-up sooner than this is not worth a timer of its own. */
const MIN_WAIT_MS = 1;

export interface SendDispatcher extends Backlog {
  stop(): Promise<void>;
  /** Resolves when nothing is under way and nothing is due. For tests and an orderly end. */
  idle(): Promise<void>;
}

export interface SendDispatcherOptions {
  /** Calls under way at once, over all channels. */
  readonly maxInFlight?: number;
  readonly onStep?: (step: Step, payload: SendPayload) => void;
}

export async function startSendDispatcher(
  app: App,
  options: SendDispatcherOptions = {},
): Promise<SendDispatcher> {
  const { clock, dueTimes, logger } = app;
  const maxInFlight = options.maxInFlight ?? 256;
  const leaseMs = app.settings.providerTimeoutMs + RECORDING_MS;
  const pace: Pace = channelPace(app.settings.channelRate);
  const lanes = createLanes(app, () => settleIdlers());
  const recipients = new LRUCache<string, number>({ max: 100_000 });
  const begun: BegunAttempts = new Map();
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let cancelPoll: (() => void) | undefined;
  let idlers: (() => void)[] = [];

  function wake(lane: Lane, at: number): void {
    if (stopped || at >= lane.wakeAt) return;
    lane.cancelWake?.();
    lane.wakeAt = at;
    lane.cancelWake = clock.after(Math.max(MIN_WAIT_MS, at - clock.now()), () => {
      lane.wakeAt = Infinity;
      lane.cancelWake = undefined;
      pump(lane);
    });
  }

  function pump(lane: Lane): void {
    if (stopped) return;
    if (lane.pumping) {
      lane.again = true;
      return;
    }
    lane.pumping = true;
    drain(lane)
      .catch((error: unknown) => {
        logger.error({ err: error, channel_uuid: lane.channelUuid }, 'could not claim due sends');
        wake(lane, clock.now() + POLL_MS);
      })
      .finally(() => {
        lane.pumping = false;
        settleIdlers();
      });
  }

  /** Claims no more than may go right now, so that whatever waits stays where others can see it. */
  async function drain(lane: Lane): Promise<void> {
    do {
      lane.again = false;
      for (;;) {
        if (stopped || !lane.lease.held()) return;
        const room = Math.min(MAX_CLAIM, maxInFlight - underWay.size);
        if (room <= 0) break;
        const now = clock.now();
        const limit = mayGo(lane, now, pace, room);
        if (limit === 0) {
          wake(lane, nextTurn(lane, pace));
          break;
        }
        const { channelUuid } = lane;
        const claimed = await dueTimes.claim({
          queue: SEND_QUEUE,
          lane: channelUuid,
          now,
          limit,
          leaseMs,
        });
        for (const entry of claimed) begin(lane, entry);
        if (claimed.length < limit) break;
      }
    } while (lane.again);
  }

  function begin(lane: Lane, entry: ClaimedEntry): void {
    const payload = entry.payload as SendPayload;
    const now = clock.now();
    const pair = `${lane.channelUuid}:${payload.subject}`;
    let task: Promise<void>;
    const pairAt = app.settings.paceRecipients ? conformsAt(recipients.get(pair) ?? 0, RECIPIENT_PACE) : 0;
    if (now > payload.deadline) {
      // Costs no pace: whatever has run out is cleared away as fast as it can be written down.
      task = attempt(lane, entry, payload);
    } else if (pairAt > now) {
      task = deferForRecipient(lane, entry, payload, pairAt);
    } else {
      took(lane, now, pace);
      recipients.set(pair, advance(recipients.get(pair) ?? 0, now, RECIPIENT_PACE));
      task = attempt(lane, entry, payload);
    }
    underWay.add(task);
    void task.finally(() => {
      underWay.delete(task);
      if (underWay.size === maxInFlight - 1) for (const other of lanes.all()) pump(other);
      settleIdlers();
    });
  }

  async function attempt(lane: Lane, entry: ClaimedEntry, payload: SendPayload): Promise<void> {
    try {
      const step = await attemptSend(app, {
        operationUuid: entry.id,
        payload,
        fence: entry.fence,
        channelIntervalMs: pace.intervalMs,
        begun,
      });
      if (step.kind === 'reconcile') {
        // Before the entry goes: a crash in between repeats this, and changes nothing.
        await dueTimes.schedule([{ ...entry, queue: RECONCILE_QUEUE, dueAt: step.until }]);
      } else if (step.judged) {
        holdBack(lane, payload, step.judged);
      }
      await settle(lane, entry, step.kind === 'again' ? step.at : null);
      options.onStep?.(step, payload);
    } catch (error) {
      logger.error(
        { err: error, operation_uuid: entry.id },
        'sending failed on our side; it will be looked at again',
      );
      await settle(lane, entry, clock.now() + POLL_MS).catch(() => undefined);
    }
  }

  async function deferForRecipient(
    lane: Lane,
    entry: ClaimedEntry,
    payload: SendPayload,
    at: number,
  ): Promise<void> {
    // At the deadline at the latest, so that it ends in time.
    const until = Math.min(at, payload.deadline + 1);
    try {
      await app.executor.execute(
        operationAggregate,
        entry.id,
        { type: 'DeferSend', reason: 'recipient_pace', until: new Date(until).toISOString() },
        {
          company: payload.company,
          actor: 'worker:sending',
          commandId: `${payload.event_id}/defer/${entry.claims}`,
          correlationId: payload.correlation_id,
          causationId: payload.event_id,
          subject: null,
        },
      );
      await settle(lane, entry, until);
    } catch (error) {
      logger.error({ err: error, operation_uuid: entry.id }, 'deferring a send failed');
      await settle(lane, entry, clock.now() + POLL_MS).catch(() => undefined);
    }
  }

  /** `null` ends the entry; a time brings it back. */
  async function settle(lane: Lane, entry: ClaimedEntry, at: number | null): Promise<void> {
    const { queue, id, fence } = entry;
    const settlement: Settlement =
      at === null ? { queue, id, fence, then: 'done' } : { queue, id, fence, then: 'again', dueAt: at };
    await dueTimes.settle([settlement]);
    if (at === null) lane.backlog = Math.max(0, lane.backlog - 1);
    else wake(lane, at);
  }

  /** The provider asked for less: from this recipient only, or from the number as a whole. */
  function holdBack(lane: Lane, payload: SendPayload, judged: Judged): void {
    if (!judged.hold) return;
    const { scope, until } = judged.hold;
    if (scope === 'pair') {
      const tat = until + (RECIPIENT_PACE.burst - 1) * RECIPIENT_PACE.intervalMs;
      const pair = `${lane.channelUuid}:${payload.subject}`;
      recipients.set(pair, Math.max(tat, recipients.get(pair) ?? 0));
    } else if (scope === 'number' || scope === 'account' || scope === 'app') {
      lane.tat = Math.max(lane.tat, until + (pace.burst - 1) * pace.intervalMs);
      lane.lease.leave({ tat: lane.tat });
    }
  }

  function settleIdlers(): void {
    if (underWay.size > 0 || [...lanes.all()].some((lane) => lane.pumping)) return;
    const waiting = idlers;
    idlers = [];
    for (const resolve of waiting) resolve();
  }

  const poll = async (): Promise<void> => {
    try {
      lanes.tidy();
      for (const { lane, nextDueAt } of await dueTimes.lanes(SEND_QUEUE, clock.now())) {
        lanes.with(lane, 'found', (found) =>
          nextDueAt <= clock.now() ? pump(found) : wake(found, nextDueAt),
        );
      }
    } catch (error) {
      logger.error({ err: error }, 'could not look for due sends');
    }
    if (!stopped) cancelPoll = clock.after(POLL_MS, () => void poll());
  };

  const unsubscribe = dueTimes.onScheduled((queue, channelUuid, dueAt) => {
    if (queue !== SEND_QUEUE) return;
    lanes.with(channelUuid, 'scheduled', (lane) => (dueAt <= clock.now() ? pump(lane) : wake(lane, dueAt)));
  });
  await poll();

  return {
    expectedWaitMs(channelUuid) {
      const lane = lanes.get(channelUuid);
      if (!lane) return 0;
      return Math.max(0, nextTurn(lane, pace) - clock.now()) + lane.backlog * pace.intervalMs;
    },
    added: (channelUuid, count) => lanes.with(channelUuid, 'scheduled', (lane) => (lane.backlog += count)),
    async stop() {
      stopped = true;
      unsubscribe();
      cancelPoll?.();
      for (const lane of lanes.all()) lane.cancelWake?.();
      await Promise.allSettled(underWay);
      await lanes.releaseAll();
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        settleIdlers();
      }),
  };
}
