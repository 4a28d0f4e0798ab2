/**
 * Sends accepted messages to the provider at the pace of the channel and of the recipient. Waiting messages stay in the
 * due-time store; memory holds only the sends under way and a few numbers per channel.
 */
import { createCache } from '../../ports/cache.js';
import type { App } from '../../application/app.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { noteDue, startClaims, type Next, type Turn } from '../lanes/claims.js';
import type { Backlog } from './send-scheduler.js';
import { isStopped, mayGo, nextServed, nextSendAt, paceAt, served, type ChannelLane } from './lane.js';
import { createChannelLanes } from './lanes.js';
import {
  laneName,
  parseLane,
  SEND_QUEUE,
  URGENCIES,
  type SendPayload,
  type Urgency,
} from '../../application/send/queue.js';
import { claimMs } from './attempt.js';
import type { SendDisposition } from './record.js';
import { roomFor } from './shares.js';
import { createSendHandler } from './send-handler.js';

const MOMENT_MS = 1_000;
const POLL_MS = 1_000;
const MAX_CLAIM = 64;
const FOREIGN_AFTER_MS = 1_000;

export interface SendDispatcher extends Backlog {
  stop(): Promise<void>;
  /** Resolves when no send and no claim is under way. For tests and an orderly shutdown. */
  idle(): Promise<void>;
}

export interface SendDispatcherOptions {
  /** Calls under way at once, over all channels. */
  readonly maxInFlight?: number;
  /** Other processes may send too. Default false. */
  readonly shared?: boolean;
  readonly onStep?: (step: SendDisposition, payload: SendPayload) => void;
}

export async function startSendDispatcher(
  app: App,
  options: SendDispatcherOptions = {},
): Promise<SendDispatcher> {
  const { clock } = app;
  const claiming = createThrottledErrorLog(app, 'claiming due sends');
  const maxInFlight = options.maxInFlight ?? 256;
  const stoppedForMs = app.settings.pacingWindowMs + 1;
  const paceNow = (lane: ChannelLane) => paceAt(lane, clock.monotonic(), app.settings.channelRate);
  const turns = createSendHandler(app, {
    heard,
    laneOf: (channelUuid) => lanes.get(channelUuid),
    onReady: (lane) => claims.look(lane),
    onStep: options.onStep,
    shared: options.shared === true,
    ending: () => stopped,
  });
  const lanes = createChannelLanes(app, (lane) => {
    void turns.letGo(lane);
    settleIdlers();
  });
  /** `inFlight`: rows being worked on; `asked`: rows that claims under way may return. */
  let inFlight = 0;
  let asked = 0;
  let stopped = false;
  let idlers: (() => void)[] = [];

  const claims = startClaims<ChannelLane>(app, {
    queue: SEND_QUEUE,
    leaseMs: claimMs(app.settings),
    pollMs: POLL_MS,
    prompt: true,
    heard(name, dueAt, why) {
      const { channelUuid, urgency } = parseLane(name);
      lanes.with(channelUuid, why, (lane) => heard(lane, urgency, dueAt));
    },
    next: (lane) => (lane.leaving || !lane.lease.held() ? null : (longStopped(lane) ?? inPace(lane))),
    take,
    failed(error, turn) {
      claiming.failed(error);
      if (turn) answered(turn);
      makeRoom();
    },
    async beforeList() {
      lanes.tidy();
      await lanes.refresh();
      return true;
    },
    changed: settleIdlers,
    trouble: createThrottledErrorLog(app, 'looking for due sends'),
  });

  /** Notes that a row is or will be due in a lane of the channel, and tries to claim. */
  function heard(lane: ChannelLane, urgency: Urgency, dueAt: number): void {
    noteDue(lane.waiting[urgency], dueAt, clock.now());
    claims.look(lane);
  }

  /**
   * Sends that an operator has stopped must still expire in time: claims rows that are a whole window old, of any
   * process.
   */
  function longStopped(lane: ChannelLane): Next {
    const dueBy = clock.now() - stoppedForMs;
    const urgency = URGENCIES.find((one) => isStopped(lane, one) && lane.waiting[one].nextDueAt <= dueBy);
    if (urgency === undefined) return null;
    const limit = Math.min(MAX_CLAIM, maxInFlight - inFlight - asked);
    return limit > 0 ? ask(lane, urgency, limit, dueBy) : 'crowded';
  }

  /** Claims no more than may be sent right now, so that waiting rows stay where other processes see them. */
  function inPace(lane: ChannelLane): Next {
    for (;;) {
      const now = clock.now();
      if (lane.ready.length === 0 && nextServed(lane, now, 1) === null) return whenDue(lane, now);
      const room = Math.min(MAX_CLAIM, roomFor(lane, lanes.all(), inFlight + asked, maxInFlight, now));
      if (room <= 0) return 'crowded';
      const pace = paceNow(lane);
      const most = mayGo(lane, clock.monotonic(), pace, room);
      if (most === 0) return { inMs: nextSendAt(lane, pace) - clock.monotonic() };
      const ready = lane.ready.shift();
      if (!ready) {
        const { urgency, limit } = nextServed(lane, now, most)!;
        return ask(lane, urgency, limit);
      }
      served(lane, ready.urgency, 1);
      start(lane, ready.urgency, ready.entry);
    }
  }

  function ask(lane: ChannelLane, urgency: Urgency, limit: number, dueBy?: number): Turn {
    asked += limit;
    return { lane: lane.waiting[urgency], name: laneName(lane.channelUuid, urgency), limit, dueBy };
  }

  const answered = ({ limit }: Turn): void => void (asked -= limit);

  function whenDue(lane: ChannelLane, now: number): Next {
    const may = URGENCIES.filter((urgency) => !isStopped(lane, urgency));
    const inMs = Math.min(...may.map((urgency) => lane.waiting[urgency].nextDueAt)) - now;
    return inMs < Infinity ? { inMs } : null;
  }

  function take(lane: ChannelLane, turn: Turn, rows: readonly ClaimedEntry[]): void {
    claiming.worked();
    answered(turn);
    const { urgency } = parseLane(turn.name);
    if (turn.dueBy === undefined) served(lane, urgency, rows.length);
    const now = clock.monotonic();
    for (const row of rows) {
      // A first claim, due later than anything that this process has scheduled: another process scheduled it.
      const dueAt = now + (row.dueAt - clock.now());
      if (row.claims === 1 && dueAt > lane.scheduledAt + FOREIGN_AFTER_MS) lane.foreignAt = now;
      start(lane, urgency, row);
    }
    if (rows.length < turn.limit) makeRoom();
  }

  function start(lane: ChannelLane, urgency: Urgency, row: ClaimedEntry): void {
    const turn = turns.take(lane, urgency, row);
    inFlight += 1;
    lane.inFlight += 1;
    claims.track(
      turn.finally(() => {
        inFlight -= 1;
        lane.inFlight -= 1;
        makeRoom();
        settleIdlers();
      }),
    );
  }

  const makeRoom = (): void => claims.roomAgain((a, b) => a.inFlight - b.inFlight);

  function settleIdlers(): void {
    if (inFlight > 0 || [...lanes.all()].some((lane) => lane.pumping)) return;
    const waiting = idlers;
    idlers = [];
    for (const resolve of waiting) resolve();
  }

  await claims.list();

  /** Messages added within a second, of channels that have no lane open here. */
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
      // Not opened yet, or held by another process: only the rate and the messages added in this second are known.
      if (!lane) return momentOf(channelUuid).count * (1000 / app.settings.channelRate);
      if (isStopped(lane, urgency)) return app.settings.pacingWindowMs;
      const pace = paceNow(lane);
      const { service, marketing } = lane.waiting;
      const before = service.backlog + (urgency === 'marketing' ? marketing.backlog : 0);
      return Math.max(0, nextSendAt(lane, pace) - clock.monotonic()) + before * pace.intervalMs;
    },
    isStopped(name) {
      const { channelUuid, urgency } = parseLane(name);
      const lane = lanes.get(channelUuid);
      return lane !== undefined && isStopped(lane, urgency);
    },
    isHeld: (name) => lanes.get(parseLane(name).channelUuid)?.lease.held() === true,
    added(name, count) {
      const { channelUuid, urgency } = parseLane(name);
      if (!lanes.get(channelUuid)) momentOf(channelUuid).count += count;
      lanes.with(channelUuid, 'scheduled', (lane) => (lane.waiting[urgency].backlog += count));
    },
    async stop() {
      stopped = true;
      await claims.stop();
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
