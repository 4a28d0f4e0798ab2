/**
 * Reads of what is durable. The rows of a transaction can be read from its execution on, and it is durable when a thread
 * has written it to the disk. A read between the two waits, so that nobody acts on what a power cut would take back.
 */
import type { UnderWay } from './writer.js';

export async function readDurable<T>(underWay: UnderWay, read: () => T): Promise<T> {
  // Another transaction may have begun when this one ended.
  for (let wait = underWay(); wait; wait = underWay()) await wait;
  return read();
}
