/**
 * The files of a person's messages. Their key is destroyed already, so the blobs are noise; this frees their place. No
 * other message refers to them: see sealed.ts.
 */
import type { App } from '../app.js';

const STORED = 'MessageMediaStored';

/** @param streams the person's messages; may be repeated. Answers how many blobs were asked to go. */
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
