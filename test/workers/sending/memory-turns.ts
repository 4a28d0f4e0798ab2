/** One process that paces the channel of sends in memory, and the outcome of the rows that it took. */
import type { Urgency } from '../../../application/send/queue.js';
import { exampleIds } from '../../support/examples/example.js';
import type { ClaimedEntry } from '../../../ports/due-times.js';
import { nextSendAt, channelPace, type ChannelLane } from '../../../workers/sending/lane.js';
import { createLines } from '../../../workers/sending/lines.js';
import { createSendHandler } from '../../../workers/sending/send-handler.js';
import { makeLane } from '../../support/sends/lane.js';
import { memorySends } from './memory-sends.js';

export const ANA = { subject: exampleIds.subject };
/** At 20 messages per second. */
export const INTERVAL_MS = 50;
const PACE = channelPace(20);

export async function memoryTurns({ openedLongAgo = true, paceRecipients = true } = {}) {
  const w = memorySends({ paceRecipients });
  const { app, clock } = w;
  await w.given.channel();
  let ending = false;
  let held = true;
  const { lease: aLease } = makeLane(exampleIds.channel);
  const lane = makeLane(exampleIds.channel, {
    clock,
    lease: { ...aLease, held: () => held },
    lines: createLines(clock),
    tat: 0,
    rate: { perSecond: 20, grownAt: clock.monotonic(), cutAt: -Infinity },
    openedAt: openedLongAgo ? 0 : clock.monotonic(),
  });
  lane.waiting.service.backlog = 3;
  lane.waiting.marketing.backlog = 3;
  const heard: (readonly [ChannelLane, Urgency, number])[] = [];
  const ready: ChannelLane[] = [];
  const steps: (readonly [string, string])[] = [];
  const turns = createSendHandler(app, {
    heard: (...what) => void heard.push(what),
    laneOf: () => lane,
    onReady: (of) => void ready.push(of),
    onStep: ({ kind }, { event_id }) => void steps.push([kind, event_id]),
    ending: () => ending,
  });
  const take = (entry: ClaimedEntry, urgency: Urgency = 'service') => turns.take(lane, urgency, entry);
  return {
    ...w,
    lane,
    heard,
    ready,
    steps,
    turns,
    take,
    end: () => void (ending = true),
    lose: () => void (held = false),
    /** Accepts a text and takes its row. */
    async sent(more: Parameters<typeof w.given.accepted>[0] = {}): Promise<string> {
      const operation = await w.given.accepted(more);
      await take(await w.claimed(operation));
      return operation;
    },
    /** Accepts texts to one person; returns their rows. */
    async texts(count: number): Promise<readonly ClaimedEntry[]> {
      const entries: ClaimedEntry[] = [];
      for (let n = 0; n < count; n += 1) entries.push(await w.claimed(await w.given.accepted(ANA)));
      return entries;
    },
    /** Milliseconds until the channel may send again. */
    restMs: () => Math.max(0, nextSendAt(lane, PACE) - clock.monotonic()),
  };
}

export type MemoryTurns = Awaited<ReturnType<typeof memoryTurns>>;
