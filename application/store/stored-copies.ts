/** The hosted copies of a picture: decoded, encoded anew, and stored by their hashes. */
import { createHash } from 'node:crypto';
import type { ProductImage } from '../../domain/product/events.js';
import type { App } from '../app.js';
import { putOffExpiry } from './image-expiry.js';

/** The part of a picture that follows from its pixels. */
export type StoredCopies = Pick<ProductImage, 'hash' | 'content_type' | 'width' | 'height' | 'renditions'> & {
  /** Of the copy at full size. */
  readonly bytes: number;
};

/**
 * Stores the copies for at least an hour, even when no product is written then.
 * @throws ImageRefused, StoreUnavailable
 */
export async function storeCopies(
  app: Pick<App, 'images' | 'blobs' | 'dueTimes' | 'clock'>,
  file: Buffer,
): Promise<StoredCopies> {
  const image = await app.images.decoder.decode(file);
  const full = named(image);
  const renditions = image.renditions.map(named);
  // Before the bytes are stored, so that the sweeper checks them even when this process dies in between.
  await putOffExpiry(
    app,
    [full, ...renditions].map(({ hash }) => hash),
  );
  await Promise.all([image, ...image.renditions].map(({ bytes }) => app.blobs.put(bytes)));
  return { ...full, renditions, bytes: image.bytes.length };
}

const named = ({
  bytes,
  contentType,
  width,
  height,
}: {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}) => ({ hash: createHash('sha256').update(bytes).digest('hex'), content_type: contentType, width, height });
