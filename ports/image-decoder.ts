/** Decodes untrusted image bytes and encodes them again as images of our own. */
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

/** `format`: neither JPEG, PNG, WebP nor GIF. `pixels`: too many of them. `damaged`: does not decode to its end. */
export type ImageFault = 'format' | 'pixels' | 'damaged';

/** The bytes are not a complete JPEG, PNG, WebP or GIF of an accepted size. The message is for the log. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  constructor(
    message: string,
    readonly fault: ImageFault,
  ) {
    super(message);
  }
}

export interface ImageDecoder {
  /**
   * A full-size copy and its renditions, upright, encoded from the pixels alone: location, camera and all other
   * metadata of the file are gone. The same input gives the same output.
   *
   * @throws ImageRefused
   */
  decode(bytes: Buffer): Promise<DecodedImage>;
}
