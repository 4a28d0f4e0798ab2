/** The thread of packer.ts: compresses the texts of a message, and answers with all of them in one piece of memory. */
import { parentPort } from 'node:worker_threads';
import { pack } from './packing.js';
import type { Packed } from './packer.js';

parentPort?.on('message', (texts: readonly string[]) => {
  const packed = texts.map(pack);
  const bytes = new Uint8Array(packed.reduce((sum, { length }) => sum + length, 0));
  const ends: number[] = [];
  let end = 0;
  for (const one of packed) {
    bytes.set(one, end);
    ends.push((end += one.length));
  }
  const answer: Packed = { bytes, ends };
  parentPort?.postMessage(answer, [bytes.buffer]);
});
parentPort?.postMessage(null);
