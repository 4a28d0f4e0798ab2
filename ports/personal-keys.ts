/**
 * One key per person. Personal fields of events are sealed with it. Destroying the key erases those fields, while the
 * events can still be folded.
 */
export interface PersonalKey {
  /**
   * Names this generation of the subject's key (`<subject>.<number>`); stored beside the data that was sealed with it.
   */
  readonly keyId: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** When the key was requested, by the process's monotonic clock. Absent where only this process can destroy it. */
  readonly askedAt?: number;
}

/** The subject of a key id; undefined when the text is not the id of a personal key. */
export const subjectOfKey = (keyId: string): string | undefined => /^(.+)\.\d+$/.exec(keyId)?.[1];

export interface PersonalKeys {
  /** The subject's live key. A missing key is created, and is durable no later than the next append. */
  keyFor(subject: string, company: string): Promise<PersonalKey>;
  /** Same as `keyFor` when the key is available without waiting, else undefined. */
  keyAtHand(subject: string): PersonalKey | undefined;
  /** Keys by id; a destroyed or unknown key is absent from the result. */
  open(keyIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Destroys every key of the subject, for good. The next `keyFor` creates a new one. Returns how many keys were
   * destroyed.
   */
  destroy(subject: string): Promise<number>;
}
