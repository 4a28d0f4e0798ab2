/**
 * Loaded before everything a bench starts: answers how much memory is in use after a full collection. What a process
 * occupies says little of that: V8 collects late where the machine has memory.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes, after a collection. */
export interface LiveHeap {
  /** Of JavaScript. */
  readonly heapUsed: number;
  /** Of buffers and the like, which lie beside it. */
  readonly external: number;
}

process.on('message', (message) => {
  if (message !== 'live-heap') return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  // What the first one finalized is given back by the second.
  setImmediate(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ heapUsed, external } satisfies LiveHeap);
  });
});
process.channel?.unref();
