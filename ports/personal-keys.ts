/**
 * One key per person. Personal fields of events are sealed with it; destroying it erases them while the history
 * still folds.
 */
export interface PersonalKey {
  /** Names this generation of the subject's key (`<subject>.<number>`); stored beside what was sealed with it. */
  readonly keyId: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** When it was asked for, by the process's monotonic clock. Absent where only this process can destroy it. */
  readonly askedAt?: number;
}

/** Whose key it is; undefined for what is no id of a personal key. */
export const subjectOfKey = (keyId: string): string | undefined => /^(.+)\.\d+$/.exec(keyId)?.[1];

export interface PersonalKeys {
  /** The subject's live key; made, and made durable no later than the next append, when there is none. */
  keyFor(subject: string, company: string): Promise<PersonalKey>;
  /** Same as `keyFor` when the key is at hand without waiting, else undefined. */
  keyAtHand(subject: string): PersonalKey | undefined;
  /** Keys by id; a destroyed or unknown one is absent from the answer. */
  open(keyIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Destroys every key of the subject, for good. The next `keyFor` makes a new one. Answers how many went. */
  destroy(subject: string): Promise<number>;
}
