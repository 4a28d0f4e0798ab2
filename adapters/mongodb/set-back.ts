/**
 * By how much MongoDB's clock has been set back, for all processes that go by it.
 *
 * Due times are times of day by that clock, so after a step back everything would wait for the whole step. Each row keeps
 * the sum of the steps that were known when its times were written (`set_back`); what a later sum says more is what it is
 * to come forward by. So a row is moved once for each step, by whichever process comes to it, and also one that was
 * written by a process that had not heard of the step.
 *
 * The step itself is found beside the latest time that any process has seen: what a process writes there names the sum
 * that it read before it asked for the time, so that a time of before the step can't come in after it.
 */
import type { Db, Filter, UpdateFilter } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import { bounded } from './bounded.js';

interface SetBackDocument {
  readonly _id: string;
  /** Of MongoDB's clock, epoch milliseconds. */
  readonly latest: number;
  /** Sum of all steps back, milliseconds. */
  readonly set_back: number;
  /** When the last one was found. */
  readonly found_at: number;
  /** Nothing is left of before it. */
  readonly moved: boolean;
}

export interface SetBack {
  /** For rows written now. */
  sum(): number;
  /** Reads MongoDB's time. In the background, what is due by a clock that was set back comes forward. */
  time(): Promise<number | null>;
  /** Resolves when nothing of it is under way. */
  rest(): Promise<void>;
}

const ID = 'clock';
/** Processes look every 15 seconds, and the clocks of a replica set's members are not the same. */
const TOLERANCE_MS = 5_000;
/** Until then every process has looked, and none takes what came forward for long due. */
const ALL_LOOKED_MS = 20_000;
/** So long after the step a row may still be written with a time of before it. */
const LATE_WRITES_MS = 60_000;
/** What was computed before this process looked is written soon after. */
const UNDER_WAY_MS = 5_000;

export function createSetBack(
  db: Db,
  deps: {
    readonly clock: Pick<Clock, 'monotonic'>;
    /** Longest wait for one answer, milliseconds. */
    readonly answerMs: number;
    readonly serverTime: () => Promise<number | null>;
    /** Brings forward what was written under a lower sum. */
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

  /** False where another process was faster. */
  async function change(
    found: SetBackDocument,
    update: UpdateFilter<SetBackDocument>,
    where: Filter<SetBackDocument> = {},
  ): Promise<boolean> {
    const filter = { _id: ID, set_back: found.set_back, ...where };
    return (await bounded(answerMs, state.updateOne(filter, update))).matchedCount === 1;
  }

  /** @param expected by what this process saw before; 0 when it saw nothing */
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
      // Known at the latest when the first row is written. Where it can't be read, this look says the time and no more.
      const found = working === null ? await read().catch(() => null) : null;
      const time = await serverTime();
      if (time === null || found === null) return time;
      const at = clock.monotonic();
      const expected = last === null ? 0 : last.time + at - last.at;
      last = { time, at };
      working = follow(found, time, expected)
        // Nothing is lost: the next call begins with what is left.
        .catch(() => undefined)
        .finally(() => (working = null));
      return time;
    },
    rest: async () => void (await working),
  };
}
