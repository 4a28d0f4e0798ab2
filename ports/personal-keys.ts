/**
 * One key per person. Personal fields of events are sealed with it. Destroying the key erases those fields, while the
 * events can still be folded.
 */
import { drawRandomBytes } from './random-bytes.js';

export interface PersonalKey {
  /**
   * Names this generation of the subject's key (`<subject>.<number>`); stored beside the data that was sealed with it.
   */
  readonly keyId: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** When the key was requested, by the process's monotonic clock. Absent where only this process can destroy it. */
  readonly askedAt?: number;
  /** When the person's keys before this one were destroyed, epoch milliseconds. Absent for a first key. */
  readonly madeAfter?: number;
  /** Nobody has this key: what is sealed with it reads as erased. */
  readonly lost?: true;
}

/** True when data of that date belongs to an erasure before which the key did not exist. */
export const isOlderThanKey = ({ madeAfter }: PersonalKey, dataFrom: number | undefined): boolean =>
  madeAfter !== undefined && dataFrom !== undefined && dataFrom < madeAfter;

/** @param generation 1 for a person's first key */
export const keyIdOf = (subject: string, generation: number): string => `${subject}.${generation}`;

/** Bears an id that no key has: a process may have a destroyed key at hand for seconds, and would try it. */
export const lostKeyOf = (subject: string): PersonalKey => ({
  keyId: keyIdOf(subject, 0),
  key: drawRandomBytes(32),
  lost: true,
});

/** The subject of a key id; undefined when the text is not the id of a personal key. */
export const subjectOfKey = (keyId: string): string | undefined => /^(.+)\.\d+$/.exec(keyId)?.[1];

export interface PersonalKeys {
  /**
   * The subject's live key. A missing key is created, and is durable no later than the next append.
   *
   * @param dataFrom when the data to be sealed came in, epoch milliseconds; default: now. If keys of the subject were
   * destroyed since, the data belongs to that erasure: the answer is a `lost` key
   */
  keyFor(subject: string, company: string, dataFrom?: number): Promise<PersonalKey>;
  /** Same as `keyFor` when a live key is available without waiting, else undefined. */
  keyAtHand(subject: string, dataFrom?: number): PersonalKey | undefined;
  /** Keys by id; a destroyed or unknown key is absent from the result. */
  open(keyIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Destroys every key of the subject, for good. The next `keyFor` creates a new one. Returns how many keys were
   * destroyed.
   */
  destroy(subject: string): Promise<number>;
}
