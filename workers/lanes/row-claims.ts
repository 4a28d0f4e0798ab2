/** Claims rows of a lane that are partly in memory and partly in the due-time store: a row in doubt is the store's. */
import type { AdoptingDueTimes, ClaimedEntry, DueTimes } from '../../ports/due-times.js';
import type { RowMoves } from './row-moves.js';
import type { RowsInMemory } from './rows-in-memory.js';
import type { StoredLanes } from './stored-lanes.js';

export interface RowClaimsDeps {
  readonly inner: AdoptingDueTimes;
  readonly memory: RowsInMemory;
  readonly moves: RowMoves;
  readonly stored: StoredLanes;
}

export function createRowClaims({ inner, memory, moves, stored }: RowClaimsDeps): DueTimes['claim'] {
  async function claimNow(options: Parameters<DueTimes['claim']>[0]): Promise<readonly ClaimedEntry[]> {
    const { queue, lane, now, limit, leaseMs } = options;
    const ask = memory.due(queue, lane, now, 1).length === 0 || stored.mayHave(queue, lane, now);
    const found = ask ? await inner.claim(options) : [];
    if (ask && found.length < limit) stored.usedUp(queue, lane);
    // The write without an answer has taken place.
    for (const row of memory.findAll(
      queue,
      found.map(({ id }) => id),
    ))
      if (row.inDoubt) memory.forget(row);
    const kept = memory.due(queue, lane, now, limit - found.length);
    return [...found, ...kept.map((row) => memory.claim(row, now + leaseMs))];
  }

  return async (options) => {
    const taken: ClaimedEntry[] = [];
    do {
      // Rows that are being moved are claimed in the store.
      await moves.endedIn(options.queue, options.lane);
      taken.push(...(await claimNow({ ...options, limit: options.limit - taken.length })));
      // Rows that began to move meanwhile are in neither place for a moment.
    } while (taken.length < options.limit && moves.anyIn(options.queue, options.lane));
    return taken.sort((a, b) => a.dueAt - b.dueAt);
  };
}
