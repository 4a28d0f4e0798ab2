/**
 * Loaded first into every process that a bench starts: reports the memory in use after a full collection. The resident
 * set is a poor measure of that, because V8 collects late when the machine has free memory.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes, after a collection. */
export interface LiveHeap {
  /** JavaScript objects. */
  readonly heapUsed: number;
  /** Buffers and other memory outside the JavaScript heap. */
  readonly external: number;
}

process.on('message', (message) => {
  if (message !== 'live-heap') return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  // The second collection frees what the first one finalized.
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ heapUsed, external } satisfies LiveHeap);
  });
});
process.channel?.unref();
