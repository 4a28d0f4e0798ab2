/**
 * Accepted sends go from the topic to the due-time store, where they wait for their turn. Nothing is sent in here, so
 * a slow provider or a paced channel never holds the topic up.
 */
import type { App } from '../../application/app.js';
import { SENDS, type SendPointer } from '../../application/relay.js';
import { operationStream } from '../../domain/operation/stream.js';
import type { Consumer } from '../../ports/topics.js';
import { laneName, sendEntry, urgencyOf } from '../../application/send/queue.js';
import { createTrouble } from '../kernel/trouble.js';
import { showWaiting } from './show-waiting.js';

/** A message that will wait longer than this shows as `waiting` instead of `queued`. */
const SHOW_WAITING_AFTER_MS = 2_000;
/**
 * An event each, at most so many a second: in a flood, accepting comes first. The sweeper shows the rest of what still
 * waits half a minute later.
 */
const SHOW_PER_SECOND = 50;

export interface Backlog {
  /** How long a new entry of this lane will wait for the channel's pace, as far as can be told: milliseconds. */
  expectedWaitMs(lane: string): number;
  /** Whether an operator has stopped what is in this lane. */
  isStopped(lane: string): boolean;
  added(lane: string, count: number): void;
}

export function startSendIntake(app: App, backlog: Backlog): Consumer {
  const trouble = createTrouble(app, 'scheduling accepted sends');
  let shown = 0;
  let second = 0;
  function mayShow(): boolean {
    const current = Math.floor(app.clock.monotonic() / 1000);
    if (current !== second) [second, shown] = [current, 0];
    shown += 1;
    return shown <= SHOW_PER_SECOND;
  }
  return app.topics.consume({
    topic: SENDS,
    group: 'sending',
    maxBatch: 100,
    onError: trouble.failed,
    async handle(batch) {
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
      // Written down together with the rows: both are one commit away, neither waits for the other.
      const waits = entries.map((entry) => {
        const wait = backlog.expectedWaitMs(entry.lane);
        backlog.added(entry.lane, 1);
        return wait > SHOW_WAITING_AFTER_MS && mayShow()
          ? showWaiting(
              app,
              entry.id,
              now + wait,
              backlog.isStopped(entry.lane) ? 'channel_stopped' : 'channel_pace',
              'intake',
            )
          : undefined;
      });
      await Promise.all([app.dueTimes.schedule(entries), ...waits]);
      trouble.worked();
    },
  });
}
