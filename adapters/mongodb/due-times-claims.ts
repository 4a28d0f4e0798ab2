/** Claims of due entries. A claim that loses entries to other processes reads again. */
import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { ClaimedEntry, DueTimes } from '../../ports/due-times.js';
import { WAITING, type Entry } from './due-times-entry.js';
import type { RunOut } from './run-out.js';

/** Most rounds of a claim that loses entries to other processes. */
const MAX_ROUNDS = 16;

interface ClaimOptions {
  readonly entries: Collection<Entry>;
  readonly answer: <T>(work: () => Promise<T>) => Promise<T>;
  readonly runOut: RunOut;
  readonly nextNumber: () => number;
  readonly setBack: () => number;
}

export function createClaim({
  entries,
  answer,
  runOut,
  nextNumber,
  setBack,
}: ClaimOptions): DueTimes['claim'] {
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

  return async ({ queue, lane, now, limit, leaseMs }) => {
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
  };
}

const inOrder = (a: Entry, b: Entry): number =>
  a.due_at - b.due_at || a.seq - b.seq || (a.id < b.id ? -1 : 1);
