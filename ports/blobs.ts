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
  /** All of it, and proven to be what was put. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /**
   * A part of it, piece by piece, so that memory does not grow with what is read. Nothing is opened before the first
   * piece is asked for, so pieces need not be. Unlike `get` it can't tell whether the bytes are still those that were put.
   * Undefined when there is no such blob.
   */
  read(hash: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  has(hash: string): Promise<boolean>;
  delete(hash: string): Promise<void>;
}
