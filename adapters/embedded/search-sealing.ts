/**
 * Sealing of the full blocks of a search index, and of complete eras as one block; removal of blocks that are empty. It
 * proceeds in steps, one with each write, so that no write waits for all of it. Steps that are lost when the process
 * ends, or when a transaction is rolled back, are repeated.
 */
import type { Db } from './database.js';
import { BLOCK, BLOCKS_PER_ERA, ERA, eraBlock, firstPlace, lastPlace } from './search-places.js';
import { addTo, sliceCount } from './search-signature.js';
import type { Slices } from './search-slices.js';

export interface Sealing {
  /** In a transaction: does one step of the pending work; false when nothing is pending. */
  step(): boolean;
  /** Called when a block is full, or an era may be complete. */
  wake(): void;
  /** In a transaction: the block holds no document any more. */
  removeEmpty(block: number): void;
  /** Called after a rollback. */
  forget(): void;
}

/** Stored instead of a number of slices: the block no longer exists, and its slices are being removed. */
export const GONE = -1;

/** Limits of one step: half a millisecond or so. */
const CHARACTERS_PER_STEP = 8_000;
const BYTES_PER_STEP = 64_000;

/** @param names tables of the index */
export function createSealing(
  db: Db,
  { rows, blocks }: { readonly rows: string; readonly blocks: string },
  slices: Omit<Slices, 'at' | 'order'>,
): Sealing {
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
  let job: Iterator<void> | undefined;
  /** True when no work is known to be pending. */
  let idle = false;

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
      if (part.some((byte) => byte !== 0)) slices.put(block, slice, part);
      if (slice % perStep === perStep - 1) yield;
    }
    const order = Uint16Array.from(places, (place) => place - first);
    slices.putOrder(block, order);
    done(count);
  }

  function* remove(block: number): Iterator<void> {
    while (slices.removeSome(block)) yield;
    removeBlock.run(block);
    slices.forgetOrder(block);
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
    step() {
      if (idle) return false;
      job ??= nextJob();
      if (!job) idle = true;
      else if (job.next().done) job = undefined;
      return !idle;
    },
    wake() {
      idle = false;
    },
    removeEmpty(block) {
      setGone.run(block);
      idle = false;
    },
    forget() {
      job = undefined;
      idle = false;
    },
  };
}
