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
import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes, ClaimedEntry, Settlement } from '../../ports/due-times.js';
import { pause } from '../../ports/waiting.js';
import { systemClock } from '../clock/system.js';
import { bounded } from './bounded.js';
import { endAll, WORTH_A_BULK } from './due-times-ends.js';
import { bringForward } from './due-times-set-back.js';
import { adoptedEntryOf, entryOf, keyOf, WAITING, type Entry } from './due-times-entry.js';
import { insertNew } from './due-times-insert.js';
import { earliestEnds, laneStates, ranOutLanes, waitingLanesOf } from './due-times-lanes.js';
import { gathered } from './gathered.js';
import { gatheredWrites } from './gathered-writes.js';
import { createIndexes } from './indexes.js';
import { listenersOf } from './due-times-listeners.js';
import { createRunOut } from './run-out.js';

export interface DueTimesOptions {
  readonly clock: Clock;
  /** Sum of the steps by which the clock was set back so far. Default 0. */
  readonly setBack?: () => number;
  /** Longest wait for an answer, milliseconds. Default 5,000. */
  readonly answerMs?: number;
}

type Indexed = readonly [number, Settlement];

/** Most rounds of a claim that loses entries to other processes. */
const MAX_ROUNDS = 16;
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
  const answer = <T>(work: () => Promise<T>): Promise<T> => bounded(answerMs, withIndex().then(work));
  const listeners = listenersOf();
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
  let lastNumber = 0;
  let indexed: Promise<unknown> | undefined;

  function withIndex(): Promise<unknown> {
    indexed ??= createIndexes(db, entries, [
      { name: 'by_lane', key: { queue: 1, held_until: 1, lane: 1, due_at: 1, seq: 1 } },
    ]).catch((error: unknown) => {
      indexed = undefined;
      throw error;
    });
    return indexed;
  }

  /** Grows, and two processes are unlikely to draw the same number. */
  function nextNumber(): number {
    lastNumber = Math.max(lastNumber + 1, clock.now() * 1_000 + Math.floor(Math.random() * 1_000));
    return lastNumber;
  }

  /** The earliest entries that are due and free: waiting ones, and those whose lease ran out. */
  async function candidates(queue: string, lane: string, now: number, limit: number): Promise<Entry[]> {
    const among = (heldUntil: number | object): Promise<Entry[]> =>
      entries
        .find({ queue, lane, held_until: heldUntil, due_at: { $lte: now } } as object)
        .sort({ due_at: 1, seq: 1 })
        .limit(limit)
        .toArray();
    const leftHeld = await runOut.possible(queue, now);
    const [ranOut, waiting] = await answer(() =>
      Promise.all([leftHeld ? among({ $gt: WAITING, $lte: now }) : [], among(WAITING)]),
    );
    const byKey = new Map([...ranOut, ...waiting].map((entry) => [entry._id, entry]));
    return [...byKey.values()].sort(inOrder).slice(0, limit);
  }

  /**
   * Claims the candidates that are unchanged since they were read, and free. Both conditions are needed: the read is
   * not a snapshot, and may return the state that another claim has just given to an entry.
   */
  async function take(found: readonly Entry[], now: number, heldUntil: number): Promise<ClaimedEntry[]> {
    const claimedBy = randomUUID();
    const wanted = found.map((entry) => ({ entry, fence: Math.max(entry.fence + 1, nextNumber()) }));
    const { matchedCount } = await answer(() =>
      entries.bulkWrite(
        wanted.map(({ entry: { _id, fence: seen, due_at }, fence }) => ({
          updateOne: {
            filter: { _id, fence: seen, held_until: { $lte: now }, due_at: { $eq: due_at, $lte: now } },
            update: {
              $set: { held_until: heldUntil, fence, claimed_by: claimedBy, set_back: setBack() },
              $inc: { claims: 1 },
            },
          },
        })),
        { ordered: false },
      ),
    );
    let taken = wanted;
    if (matchedCount < wanted.length) {
      const ours = await answer(() =>
        entries
          .find({ _id: { $in: wanted.map(({ entry }) => entry._id) }, claimed_by: claimedBy })
          .project<{ _id: string }>({ _id: 1 })
          .toArray(),
      );
      const keys = new Set(ours.map(({ _id }) => _id));
      taken = wanted.filter(({ entry }) => keys.has(entry._id));
    }
    return taken.map(({ entry, fence }) => ({
      queue: entry.queue,
      id: entry.id,
      lane: entry.lane,
      dueAt: entry.due_at,
      payload: JSON.parse(entry.payload) as Record<string, unknown>,
      claims: entry.claims + 1,
      fence,
    }));
  }

  async function settleOne(settlement: Settlement): Promise<boolean> {
    const { queue, id, fence } = settlement;
    const held = { _id: keyOf(queue, id), fence, held_until: { $gt: WAITING } };
    if (settlement.then === 'done') return (await entries.deleteOne(held)).deletedCount === 1;
    const { dueAt, payload } = settlement;
    const before = await entries.findOneAndUpdate(
      held,
      {
        $set: {
          held_until: WAITING,
          due_at: dueAt,
          set_back: setBack(),
          ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
        },
      },
      { projection: { lane: 1 } },
    );
    if (before === null) return false;
    listeners.announce(queue, before.lane, dueAt);
    return true;
  }

  return {
    async schedule(added) {
      if (added.length === 0) return;
      const fresh = new Map<string, Entry>();
      for (const entry of added) {
        const row = entryOf(entry, nextNumber(), setBack());
        if (!fresh.has(row._id)) fresh.set(row._id, row);
      }
      for (const key of await insertTogether([...fresh.values()])) fresh.delete(key);
      for (const { queue, lane, due_at } of fresh.values()) listeners.announce(queue, lane, due_at);
    },

    async adopt(added) {
      if (added.length === 0) return;
      for (const { queue, heldUntil } of added) {
        if (heldUntil !== null) runOut.takes(queue, Infinity, heldUntil);
      }
      const adopted = added.map((entry) => adoptedEntryOf(entry, nextNumber(), setBack()));
      await answer(() => insertNew(entries, adopted));
    },

    async claim({ queue, lane, now, limit, leaseMs }) {
      const claimed: ClaimedEntry[] = [];
      const order = new Map<string, number>();
      for (let round = 0; round < MAX_ROUNDS && claimed.length < limit; round += 1) {
        const found = await candidates(queue, lane, now, limit - claimed.length);
        if (found.length === 0) break;
        runOut.takes(queue, leaseMs, now + leaseMs);
        for (const { id, seq } of found) order.set(id, seq);
        const taken = await take(found, now, now + leaseMs);
        claimed.push(...taken);
        if (taken.length === found.length) break;
      }
      return claimed.sort((a, b) => a.dueAt - b.dueAt || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
    },

    async settle(settlements) {
      const effective = new Array<boolean>(settlements.length).fill(false);
      // Settlements of the same entry run in the order given, others in parallel.
      const sameEntry = new Map<string, Indexed[]>();
      for (const indexed of settlements.entries()) {
        const key = keyOf(indexed[1].queue, indexed[1].id);
        sameEntry.set(key, [...(sameEntry.get(key) ?? []), indexed]);
      }
      const ends = ([first, ...more]: readonly Indexed[]): boolean =>
        more.length === 0 && first?.[1].then === 'done';
      const all = [...sameEntry.values()];
      const together = all.filter(ends).flat();
      const bulk = together.length >= WORTH_A_BULK;
      await answer(() =>
        Promise.all([
          bulk && endTogether(together),
          ...all.map(async (same) => {
            if (bulk && ends(same)) return;
            for (const [index, settlement] of same) effective[index] = await settleOne(settlement);
          }),
        ]),
      );
      return effective;

      async function endTogether(some: readonly Indexed[]): Promise<void> {
        const ended = await endAll(
          entries,
          some.map(([, settlement]) => settlement),
        );
        for (const [index, settlement] of some) effective[index] = ended.has(settlement);
      }
    },

    async reschedule(queue, id, dueAt) {
      const before = await answer(() =>
        entries.findOneAndUpdate(
          { _id: keyOf(queue, id), held_until: { $lte: clock.now() } },
          { $set: { held_until: WAITING, due_at: dueAt, set_back: setBack() } },
          { projection: { lane: 1 } },
        ),
      );
      if (before === null) return false;
      listeners.announce(queue, before.lane, dueAt);
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
        listeners.announce(queue, lane, due_at),
      );
      runOut.forget();
    },
  };
}

const inOrder = (a: Entry, b: Entry): number =>
  a.due_at - b.due_at || a.seq - b.seq || (a.id < b.id ? -1 : 1);
