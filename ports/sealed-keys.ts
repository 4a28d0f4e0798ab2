/**
 * The personal keys as stored: sealed under the master key. Only for moving a whole history to another deployment with
 * the same master key. To open keys, use PersonalKeys.
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
  /**
   * Null once the key is destroyed. The id stays reserved, because sealed data may still carry it: no later key may
   * reuse it.
   */
  readonly sealed_key: string | null;
}

export interface SealedKeys {
  /** In the order of their ids, after `after` (exclusive; '' for the beginning). Fewer than `limit` means the end. */
  list(after: string, limit: number): Promise<readonly SealedKey[]>;
  /**
   * Durable when this resolves. An existing key stays as it is, so repeating the call changes nothing. Only for a
   * deployment that has not created any key of its own.
   */
  restore(keys: readonly SealedKey[]): Promise<void>;
}
