/**
 * The DueTimes port over MongoDB: one document per entry, and one index that serves every query.
 *
 * `held_until` is 0 while an entry waits, and the end of the lease while it is held. It follows the queue in the index.
 * So waiting entries are adjacent, by lane and due time, and so are expired leases. A claim reads only the entries that
 * it takes, for any length of the queue.
 *
 * Every change of an entry names the fence it has read, so two processes can't both take it. The fence of an entry only
 * grows. It counts microseconds, so that an entry recreated under the same id does not repeat the fences of the old
 * one.
 *
 * Leases end by the clock of the claiming process, as the port specifies. A process whose clock is ahead by more than a
 * lease takes entries early, and the previous holder's fence is void then.
 */
import type { Collection, Db } from 'mongodb';
import { createAnnouncements } from '../../ports/announcements.js';
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes } from '../../ports/due-times.js';
import { pause } from '../../ports/waiting.js';
import { systemClock } from '../clock/system.js';
import { bounded } from './bounded.js';
import { createClaim } from './due-times-claims.js';
import { adoptedEntryOf, entryOf, growingNumbers, keyOf, WAITING, type Entry } from './due-times-entry.js';
import { insertNew } from './due-times-insert.js';
import { earliestEnds, laneStates, ranOutLanes, waitingLanesOf } from './due-times-lanes.js';
import { bringForward } from './due-times-set-back.js';
import { createSettle } from './due-times-settling.js';
import { gathered } from './gathered.js';
import { gatheredWrites } from './gathered-writes.js';
import { indexedOnce } from './indexes.js';
import { createRunOut } from './run-out.js';

export interface DueTimesOptions {
  readonly clock: Clock;
  /** Sum of the steps by which the clock was set back so far. Default 0. */
  readonly setBack?: () => number;
  /** Longest wait for an answer, milliseconds. Default 5,000. */
  readonly answerMs?: number;
}

/** Polls of one beat begin within some milliseconds. */
const GATHER_MS = 5;
const LISTED_AT_ONCE = 50;
/**
 * Time between two inserts while many rows come. Rows that are stored together are claimed, counted and removed
 * together: each insert of the webhook inbox brings six more requests.
 */
const BUSY_APART_MS = 200;

/** Returns at once, even if the server is unavailable; the index is created before the first query. */
export function createDueTimes(
  db: Db,
  options: DueTimesOptions,
): AdoptingDueTimes & { bringForward(sum: number, now: number): Promise<void> } {
  const { clock, setBack = () => 0, answerMs = 5_000 } = options;
  const entries: Collection<Entry> = db.collection('due_times', {
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
  const withIndex = indexedOnce(db, entries, [
    { name: 'by_lane', key: { queue: 1, held_until: 1, lane: 1, due_at: 1, seq: 1 } },
  ]);
  const answer = <T>(work: () => Promise<T>): Promise<T> => bounded(answerMs, withIndex().then(work));
  const nextNumber = growingNumbers(clock);
  const listeners = createAnnouncements(setImmediate);
  const listWaiting = waitingLanesOf(entries);
  const waitingLanes = gathered(
    (queues) => answer(() => listWaiting(queues)),
    LISTED_AT_ONCE,
    () => pause(systemClock, GATHER_MS),
  );
  /** Adds rows of several callers with one command. Returns the keys of those that existed before. */
  const insertTogether = gatheredWrites<Entry>(
    async (fresh) => {
      const known = await answer(() => insertNew(entries, fresh));
      return fresh.flatMap(({ _id }, index) => (known.has(index) ? [_id] : []));
    },
    ({ _id }) => _id,
    systemClock,
    BUSY_APART_MS,
  );
  const runOut = createRunOut((queues) => answer(() => earliestEnds(entries, queues)));

  return {
    async schedule(added) {
      if (added.length === 0) return;
      const fresh = new Map<string, Entry>();
      for (const entry of added) {
        const row = entryOf(entry, nextNumber(), setBack());
        if (!fresh.has(row._id)) fresh.set(row._id, row);
      }
      for (const key of await insertTogether([...fresh.values()])) fresh.delete(key);
      for (const { queue, lane, due_at: dueAt } of fresh.values()) listeners.announce({ queue, lane, dueAt });
    },

    async adopt(added) {
      if (added.length === 0) return;
      for (const { queue, heldUntil } of added) {
        if (heldUntil !== null) runOut.takes(queue, Infinity, heldUntil);
      }
      const adopted = added.map((entry) => adoptedEntryOf(entry, nextNumber(), setBack()));
      await answer(() => insertNew(entries, adopted));
    },

    claim: createClaim({ entries, answer, runOut, nextNumber, setBack }),
    settle: createSettle({ entries, answer, listeners, setBack }),

    async reschedule(queue, id, dueAt) {
      const before = await answer(() =>
        entries.findOneAndUpdate(
          { _id: keyOf(queue, id), held_until: { $lte: clock.now() } },
          { $set: { held_until: WAITING, due_at: dueAt, set_back: setBack() } },
          { projection: { lane: 1 } },
        ),
      );
      if (before === null) return false;
      listeners.announce({ queue, lane: before.lane, dueAt });
      return true;
    },

    async cancel(queue, ids) {
      if (ids.length === 0) return;
      await answer(() => entries.deleteMany({ _id: { $in: ids.map((id) => keyOf(queue, id)) } }));
    },

    async lanes(queue, now) {
      // Both at once: a queue that asks about leases first would be listed after the others, with a command of its own.
      const [waiting = [], ranOut] = await Promise.all([
        waitingLanes(queue),
        runOut
          .possible(queue, now)
          .then((leftHeld) => (leftHeld ? answer(() => ranOutLanes(entries, queue, now)) : [])),
      ]);
      return laneStates([...waiting, ...ranOut]);
    },

    count: (queue, lane, dueBy) =>
      answer(() =>
        entries.countDocuments({
          queue,
          ...(lane === undefined ? {} : { lane }),
          ...(dueBy === undefined ? {} : { due_at: { $lte: dueBy } }),
        }),
      ),

    async existing(queue, ids) {
      if (ids.length === 0) return new Set();
      const found = await answer(() =>
        entries
          .find({ _id: { $in: ids.map((id) => keyOf(queue, id)) } })
          .project<{ readonly id: string }>({ _id: 0, id: 1 })
          .toArray(),
      );
      return new Set(found.map(({ id }) => id));
    },

    onScheduled: (listener) => listeners.add(listener),

    async bringForward(sum, now) {
      await bringForward(entries, { sum, now }, answer, ({ queue, lane, due_at }) =>
        listeners.announce({ queue, lane, dueAt: due_at }),
      );
      runOut.forget();
    },
  };
}
