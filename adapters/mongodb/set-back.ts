/**
 * Tracks by how much MongoDB's clock has been set back, for all processes that use it.
 *
 * Due times are times of day by that clock, so after a step back everything would wait longer by the whole step. Each
 * row stores the sum of the steps that were known when its times were written (`set_back`). The difference to a later
 * sum is the time by which the row must move forward. So each row is moved once per step, by any process, even if it
 * was written by a process that did not know of the step.
 *
 * A step is detected by comparison with the latest time that any process has read. A process writes that time under the
 * sum that it read before it requested the time. So a time from before the step can't be written after it.
 */
import type { Db, Filter, UpdateFilter } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import { bounded } from './bounded.js';

interface SetBackDocument {
  readonly _id: string;
  /** Latest time read from MongoDB's clock, epoch milliseconds. */
  readonly latest: number;
  /** Sum of all steps back, milliseconds. */
  readonly set_back: number;
  /** Time at which the last step was detected, by the clock after the step. */
  readonly found_at: number;
  /** True when no row with times from before the last step remains. */
  readonly moved: boolean;
}

export interface SetBack {
  /** The sum to store in rows written now. */
  sum(): number;
  /** Reads MongoDB's time. In the background it moves due times forward after the clock was set back. */
  time(): Promise<number | null>;
  /** Resolves when no background work is in progress. */
  rest(): Promise<void>;
}

const ID = 'clock';
/** Processes check every 15 seconds, and the clocks of a replica set's members differ. */
const TOLERANCE_MS = 5_000;
/** By then every process has checked the clock, and none takes moved entries for long overdue. */
const ALL_LOOKED_MS = 20_000;
/** For this long after a step, rows may still be written with times from before it. */
const LATE_WRITES_MS = 60_000;
/** Times computed before this process learned of a step are written within this period. */
const UNDER_WAY_MS = 5_000;

export function createSetBack(
  db: Db,
  deps: {
    readonly clock: Pick<Clock, 'monotonic'>;
    /** Longest wait for one answer, milliseconds. */
    readonly answerMs: number;
    readonly serverTime: () => Promise<number | null>;
    /** Moves entries forward that were written under a lower sum. */
    readonly move: (sum: number, now: number) => Promise<void>;
  },
): SetBack {
  const { clock, answerMs, serverTime, move } = deps;
  const state = db.collection<SetBackDocument>('clock', {
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
  let known: { readonly sum: number; readonly before: number; readonly since: number } | null = null;
  let last: { readonly time: number; readonly at: number } | null = null;
  let working: Promise<void> | null = null;

  function learn(sum: number): void {
    if (known?.sum === sum) return;
    known = { sum, before: known?.sum ?? sum, since: clock.monotonic() };
  }

  /** False when another process was faster. */
  async function change(
    found: SetBackDocument,
    update: UpdateFilter<SetBackDocument>,
    where: Filter<SetBackDocument> = {},
  ): Promise<boolean> {
    const filter = { _id: ID, set_back: found.set_back, ...where };
    return (await bounded(answerMs, state.updateOne(filter, update))).matchedCount === 1;
  }

  /** @param expected the time according to this process's last reading; 0 without one */
  async function follow(found: SetBackDocument, time: number, expected: number): Promise<void> {
    learn(found.set_back);
    if (found.latest > time + TOLERANCE_MS) {
      const set_back = found.set_back + Math.max(found.latest, expected) - time;
      const step = { latest: time, set_back, found_at: time, moved: false };
      if (await change(found, { $set: step }, { latest: found.latest })) learn(set_back);
      return;
    }
    await change(found, { $max: { latest: time } });
    if (found.moved || time < found.found_at + ALL_LOOKED_MS) return;
    await move(found.set_back, time);
    if (time > found.found_at + LATE_WRITES_MS) await change(found, { $set: { moved: true } });
  }

  async function read(): Promise<SetBackDocument> {
    const found = await bounded(answerMs, state.findOne({ _id: ID }));
    if (found !== null) return found;
    const fresh = { _id: ID, latest: 0, set_back: 0, found_at: 0, moved: true };
    await bounded(answerMs, state.insertOne(fresh));
    return fresh;
  }

  return {
    sum() {
      if (known === null) return 0;
      return clock.monotonic() - known.since < UNDER_WAY_MS ? known.before : known.sum;
    },
    async time() {
      // Read first, so that the sum is known before the first row is written. On failure this call only returns the
      // time.
      const found = working === null ? await read().catch(() => null) : null;
      const time = await serverTime();
      if (time === null || found === null) return time;
      const at = clock.monotonic();
      const expected = last === null ? 0 : last.time + at - last.at;
      last = { time, at };
      working = follow(found, time, expected)
        // Nothing is lost: the next call resumes the remaining work.
        .catch(() => undefined)
        .finally(() => (working = null));
      return time;
    },
    rest: async () => void (await working),
  };
}
