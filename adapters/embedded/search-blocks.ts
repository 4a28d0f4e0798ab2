/**
 * Storage of the documents of a search index. Each scope fills blocks of 2,016 places, one after the other. A full
 * block is sealed: it gets signature slices, with its documents in the order of results. When an era of blocks is
 * complete, its sealed blocks are sealed again as one, so that a search reads few blocks.
 *
 * Sealing proceeds in steps, one with each write, so that no write waits for all of it. Steps that are lost when the
 * process ends, or when a transaction is rolled back, are repeated. Documents of a full block never change in place:
 * they move to the block that is being filled.
 */
import { createCache } from '../../ports/cache.js';
import type { Db } from './database.js';
import { addTo, sliceCount } from './search-signature.js';

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

/**
 * With this size two slices of an era and SQLite's own overhead fit into a page of 4 KiB; with 2,048 only one would.
 */
const BLOCK = 2_016;
const BLOCKS_PER_ERA = 8;
const ERA = BLOCK * BLOCKS_PER_ERA;
/** Stored instead of a number of slices: the block no longer exists, and its slices are being removed. */
const GONE = -1;
/** The slices of a block are numbered from its own number times this; the last one is its order. */
const SLICES = 65_536;

/** Limits of one step: half a millisecond or so. */
const CHARACTERS_PER_STEP = 8_000;
const BYTES_PER_STEP = 64_000;
const ROWS_PER_STEP = 250;
/** Orders kept in memory, 32 KiB each. */
const REMEMBERED_ORDERS = 100;

export const firstPlace = (block: number): number => Math.floor(block / 2) * BLOCK;
const lastPlace = (block: number): number => firstPlace(block) + (isEra(block) ? ERA : BLOCK) - 1;

const isEra = (block: number): boolean => block % 2 === 1;
const eraBlock = (era: number): number => era * BLOCKS_PER_ERA * 2 + 1;
const isLastOfEra = (block: number): boolean => (firstPlace(block) + BLOCK) % ERA === 0;

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
  const { rows, blocks, slices } = names;
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
  const setSealed = db.prepare(`UPDATE ${blocks} SET slices = ? WHERE block = ? AND slices = 0`);
  const setGone = db.prepare(`UPDATE ${blocks} SET slices = ${GONE} WHERE block = ? AND live = 0`);

  const aGone = db
    .prepare<unknown[], number>(`SELECT block FROM ${blocks} WHERE slices = ${GONE} LIMIT 1`)
    .pluck();
  const aFull = db
    .prepare<unknown[], number>(
      `SELECT block FROM ${blocks} WHERE slices = 0 AND used = ${BLOCK} ORDER BY block LIMIT 1`,
    )
    .pluck();
  // An era is complete when the scope has started another one. All of its blocks are sealed, and more than one is left.
  const anEra = db
    .prepare<unknown[], number>(
      `SELECT place / ${ERA} FROM (SELECT block / 2 * ${BLOCK} AS place, block, scope, slices FROM ${blocks}) AS b
       WHERE block % 2 = 0
       GROUP BY place / ${ERA} HAVING min(slices) > 0 AND count(*) > 1 AND EXISTS (
         SELECT 1 FROM ${blocks} AS later
         WHERE later.scope = b.scope AND later.block > (b.place / ${ERA} + 1) * ${2 * BLOCKS_PER_ERA} - 1)
       LIMIT 1`,
    )
    .pluck();
  const removeSlices = db.prepare(
    `DELETE FROM ${slices} WHERE slice IN
       (SELECT slice FROM ${slices} WHERE slice >= ? AND slice < ? LIMIT ${ROWS_PER_STEP})`,
  );
  const removeBlock = db.prepare(`DELETE FROM ${blocks} WHERE block = ?`);
  const removeParts = db.prepare(
    `UPDATE ${blocks} SET slices = ${GONE} WHERE block >= ? AND block < ? AND block % 2 = 0`,
  );
  const makeEra = db.prepare(
    `INSERT INTO ${blocks} (block, scope, used, live, low, high, slices)
     SELECT ?, min(scope), ${ERA}, (SELECT count(*) FROM ${rows} WHERE place BETWEEN ? AND ?), min(low), max(high), ?
     FROM ${blocks} WHERE block >= ? AND block < ? AND block % 2 = 0`,
  );
  const placesIn = db
    .prepare<unknown[], number>(`SELECT place FROM ${rows} WHERE place BETWEEN ? AND ? ORDER BY ord, id`)
    .pluck();
  const charactersIn = db
    .prepare<unknown[], number>(`SELECT total(length(words)) FROM ${rows} WHERE place BETWEEN ? AND ?`)
    .pluck();
  const wordsAt = db.prepare<unknown[], string>(`SELECT words FROM ${rows} WHERE place = ?`).pluck();
  const putSlice = db.prepare(`INSERT OR REPLACE INTO ${slices} (slice, bits) VALUES (?, ?)`);
  const sliceAt = db.prepare<unknown[], Uint8Array>(`SELECT bits FROM ${slices} WHERE slice = ?`).pluck();

  const orders = createCache<number, Uint16Array>(REMEMBERED_ORDERS);
  let job: Iterator<void> | undefined;
  /** True when no work is known to be pending. */
  let idle = false;

  const blockOf = (place: number): number => {
    const era = eraBlock(Math.floor(place / ERA));
    return sealedAs.get(era) === undefined ? Math.floor(place / BLOCK) * 2 : era;
  };

  function take(scope: string, order: string | number): number {
    const last = lastOf.get(scope);
    if (last && !isEra(last.block) && last.used < BLOCK) {
      fill.run(order, order, last.block);
      if (last.used + 1 === BLOCK) idle = false;
      return firstPlace(last.block) + last.used;
    }
    const inEra = last && !isEra(last.block) && !isLastOfEra(last.block);
    const block = inEra ? last.block + 2 : eraBlock(Math.floor(firstPlace(newest()) / ERA) + 1) - 1;
    begin.run(block, scope, order, order);
    // The previous era may be complete now.
    idle = false;
    return firstPlace(block);
  }

  const newest = (): number => highest.get() ?? -2;

  function release(place: number): readonly [number, number] | null {
    const block = blockOf(place);
    const left = leave.get(block);
    if (!left) throw new TypeError(`${blocks} has no block ${block}`);
    if (left.live === 0 && left.used >= BLOCK) {
      setGone.run(block);
      idle = false;
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

  function* seal(block: number, done: (count: number) => void): Iterator<void> {
    const [first, last] = [firstPlace(block), lastPlace(block)];
    const places = placesIn.all(first, last);
    const count = sliceCount(charactersIn.get(first, last) ?? 0, Math.max(1, places.length));
    const width = Math.ceil(places.length / 8);
    const bits = Buffer.alloc(count * width);
    yield;
    let characters = 0;
    for (const [nth, place] of places.entries()) {
      // The document has gone since then: its bits stay empty.
      const words = wordsAt.get(place) ?? '';
      addTo(bits, count, width, nth, words);
      characters += words.length;
      if (characters < CHARACTERS_PER_STEP) continue;
      characters = 0;
      yield;
    }
    const perStep = Math.max(1, Math.floor(BYTES_PER_STEP / Math.max(1, width)));
    for (let slice = 0; slice < count; slice += 1) {
      const part = bits.subarray(slice * width, (slice + 1) * width);
      if (part.some((byte) => byte !== 0)) putSlice.run(block * SLICES + slice, part);
      if (slice % perStep === perStep - 1) yield;
    }
    const order = Uint16Array.from(places, (place) => place - first);
    putSlice.run(block * SLICES + SLICES - 1, Buffer.from(order.buffer));
    done(count);
  }

  function* remove(block: number): Iterator<void> {
    while (removeSlices.run(block * SLICES, (block + 1) * SLICES).changes === ROWS_PER_STEP) yield;
    removeBlock.run(block);
    orders.delete(block);
  }

  function nextJob(): Iterator<void> | undefined {
    const gone = aGone.get();
    if (gone !== undefined) return remove(gone);
    const full = aFull.get();
    if (full !== undefined) return seal(full, (count) => void setSealed.run(count, full));
    const era = anEra.get();
    if (era === undefined) return undefined;
    const whole = eraBlock(era);
    const parts = [whole - 1, whole - 1 + 2 * BLOCKS_PER_ERA] as const;
    return seal(whole, (count) => {
      makeEra.run(whole, firstPlace(whole), lastPlace(whole), count, ...parts);
      removeParts.run(...parts);
      setGone.run(whole);
    });
  }

  return {
    of: (scope) => ofScope.all(scope),
    take,
    release,
    allowsChange,
    step() {
      if (idle) return false;
      job ??= nextJob();
      if (!job) idle = true;
      else if (job.next().done) job = undefined;
      return !idle;
    },
    forget() {
      job = undefined;
      idle = false;
    },
    slice: (block, slice) => sliceAt.get(block * SLICES + slice),
    order(block) {
      const known = orders.get(block);
      if (known) return known;
      const bytes = sliceAt.get(block * SLICES + SLICES - 1);
      if (!bytes) throw new TypeError(`block ${block} of ${blocks} has no order`);
      const order = new Uint16Array(Uint8Array.from(bytes).buffer);
      orders.set(block, order);
      return order;
    },
  };
}
