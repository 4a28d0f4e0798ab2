/** Immutable bytes by content hash: images and media. */
export interface BlobInfo {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly hash: string;
  readonly size: number;
}

/** Bytes `start` (inclusive) to `end` (exclusive), both within the blob. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Blobs {
  put(bytes: Uint8Array): Promise<BlobInfo>;
  /** The whole blob, verified to be the bytes that were put. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /**
   * A range of the blob, in pieces, so that memory use does not grow with the size of the range. Nothing is opened
   * until the first piece is requested, so the caller may drop the iterable unread. Unlike `get` it does not verify
   * that the bytes are still those that were put. Undefined when the blob does not exist.
   */
  read(hash: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  has(hash: string): Promise<boolean>;
  delete(hash: string): Promise<void>;
}
