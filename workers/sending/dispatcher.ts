/**
 * Hands accepted messages to the provider at the channel's and the recipient's pace. Waiting messages stay in the
 * due-time store; this holds only what is being sent right now and a few numbers per channel.
 */
import { createCache } from '../../ports/cache.js';
import type { App } from '../../application/app.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { pumpInRounds } from '../kernel/rounds.js';
import { createTrouble } from '../kernel/trouble.js';
import type { Backlog } from './intake.js';
import { isStopped, mayGo, nextServed, nextTurn, paceAt, served, type Lane } from './lane.js';
import { createLanes } from './lanes.js';
import {
  laneName,
  parseLane,
  SEND_QUEUE,
  type SendPayload,
  type Urgency,
} from '../../application/send/queue.js';
import { RECORDING_MS, type Step } from './record.js';
import { roomFor } from './shares.js';
import { createTurns } from './turn.js';

const MOMENT_MS = 1_000;
const POLL_MS = 1_000;
const MAX_CLAIM = 64;
/** A wake-up sooner than this is not worth a timer of its own. */
const MIN_WAIT_MS = 1;
const FOREIGN_AFTER_MS = 1_000;

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
  const { clock, dueTimes } = app;
  const claiming = createTrouble(app, 'claiming due sends');
  const looking = createTrouble(app, 'looking for due sends');
  const maxInFlight = options.maxInFlight ?? 256;
  const leaseMs = app.settings.providerTimeoutMs + RECORDING_MS;
  const paceNow = (lane: Lane) => paceAt(lane, clock.monotonic(), app.settings.channelRate);
  const turns = createTurns(app, {
    heard,
    laneOf: (channelUuid) => lanes.get(channelUuid),
    onReady: pump,
    onStep: options.onStep,
    ending: () => stopped,
  });
  const lanes = createLanes(app, (lane) => {
    void turns.letGo(lane);
    settleIdlers();
  });
  const underWay = new Set<Promise<void>>();
  /** Channels that would send more if there was room for more calls. */
  const crowded = new Set<Lane>();
  let stopped = false;
  let cancelPoll: (() => void) | undefined;
  let idlers: (() => void)[] = [];

  function wake(lane: Lane, afterMs: number): void {
    const at = clock.monotonic() + afterMs;
    if (stopped || at >= lane.wakeAt) return;
    lane.cancelWake?.();
    lane.wakeAt = at;
    lane.cancelWake = clock.after(Math.max(MIN_WAIT_MS, afterMs), () => {
      lane.wakeAt = Infinity;
      lane.cancelWake = undefined;
      pump(lane);
    });
  }

  /** Something is or will be due in a lane of the channel. */
  function heard(lane: Lane, urgency: Urgency, dueAt: number): void {
    const waiting = lane.waiting[urgency];
    waiting.news += 1;
    waiting.dueAt = Math.min(waiting.dueAt, dueAt);
    if (isStopped(lane, urgency)) return;
    const inMs = dueAt - clock.now();
    if (inMs <= 0) pump(lane);
    else wake(lane, inMs);
  }

  function pump(lane: Lane): void {
    if (stopped) return;
    pumpInRounds(lane, () => drain(lane))
      .catch((error: unknown) => {
        claiming.failed(error);
        wake(lane, POLL_MS);
      })
      .finally(settleIdlers);
  }

  /** Claims no more than may go right now, so that whatever waits stays where others can see it. */
  async function drain(lane: Lane): Promise<void> {
    for (;;) {
      if (stopped || lane.leaving || !lane.lease.held()) return;
      const now = clock.now();
      if (lane.ready.length === 0 && nextServed(lane, now, 1) === null) return;
      const room = Math.min(MAX_CLAIM, roomFor(lane, lanes.all(), underWay.size, maxInFlight, now));
      if (room <= 0) {
        crowded.add(lane);
        return;
      }
      const pace = paceNow(lane);
      const most = mayGo(lane, clock.monotonic(), pace, room);
      if (most === 0) {
        wake(lane, nextTurn(lane, pace) - clock.monotonic());
        return;
      }
      const ready = lane.ready.shift();
      if (ready) {
        served(lane, ready.urgency, 1);
        start(lane, ready.urgency, ready.entry);
        continue;
      }
      const { urgency, limit } = nextServed(lane, now, most)!;
      const claimed = await claim(lane, urgency, limit, now);
      served(lane, urgency, claimed.length);
      for (const entry of claimed) begin(lane, urgency, entry);
    }
  }

  async function claim(
    lane: Lane,
    urgency: Urgency,
    limit: number,
    now: number,
  ): Promise<readonly ClaimedEntry[]> {
    const waiting = lane.waiting[urgency];
    const { news } = waiting;
    const name = laneName(lane.channelUuid, urgency);
    const claimed = await dueTimes.claim({ queue: SEND_QUEUE, lane: name, now, limit, leaseMs });
    claiming.worked();
    // Nothing more is due, unless something was heard of meanwhile.
    if (claimed.length < limit && waiting.news === news) waiting.dueAt = Infinity;
    return claimed;
  }

  /** What an operator has stopped still ends in time: entries that are a whole window old, whoever scheduled them. */
  async function clearStopped(lane: Lane, urgency: Urgency, nextDueAt: number): Promise<void> {
    const age = app.settings.pacingWindowMs + 1;
    const now = clock.now() - age;
    const limit = Math.min(MAX_CLAIM, maxInFlight - underWay.size);
    if (!isStopped(lane, urgency) || nextDueAt > now || limit <= 0 || !lane.lease.held()) return;
    const name = laneName(lane.channelUuid, urgency);
    const claim = { queue: SEND_QUEUE, lane: name, now, limit, leaseMs: age + leaseMs };
    for (const entry of await dueTimes.claim(claim)) begin(lane, urgency, entry);
  }

  function begin(lane: Lane, urgency: Urgency, entry: ClaimedEntry): void {
    // Due for the first time, and later than all that this process has scheduled.
    const now = clock.monotonic();
    const dueAt = now + (entry.dueAt - clock.now());
    if (entry.claims === 1 && dueAt > lane.scheduledAt + FOREIGN_AFTER_MS) lane.foreignAt = now;
    start(lane, urgency, entry);
  }

  function start(lane: Lane, urgency: Urgency, entry: ClaimedEntry): void {
    const task = turns.take(lane, urgency, entry);
    underWay.add(task);
    lane.inFlight += 1;
    void task.finally(() => {
      underWay.delete(task);
      lane.inFlight -= 1;
      makeRoom();
      settleIdlers();
    });
  }

  function makeRoom(): void {
    if (crowded.size === 0) return;
    const waiting = [...crowded].sort((a, b) => a.inFlight - b.inFlight);
    crowded.clear();
    for (const lane of waiting) pump(lane);
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
      await lanes.refresh();
      for (const { lane, nextDueAt } of await dueTimes.lanes(SEND_QUEUE, clock.now())) {
        const { channelUuid, urgency } = parseLane(lane);
        lanes.with(channelUuid, 'found', (found) => heard(found, urgency, nextDueAt));
        const ours = lanes.get(channelUuid);
        if (ours) await clearStopped(ours, urgency, nextDueAt);
      }
      looking.worked();
    } catch (error) {
      looking.failed(error);
    }
    if (!stopped) cancelPoll = clock.after(POLL_MS, () => void poll());
  };

  const unsubscribe = dueTimes.onScheduled((queue, lane, dueAt) => {
    if (queue !== SEND_QUEUE) return;
    const { channelUuid, urgency } = parseLane(lane);
    lanes.with(channelUuid, 'scheduled', (found) => heard(found, urgency, dueAt));
  });
  await poll();

  /** Messages that came within a second, of channels whose lane is not open here. */
  const moments = createCache<string, { readonly since: number; count: number }>(10_000);
  function momentOf(channelUuid: string): { count: number } {
    const now = clock.monotonic();
    let moment = moments.get(channelUuid);
    if (!moment || now - moment.since > MOMENT_MS)
      moments.set(channelUuid, (moment = { since: now, count: 0 }));
    return moment;
  }
  return {
    expectedWaitMs(name) {
      const { channelUuid, urgency } = parseLane(name);
      const lane = lanes.get(channelUuid);
      // Not opened yet, or somebody else's: all that is known is the rate, and what came in this very moment.
      if (!lane) return momentOf(channelUuid).count * (1000 / app.settings.channelRate);
      if (isStopped(lane, urgency)) return app.settings.pacingWindowMs;
      const pace = paceNow(lane);
      const { service, marketing } = lane.waiting;
      const before = service.backlog + (urgency === 'marketing' ? marketing.backlog : 0);
      return Math.max(0, nextTurn(lane, pace) - clock.monotonic()) + before * pace.intervalMs;
    },
    isStopped(name) {
      const { channelUuid, urgency } = parseLane(name);
      const lane = lanes.get(channelUuid);
      return lane !== undefined && isStopped(lane, urgency);
    },
    added(name, count) {
      const { channelUuid, urgency } = parseLane(name);
      if (!lanes.get(channelUuid)) momentOf(channelUuid).count += count;
      lanes.with(channelUuid, 'scheduled', (lane) => (lane.waiting[urgency].backlog += count));
    },
    async stop() {
      stopped = true;
      unsubscribe();
      cancelPoll?.();
      for (const lane of lanes.all()) lane.cancelWake?.();
      await Promise.allSettled(underWay);
      await Promise.all([...lanes.all()].map((lane) => turns.letGo(lane)));
      await lanes.releaseAll();
    },
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        settleIdlers();
      }),
  };
}
