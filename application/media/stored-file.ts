/** Opens the stored file of a message. */
import { createHash } from 'node:crypto';
import type { StoredMedia } from '../../domain/message/media.js';
import type { App } from '../app.js';
import { openFile, openPieces, sealedStart, type SealedFile } from './sealed.js';

type Stores = Pick<App, 'keys' | 'blobs'>;

/**
 * The whole file; undefined when the person was erased or the blob is missing.
 *
 * @throws StoreUnavailable, BlobDamaged
 */
export async function readStoredFile(
  app: Stores,
  messageUuid: string,
  stored: StoredMedia,
): Promise<Buffer | undefined> {
  const file = await sealedAs(app, messageUuid, stored);
  const sealed = file && (await app.blobs.get(stored.blob));
  return file && sealed && openFile(file, sealed, 0, stored.size);
}

/**
 * Bytes `from` (inclusive) to `to` (exclusive), piece by piece; undefined when the person was erased or the blob is
 * missing. When the whole file is requested, the last piece is returned only after the hash of the blob was verified.
 *
 * @throws StoreUnavailable, also between pieces
 */
export async function streamStoredFile(
  app: Stores,
  messageUuid: string,
  stored: StoredMedia,
  from: number,
  to: number,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const file = await sealedAs(app, messageUuid, stored);
  const sealed = file && (await app.blobs.read(stored.blob, { start: sealedStart(from), end: to }));
  if (!file || !sealed) return undefined;
  const whole = from === 0 && to === stored.size;
  return openPieces(file, whole ? proven(sealed, stored.blob) : sealed, from);
}

async function sealedAs(
  app: Stores,
  messageUuid: string,
  { keyId, sha256 }: StoredMedia,
): Promise<SealedFile | undefined> {
  const personKey = (await app.keys.open([keyId])).get(keyId);
  return personKey === undefined || sha256 === null ? undefined : { personKey, messageUuid, sha256 };
}

async function* proven(pieces: AsyncIterable<Uint8Array>, blob: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    hash.update(piece);
    if (held) yield held;
    held = piece;
  }
  if (hash.digest('hex') !== blob) throw new Error(`blob ${blob} does not have the hash it is stored under`);
  if (held) yield held;
}
