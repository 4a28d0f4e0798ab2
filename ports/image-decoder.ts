/** Bytes that claim to be a picture become pictures of our own making. */
export interface Rendition {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface DecodedImage extends Rendition {
  /** Smaller copies, narrowest first; none is wider than the picture itself. */
  readonly renditions: readonly Rendition[];
}

/** The bytes are no whole JPEG, PNG, WebP or GIF of a size that is taken. The message is for the log. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

export interface ImageDecoder {
  /**
   * A full-size copy and its renditions, upright, made from the pixels alone: no position, camera or other baggage of the
   * file is left. The same bytes come out the same.
   *
   * @throws ImageRefused
   */
  decode(bytes: Buffer): Promise<DecodedImage>;
}
