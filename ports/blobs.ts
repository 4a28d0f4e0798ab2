/** Immutable bytes by content hash: images and media. */
export interface BlobInfo {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly hash: string;
  readonly size: number;
}

export interface Blobs {
  put(bytes: Uint8Array): Promise<BlobInfo>;
  get(hash: string): Promise<Uint8Array | undefined>;
  has(hash: string): Promise<boolean>;
  delete(hash: string): Promise<void>;
}
