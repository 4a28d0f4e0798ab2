/** Stored signature slices of the sealed blocks of a search index, and the order of their documents. */
import { createCache } from '../../ports/cache.js';
import type { Db } from './database.js';

export interface Slices {
  /** Undefined when no document has its bit set. */
  at(block: number, slice: number): Uint8Array | undefined;
  /** In a transaction. */
  put(block: number, slice: number, bits: Uint8Array): void;
  /**
   * Bit n of a slice of a sealed block belongs to the nth element, which is a place relative to the first of the block.
   */
  order(block: number): Uint16Array;
  /** In a transaction. */
  putOrder(block: number, order: Uint16Array): void;
  /** In a transaction: removes some of the block's; false when none are left. */
  removeSome(block: number): boolean;
  /** Called when all of a block's are removed. */
  forgetOrder(block: number): void;
}

/** The slices of a block are numbered from its own number times this; the last one is its order. */
const SLICES = 65_536;
const ROWS_PER_STEP = 250;
/** Orders kept in memory, 32 KiB each. */
const REMEMBERED_ORDERS = 100;

/** @param names tables of the index */
export function createSlices(
  db: Db,
  { blocks, slices }: { readonly blocks: string; readonly slices: string },
): Slices {
  const removeSlices = db.prepare(
    `DELETE FROM ${slices} WHERE slice IN
       (SELECT slice FROM ${slices} WHERE slice >= ? AND slice < ? LIMIT ${ROWS_PER_STEP})`,
  );
  const putSlice = db.prepare(`INSERT OR REPLACE INTO ${slices} (slice, bits) VALUES (?, ?)`);
  const sliceAt = db.prepare<unknown[], Uint8Array>(`SELECT bits FROM ${slices} WHERE slice = ?`).pluck();
  const orders = createCache<number, Uint16Array>(REMEMBERED_ORDERS);

  return {
    at: (block, slice) => sliceAt.get(block * SLICES + slice),
    put: (block, slice, bits) => void putSlice.run(block * SLICES + slice, bits),
    order(block) {
      const known = orders.get(block);
      if (known) return known;
      const bytes = sliceAt.get(block * SLICES + SLICES - 1);
      if (!bytes) throw new TypeError(`block ${block} of ${blocks} has no order`);
      const order = new Uint16Array(Uint8Array.from(bytes).buffer);
      orders.set(block, order);
      return order;
    },
    putOrder: (block, order) => void putSlice.run(block * SLICES + SLICES - 1, Buffer.from(order.buffer)),
    removeSome: (block) => removeSlices.run(block * SLICES, (block + 1) * SLICES).changes === ROWS_PER_STEP,
    forgetOrder: (block) => void orders.delete(block),
  };
}
