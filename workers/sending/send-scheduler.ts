/**
 * Moves accepted sends from the topic to the due-time store, where they wait to be sent. Nothing is sent here, so a
 * slow provider or a paced channel never delays the topic.
 */
import type { App } from '../../application/app.js';
import { routes, type SendPointer } from '../../application/relay.js';
import { operationStream } from '../../domain/streams.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { OpenBatch, TopicMessage } from '../../ports/topics.js';
import { laneName, sendEntry, urgencyOf } from '../../application/send/queue.js';
import type { Reactor } from '../kernel/reactor.js';
import { showWaiting } from './show-waiting.js';

/** A message that will wait longer than this is shown as `waiting` instead of `queued`. */
const SHOW_WAITING_AFTER_MS = 2_000;
/**
 * Each is an event, so at most this many per second: in a flood, accepting comes first. Half a minute later the sweeper
 * shows the rest of those that still wait.
 */
const SHOW_PER_SECOND = 50;

export interface Backlog {
  /** How long a new entry of this lane will wait for the channel's pace, as far as is known, in milliseconds. */
  expectedWaitMs(lane: string): number;
  /** Whether an operator has stopped the sends of this lane. */
  isStopped(lane: string): boolean;
  /** Whether this process paces the lane's channel, so that no other one looks for its rows. */
  isHeld(lane: string): boolean;
  added(lane: string, count: number): void;
}

/** Needs the backlog: how much waits in each lane. */
export const sendReactor: Reactor<{ readonly backlog: Backlog }> = {
  name: 'sending',
  group: 'sending',
  route: routes.sends,
  maxBatch: 100,
  begin: (app, { backlog }) => {
    const mayShow = atMost(app, SHOW_PER_SECOND);
    return { handOn: (batch, open) => schedule(app, backlog, batch, mayShow, open) };
  },
};

/** Returns true at most `perSecond` times in each second. */
function atMost({ clock }: Pick<App, 'clock'>, perSecond: number): () => boolean {
  let shown = 0;
  let second = 0;
  return () => {
    const current = Math.floor(clock.monotonic() / 1000);
    if (current !== second) [second, shown] = [current, 0];
    shown += 1;
    return shown <= perSecond;
  };
}

async function schedule(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'store'>,
  backlog: Backlog,
  batch: readonly TopicMessage[],
  mayShow: () => boolean,
  open: OpenBatch | undefined,
): Promise<void> {
  const now = app.clock.now();
  const entries = batch.flatMap((message) => {
    const pointer = message.value as SendPointer;
    const uuid = operationStream.match(pointer.stream);
    if (uuid === undefined) return [];
    return [
      sendEntry(uuid, laneName(message.key, urgencyOf(pointer.category)), now, {
        correlation_id: pointer.correlation_id,
        event_id: pointer.event_id,
        company: pointer.company,
        subject: pointer.subject,
        deadline: Date.parse(pointer.deadline),
      }),
    ];
  });
  // Written at the same time as the rows: neither of the two commits waits for the other.
  const waits = entries.map((entry) => {
    const wait = backlog.expectedWaitMs(entry.lane);
    backlog.added(entry.lane, 1);
    if (wait <= SHOW_WAITING_AFTER_MS || !mayShow()) return undefined;
    const reason = backlog.isStopped(entry.lane) ? 'channel_stopped' : 'channel_pace';
    return showWaiting(app, entry.id, now + wait, reason, 'intake');
  });
  await Promise.all([rowsFor(app, backlog, entries, open), ...waits]);
}

/** Only the process that paces a channel may keep its rows: any other one has to leave them to that process. */
async function rowsFor(
  { dueTimes }: Pick<App, 'dueTimes'>,
  backlog: Backlog,
  entries: readonly DueEntry[],
  open: OpenBatch | undefined,
): Promise<void> {
  if (open === undefined) return dueTimes.schedule(entries);
  const ours = entries.filter(({ lane }) => backlog.isHeld(lane));
  const others = entries.filter(({ lane }) => !backlog.isHeld(lane));
  await Promise.all([dueTimes.schedule(ours, open), dueTimes.schedule(others)]);
}
