/**
 * Due times are times of day, so when the clock is set back, everything would wait longer by the whole step. Entries
 * due later than the new time are moved earlier by the step, but not before the new time: they never overtake entries
 * that were already due. A handler that gets an entry before its own date reschedules it to that date.
 */
import type { Clock } from '../../ports/clock.js';
import type { Db } from './database.js';
import type { Place } from './held-places.js';
import type { Writer } from './writer.js';

export interface Moved extends Place {
  readonly queue: string;
  readonly lane: string;
}

/** Entries moved in one transaction. */
const PAGE = 1_000;

/**
 * Returns functions that move forward every entry that was scheduled before the call. If the store refuses the write,
 * the next call continues.
 *
 * @param moved called, in the transaction, for every entry whose due time has changed
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
    `UPDATE due_entries SET due_at = max(?, due_at - ?)
     WHERE seq > ? AND seq <= ? AND due_at > ? RETURNING queue, lane, due_at, seq`,
  );
  /** Clock steps that are not applied yet, oldest first. */
  const steps: { readonly ms: number; readonly upTo: number; after: number }[] = [];
  let running = false;

  function page(step: (typeof steps)[number]): number | null {
    const to = endOfPage.get(step.after, step.upTo) ?? null;
    if (to === null) return null;
    const now = deps.clock.now();
    for (const entry of move.all(now, step.ms, step.after, to, now)) moved(entry);
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
      // The store is refusing all writes at the moment, and reports that to its callers.
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
