/**
 * A topic is a hint: brokers may lose messages, and retention may outrun a group that was unavailable. So every message
 * that the relay has passed has a row in the due-time store until its group has handled it. A message that is not
 * handled for some minutes is published again. That waits until the group has passed its place in the topic: a group
 * that is merely slow would only get more to do.
 */
import type { App } from '../../application/app.js';
import { messageName } from '../../application/relay.js';
import type { DueEntry, DueTimes } from '../../ports/due-times.js';
import type { NewMessage, Topics } from '../../ports/topics.js';
import type { Clock } from '../../ports/clock.js';
import { every } from '../kernel/every.js';
import { claimPages } from '../lanes/claim-page.js';
import { createRows } from './rows.js';

const EVERY_MS = 5_000;
const LEASE_MS = 60_000;
const PAGE = 200;
/** A group that is unavailable for a day must not find every message hundreds of times when it is back. */
const DOUBLINGS = 6;
const LANE = 'all';

/** Longest time between two publications of a message that is not handled. */
export const longestRepublishMs = (overdueMs: number): number => overdueMs * 2 ** DOUBLINGS;

/** Where messages are published again, and how far their consumers are. */
export interface Outlet extends Pick<Topics, 'publish'> {
  /**
   * Marks the current end of a topic. The returned function reports whether the topic's group has handled everything
   * that was published before.
   * @throws StoreUnavailable, both functions
   */
  mark(topic: string): Promise<() => Promise<boolean>>;
}

interface Mark {
  /** Messages published before this time are before the mark. Milliseconds since the epoch. */
  readonly at: number;
  /** The same moment by the monotonic clock. */
  readonly since: number;
  readonly passed: () => Promise<boolean>;
}

const queueOf = (topic: string): string => `intent:${topic}`;
const idOf = ({ value }: Pick<NewMessage, 'value'>): string => String(messageName(value));

/** Topics that track their messages until they are handled. One group per topic. */
export function trackedTopics(
  inner: Topics,
  deps: {
    readonly dueTimes: DueTimes;
    readonly clock: Clock;
    readonly overdueMs: number;
    /** Writes the rows that were kept in memory while their batches are open. */
    readonly letGo?: () => Promise<void>;
  },
): Topics {
  const { dueTimes, clock, overdueMs, letGo } = deps;
  const late = createRows(deps);
  const rowsOf = (messages: readonly NewMessage[]): readonly DueEntry[] => {
    const dueAt = clock.now() + overdueMs;
    return messages.map((message) => ({
      queue: queueOf(message.topic),
      id: idOf(message),
      lane: LANE,
      dueAt,
      payload: { key: message.key, value: message.value },
    }));
  };
  return {
    async publish(messages) {
      late.wrote();
      await dueTimes.schedule(rowsOf(messages));
      await inner.publish(messages);
    },
    ahead: {
      publish(messages, at) {
        late.add(rowsOf(messages), at);
        return inner.publish(messages);
      },
      keep: (upTo) => late.keep(upTo),
      forget: () => late.forget(),
    },
    consume(options) {
      const consumer = inner.consume({
        ...options,
        ...(letGo ? { letGo } : {}),
        async handle(batch, open) {
          const until: Promise<unknown>[] = [];
          await options.handle(batch, open && { until: (work) => void until.push(work) });
          const handled = (): Promise<void> => late.handled(queueOf(options.topic), batch.map(idOf));
          if (!open || until.length === 0) return handled();
          // A row that cannot be removed now stays: its message is published once more, which changes nothing.
          open.until(Promise.all(until).then(() => handled().catch(() => undefined)));
        },
      });
      return {
        lag: () => consumer.lag(),
        caughtUp: () => consumer.caughtUp(),
        async stop() {
          await consumer.stop();
          await late.flush().catch(() => undefined);
        },
      };
    },
  };
}

/**
 * Publishes again the overdue messages that were lost. To be run by one process at a time.
 *
 * @param outlet publishes without tracking: the rows exist already
 */
export function startLostMessageSweeper(
  app: Pick<App, 'dueTimes' | 'clock' | 'logger'>,
  outlet: Outlet,
  options: { readonly names: readonly string[]; readonly overdueMs: number },
): { stop(): Promise<void>; sweep(): Promise<number> } {
  const { dueTimes, clock, logger } = app;
  /** A group that makes no progress for this long may be stuck at one message; the others must not wait for ever. */
  const patienceMs = longestRepublishMs(options.overdueMs);
  const marks = new Map<string, Mark>();
  let stopped = false;

  async function isOverdue(topic: string): Promise<boolean> {
    const now = clock.now();
    const lanes = await dueTimes.lanes(queueOf(topic), now);
    return lanes.some(({ nextDueAt }) => nextDueAt <= now);
  }

  /**
   * Returns a time before which all published messages count as handled or lost: rows due before it are published
   * again. Null: not known yet.
   */
  async function handledBefore(topic: string): Promise<number | null> {
    const at = clock.now();
    const since = clock.monotonic();
    const mark = marks.get(topic) ?? { at, since, passed: await outlet.mark(topic) };
    marks.set(topic, mark);
    if (since - mark.since < patienceMs && !(await mark.passed())) return null;
    marks.delete(topic);
    return mark.at;
  }

  async function sweep(): Promise<number> {
    let again = 0;
    for (const topic of options.names) {
      if (stopped || !(await isOverdue(topic))) continue;
      const dueBy = await handledBefore(topic);
      if (dueBy === null || stopped) continue;
      const queue = queueOf(topic);
      // A row that was due by then has been overdue since its publication, which was before the mark.
      const overdue = claimPages(app, { queue, lane: LANE, limit: PAGE, leaseMs: LEASE_MS, dueBy });
      for await (const due of overdue) {
        const now = clock.now();
        await outlet.publish(
          due.map(({ payload }) => ({
            topic,
            key: String(payload['key']),
            value: payload['value'] as NewMessage['value'],
          })),
        );
        // Returns false where the message was handled meanwhile: the row no longer exists.
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
        if (stopped) break;
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
