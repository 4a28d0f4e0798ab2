/**
 * Reads of what is durable. What a transaction has changed can be read from its execution on, and it is durable when a
 * thread has written it to the disk. Who reads it between the two waits, so that nobody acts on what a power cut would
 * take back.
 */
import type { UnderWay } from './writer.js';

/**
 * Reads when nothing of it is under way.
 * @param isChanging whether the transaction under way has changed what is to be read
 */
export type ReadDurable = <T>(isChanging: () => boolean, read: () => T) => Promise<T>;

/**
 * For the background: who reads what the transaction has not changed does not wait, unless a crowd of requests does. They
 * go first.
 */
export const readsOfChanges =
  (underWay: UnderWay): ReadDurable =>
  async (isChanging, read) => {
    // Another transaction may have begun when this one ended.
    while (underWay.isCrowded() || isChanging()) {
      const wait = underWay.end();
      if (!wait) break;
      await wait;
    }
    return read();
  };

/**
 * For requests: all that come while a transaction is under way wait for its end. They go on together, and share the next
 * one (docs/adr/0076-reads-wait-for-what-changes.md).
 */
export const readsTogether = (underWay: UnderWay): ReadDurable => {
  const read = readsOfChanges(underWay);
  return (_, what) => read(always, what);
};

const always = (): boolean => true;

/** For what a transaction under way never changes. */
export const never = (): boolean => false;
