/**
 * Storage of the documents of a search index. Each scope fills blocks of 2,016 places, one after the other. A full
 * block is sealed: it gets signature slices, with its documents in the order of results. When an era of blocks is
 * complete, its sealed blocks are sealed again as one, so that a search reads few blocks.
 *
 * Documents of a full block never change in place: they move to the block that is being filled.
 */
import type { Db } from './database.js';
import { BLOCK, ERA, eraBlock, firstPlace, isEra, isLastOfEra, lastPlace } from './search-places.js';
import { createSealing, GONE } from './search-sealing.js';
import { createSlices } from './search-slices.js';

/** The even number 2n is the nth block of places; the odd number 2n + 1 is the whole era that starts there. */
export interface Block {
  readonly block: number;
  /** Number of places assigned. */
  readonly used: number;
  /** Lowest and highest sort value that the block has ever held. */
  readonly low: string | number;
  readonly high: string | number;
  /** Number of its signature slices; 0 while it is not sealed. */
  readonly slices: number;
}

export interface Blocks {
  /** Blocks of a scope, in no order. Their bounds are sort values. */
  of(scope: string): readonly Block[];
  /** In a transaction: assigns a free place to a document with this sort value. */
  take(scope: string, order: string | number): number;
  /**
   * In a transaction: frees the place of a document that is gone. Returns the first and last place of its block when
   * that block is sealed and more than half empty: the remaining documents should move too.
   */
  release(place: number): readonly [first: number, last: number] | null;
  /** In a transaction: whether the document at this place may get this sort value and other words. */
  allowsChange(place: number, order: string | number): boolean;
  /** In a transaction: does one step of the pending work; false when nothing is pending. */
  step(): boolean;
  /** Called after a rollback. */
  forget(): void;
  /** Undefined when no document has its bit set. */
  slice(block: number, slice: number): Uint8Array | undefined;
  /**
   * Bit n of a slice of a sealed block belongs to the nth element, which is a place relative to the first of the block.
   */
  order(block: number): Uint16Array;
}

export const blockTables = (blocks: string, slices: string): string =>
  `CREATE TABLE IF NOT EXISTS ${blocks} (
     block INTEGER PRIMARY KEY, scope TEXT NOT NULL, used INTEGER NOT NULL, live INTEGER NOT NULL,
     low NOT NULL, high NOT NULL, slices INTEGER NOT NULL
   );
   CREATE INDEX IF NOT EXISTS ${blocks}_of ON ${blocks} (scope, block);
   CREATE TABLE IF NOT EXISTS ${slices} (slice INTEGER PRIMARY KEY, bits BLOB NOT NULL);`;

export function createBlocks(
  db: Db,
  names: { readonly rows: string; readonly blocks: string; readonly slices: string },
): Blocks {
  const { blocks } = names;
  const ofScope = db.prepare<unknown[], Block>(
    `SELECT block, used, low, high, slices FROM ${blocks} WHERE scope = ? AND live > 0 AND slices > ${GONE}`,
  );
  const lastOf = db.prepare<unknown[], { block: number; used: number }>(
    `SELECT block, used FROM ${blocks} WHERE scope = ? ORDER BY block DESC LIMIT 1`,
  );
  const highest = db.prepare<unknown[], number | null>(`SELECT max(block) FROM ${blocks}`).pluck();
  const begin = db.prepare(`INSERT INTO ${blocks} VALUES (?, ?, 1, 1, ?, ?, 0)`);
  const fill = db.prepare(
    `UPDATE ${blocks} SET used = used + 1, live = live + 1, low = min(low, ?), high = max(high, ?) WHERE block = ?`,
  );
  const usedOf = db
    .prepare<unknown[], number>(`SELECT used FROM ${blocks} WHERE block = ? AND slices = 0`)
    .pluck();
  const sealedAs = db.prepare(`SELECT 1 FROM ${blocks} WHERE block = ? AND slices <> 0`).pluck();
  const widen = db.prepare(`UPDATE ${blocks} SET low = min(low, ?), high = max(high, ?) WHERE block = ?`);
  const leave = db.prepare<unknown[], { used: number; live: number; slices: number }>(
    `UPDATE ${blocks} SET live = live - 1 WHERE block = ? RETURNING used, live, slices`,
  );
  const stored = createSlices(db, names);
  const sealing = createSealing(db, names, stored);

  const blockOf = (place: number): number => {
    const era = eraBlock(Math.floor(place / ERA));
    return sealedAs.get(era) === undefined ? Math.floor(place / BLOCK) * 2 : era;
  };

  function take(scope: string, order: string | number): number {
    const last = lastOf.get(scope);
    if (last && !isEra(last.block) && last.used < BLOCK) {
      fill.run(order, order, last.block);
      if (last.used + 1 === BLOCK) sealing.wake();
      return firstPlace(last.block) + last.used;
    }
    const inEra = last && !isEra(last.block) && !isLastOfEra(last.block);
    const block = inEra ? last.block + 2 : eraBlock(Math.floor(firstPlace(newest()) / ERA) + 1) - 1;
    begin.run(block, scope, order, order);
    // The previous era may be complete now.
    sealing.wake();
    return firstPlace(block);
  }

  const newest = (): number => highest.get() ?? -2;

  function release(place: number): readonly [number, number] | null {
    const block = blockOf(place);
    const left = leave.get(block);
    if (!left) throw new TypeError(`${blocks} has no block ${block}`);
    if (left.live === 0 && left.used >= BLOCK) {
      sealing.removeEmpty(block);
      return null;
    }
    return left.slices > 0 && left.live * 2 < left.used ? [firstPlace(block), lastPlace(block)] : null;
  }

  function allowsChange(place: number, order: string | number): boolean {
    const block = Math.floor(place / BLOCK) * 2;
    const used = usedOf.get(block);
    if (used === undefined || used >= BLOCK) return false;
    widen.run(order, order, block);
    return true;
  }

  return {
    of: (scope) => ofScope.all(scope),
    take,
    release,
    allowsChange,
    step: () => sealing.step(),
    forget: () => sealing.forget(),
    slice: (block, slice) => stored.at(block, slice),
    order: (block) => stored.order(block),
  };
}
