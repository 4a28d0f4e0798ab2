/**
 * The keys of persons as they are stored: sealed under the master key. For moving a whole history to another deployment
 * that has the same master key, and for nothing else: what opens keys is PersonalKeys.
 */
export interface SealedKey {
  /** `<subject>.<generation>` */
  readonly key_id: string;
  readonly subject: string;
  readonly company: string;
  /** ISO 8601 */
  readonly created_at: string;
  /** ISO 8601; null while the key is live. */
  readonly destroyed_at: string | null;
  /** Null once it is destroyed: the id stays taken, so that no later key gets the name of one that boxes still carry. */
  readonly sealed_key: string | null;
}

export interface SealedKeys {
  /** In the order of their ids, behind `after` (exclusive; '' begins). Fewer than `limit`: there are no more. */
  list(after: string, limit: number): Promise<readonly SealedKey[]>;
  /**
   * Durable when this resolves. A key that is there already stays as it is, so that repeating changes nothing. Only for a
   * deployment that has made no key of its own yet.
   */
  restore(keys: readonly SealedKey[]): Promise<void>;
}
