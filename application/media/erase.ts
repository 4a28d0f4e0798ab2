/**
 * Deletes the files of a person's messages. Their key is destroyed already, so the blobs are unreadable; this frees
 * their space. No other message refers to them: see sealed.ts.
 */
import type { App } from '../app.js';

const STORED = 'MessageMediaStored';

/** @param streams the person's messages; may be repeated. Returns the number of deleted blobs. */
export async function eraseFiles(
  app: Pick<App, 'store' | 'blobs'>,
  streams: readonly string[],
): Promise<number> {
  let erased = 0;
  for (const stream of streams) {
    for (const { type, data } of await app.store.read(stream)) {
      if (type !== STORED) continue;
      await app.blobs.delete(String(data['blob']));
      erased += 1;
    }
  }
  return erased;
}
