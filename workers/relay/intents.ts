/**
 * A topic is a hint: brokers may lose it, retention may outrun a group that was away. So every message that is relayed
 * has a row in the due-time store until its group has handled it, and one that nobody has handled for some minutes is
 * published again.
 */
import type { App } from '../../application/app.js';
import type { DueEntry, DueTimes } from '../../ports/due-times.js';
import type { NewMessage, Topics } from '../../ports/topics.js';
import type { Clock } from '../../ports/clock.js';
import { every } from '../kernel/every.js';

const EVERY_MS = 5_000;
const LEASE_MS = 60_000;
const PAGE = 200;
/** A group that is away for a day must not find every message hundreds of times when it is back. */
const DOUBLINGS = 6;
const LANE = 'all';

const queueOf = (topic: string): string => `intent:${topic}`;
const idOf = ({ value }: Pick<NewMessage, 'value'>): string => String(value['event_id']);

/** Topics whose messages are kept track of. One group per topic. */
export function trackedTopics(
  inner: Topics,
  deps: { readonly dueTimes: DueTimes; readonly clock: Clock; readonly overdueMs: number },
): Topics {
  const { dueTimes, clock, overdueMs } = deps;
  return {
    async publish(messages) {
      const dueAt = clock.now() + overdueMs;
      await dueTimes.schedule(
        messages.map((message): DueEntry => ({
          queue: queueOf(message.topic),
          id: idOf(message),
          lane: LANE,
          dueAt,
          payload: { key: message.key, value: message.value },
        })),
      );
      await inner.publish(messages);
    },
    consume: (options) =>
      inner.consume({
        ...options,
        async handle(batch) {
          await options.handle(batch);
          await dueTimes.cancel(queueOf(options.topic), batch.map(idOf));
        },
      }),
  };
}

/**
 * Publishes again what is overdue. To be run by one process at a time.
 *
 * @param topics the ones that are not tracked: the rows are there already
 */
export function startIntentSweeper(
  app: Pick<App, 'dueTimes' | 'clock' | 'logger'>,
  topics: Topics,
  options: { readonly names: readonly string[]; readonly overdueMs: number },
): { stop(): Promise<void>; sweep(): Promise<number> } {
  const { dueTimes, clock, logger } = app;
  let stopped = false;

  async function sweep(): Promise<number> {
    let again = 0;
    for (const topic of options.names) {
      while (!stopped) {
        const queue = queueOf(topic);
        const now = clock.now();
        const due = await dueTimes.claim({ queue, lane: LANE, now, limit: PAGE, leaseMs: LEASE_MS });
        if (due.length === 0) break;
        await topics.publish(
          due.map(({ payload }) => ({
            topic,
            key: String(payload['key']),
            value: payload['value'] as NewMessage['value'],
          })),
        );
        // False where it was handled meanwhile: the row is gone.
        await dueTimes.settle(
          due.map(({ id, fence, claims }) => ({
            queue,
            id,
            fence,
            then: 'again',
            dueAt: now + options.overdueMs * 2 ** Math.min(claims - 1, DOUBLINGS),
          })),
        );
        logger.warn({ topic, count: due.length }, 'messages that nobody handled were published again');
        again += due.length;
      }
    }
    return again;
  }

  const rounds = every(app, EVERY_MS, 'looking for overdue messages', sweep);
  return {
    sweep,
    stop() {
      stopped = true;
      return rounds.stop();
    },
  };
}
