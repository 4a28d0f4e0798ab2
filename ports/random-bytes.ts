/** Random bytes for nonces and keys, drawn in blocks: one system call for many. */
import { randomFillSync } from 'node:crypto';

const block = new Uint8Array(8_192);
let drawn = block.length;

/** @param count at most 64: longer ones gain nothing by it */
export function drawRandomBytes(count: number): Uint8Array {
  if (count > 64) throw new RangeError(`${count} random bytes are too many for one draw`);
  if (drawn + count > block.length) {
    randomFillSync(block);
    drawn = 0;
  }
  const bytes = block.slice(drawn, drawn + count);
  // A key must not be in memory twice.
  block.fill(0, drawn, drawn + count);
  drawn += count;
  return bytes;
}
