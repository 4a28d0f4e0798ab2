/** Opens what is kept of a message's file. */
import type { StoredMedia } from '../../domain/message/media.js';
import type { App } from '../app.js';
import { openFile } from './sealed.js';

/**
 * Bytes `from` (inclusive) to `to` (exclusive) of the file; undefined when the person was erased or the blob is gone.
 *
 * @throws StoreUnavailable, BlobDamaged
 */
export async function readStoredFile(
  app: Pick<App, 'keys' | 'blobs'>,
  messageUuid: string,
  stored: StoredMedia,
  from = 0,
  to = stored.size,
): Promise<Buffer | undefined> {
  const personKey = (await app.keys.open([stored.keyId])).get(stored.keyId);
  if (personKey === undefined || stored.sha256 === null) return undefined;
  const sealed = await app.blobs.get(stored.blob);
  return sealed && openFile({ personKey, messageUuid, sha256: stored.sha256 }, sealed, from, to);
}
