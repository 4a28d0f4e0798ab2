/** Work that was given up until an operator retries it. It can't be derived from the history. */
import { collection } from './collection.js';

/** Identification of the work: identifiers only, never personal data. */
export type ParkedValue = Readonly<Record<string, unknown>>;

export type ParkedMessage = {
  readonly id: string;
  /** Consumer group of the worker: `inbound`, `notifications`, `transcriptions`, … */
  readonly group: string;
  readonly value: ParkedValue;
  readonly reason: string;
  /** ISO 8601 */
  readonly parked_at: string;
};

export const parkedMessages = collection<ParkedMessage>()({
  name: 'parked_messages',
  version: 1,
  indexes: { by_group: ['group', 'parked_at'], newest: ['parked_at'] },
  forgets: true,
});
