/**
 * Due times are times of day, so a clock that is set back would make everything wait for the whole step. What was due
 * later than the new time comes earlier by the step, and at the new time at the earliest: nothing overtakes what was due
 * before. A handler that gets an entry before its own date puts it back to that date.
 */
import type { Clock } from '../../ports/clock.js';
import type { Db } from './database.js';
import type { Writer } from './writer.js';

export interface Moved {
  readonly queue: string;
  readonly lane: string;
  readonly due_at: number;
}

/** Entries moved in one transaction. */
const PAGE = 1_000;

/**
 * Answers a function that brings everything forward that was scheduled before the call. Where the store does not take
 * it, the next call goes on.
 *
 * @param moved hears, in the transaction, of every entry that has another due time now
 */
export function createBringForward(
  db: Db,
  deps: { readonly writer: () => Writer; readonly clock: Pick<Clock, 'now'> },
  moved: (entry: Moved) => void,
): { by(ms: number): void; resume(): void } {
  const newest = db.prepare<unknown[], number | null>('SELECT max(seq) FROM due_entries').pluck();
  const endOfPage = db
    .prepare<unknown[], number | null>(
      `SELECT max(seq) FROM (SELECT seq FROM due_entries WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ${PAGE})`,
    )
    .pluck();
  const move = db.prepare<unknown[], Moved>(
    `UPDATE due_entries SET due_at = max(@now, due_at - @ms)
     WHERE seq > @after AND seq <= @to AND due_at > @now RETURNING queue, lane, due_at`,
  );
  /** Steps that are not carried out yet, oldest first. */
  const steps: { readonly ms: number; readonly upTo: number; after: number }[] = [];
  let running = false;

  function page(step: (typeof steps)[number]): number | null {
    const to = endOfPage.get(step.after, step.upTo) ?? null;
    if (to === null) return null;
    const now = deps.clock.now();
    for (const entry of move.all({ now, ms: step.ms, after: step.after, to })) moved(entry);
    return to;
  }

  async function run(): Promise<void> {
    for (let step = steps[0]; step !== undefined; step = steps[0]) {
      const current = step;
      const to = await deps.writer().submit(() => page(current), PAGE);
      if (to === null) steps.shift();
      else step.after = to;
    }
  }

  function resume(): void {
    if (running || steps.length === 0) return;
    running = true;
    run()
      // The store refuses all writes in this moment, and says so where they are asked for.
      .catch(() => undefined)
      .finally(() => (running = false));
  }

  return {
    by(ms) {
      steps.push({ ms, upTo: newest.get() ?? 0, after: 0 });
      resume();
    },
    resume,
  };
}
