/**
 * Sends accepted messages to the provider at the pace of the channel and of the recipient. Waiting messages stay in the
 * due-time store; memory holds only the sends under way and a few numbers per channel.
 */
import type { App } from '../../application/app.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { noteDue, startClaims, type Turn } from '../lanes/claims.js';
import { createBacklog } from './backlog.js';
import type { Backlog } from './send-scheduler.js';
import { served, type ChannelLane } from './lane.js';
import { createChannelLanes } from './lanes.js';
import { parseLane, SEND_QUEUE, type SendPayload, type Urgency } from '../../application/send/queue.js';
import { claimMs, type AttemptDeps } from './attempt.js';
import type { SendDisposition } from './record.js';
import { createCallRoom, createNextSends } from './next-sends.js';
import { createSendHandler } from './send-handler.js';

const POLL_MS = 1_000;
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
  app: AttemptDeps & Pick<App, 'leases' | 'logger'>,
  options: SendDispatcherOptions = {},
): Promise<SendDispatcher> {
  const { clock } = app;
  const claiming = createThrottledErrorLog(app, 'claiming due sends');
  const room = createCallRoom(options.maxInFlight ?? 256);
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
  const next = createNextSends(app, { lanes, room, start });
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
    next: (lane) => next(lane),
    take,
    failed(error, turn) {
      claiming.failed(error);
      if (turn) room.answered(turn.limit);
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

  function take(lane: ChannelLane, turn: Turn, rows: readonly ClaimedEntry[]): void {
    claiming.worked();
    room.answered(turn.limit);
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
    room.begins();
    lane.inFlight += 1;
    claims.track(
      turn.finally(() => {
        room.ends();
        lane.inFlight -= 1;
        makeRoom();
        settleIdlers();
      }),
    );
  }

  const makeRoom = (): void => claims.roomAgain((a, b) => a.inFlight - b.inFlight);

  function settleIdlers(): void {
    if (room.inFlight() > 0 || [...lanes.all()].some((lane) => lane.pumping)) return;
    const waiting = idlers;
    idlers = [];
    for (const resolve of waiting) resolve();
  }

  await claims.list();

  return {
    ...createBacklog(app, lanes),
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
