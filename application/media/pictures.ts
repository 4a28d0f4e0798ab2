/**
 * Pictures of messages for people who look at them in the console: made anew from the pixels, small, and without
 * anything else that was in the file.
 */
import { LRUCache } from 'lru-cache';
import type { MessageMedia } from '../../domain/message/media.js';
import { ImageRefused, type Rendition } from '../../ports/image-decoder.js';
import type { App } from '../app.js';
import { createKeyedSemaphore } from '../store/keyed-semaphore.js';
import { readStoredFile } from './stored-file.js';

const PICTURES: ReadonlySet<string> = new Set(['image', 'sticker']);
/** Larger files are downloads. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Enough for a bubble on a fine screen. */
const WIDEST = 800;
const CACHE_BYTES = 16 * 1024 * 1024;

export interface MessagePictures {
  /**
   * Undefined where the file is no picture, can't be decoded, or is gone.
   * @throws StoreUnavailable
   */
  of(messageUuid: string, media: MessageMedia): Promise<Pick<Rendition, 'bytes' | 'contentType'> | undefined>;
}

export function createMessagePictures(app: Pick<App, 'keys' | 'blobs' | 'images'>): MessagePictures {
  const cache = new LRUCache<string, Rendition>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  const { decoder } = app.images;
  /** Files in memory at once; one message is decoded once. */
  const turns = createKeyedSemaphore({ total: 4, perKey: 1 });

  return {
    async of(messageUuid, { kind, stored }) {
      if (!stored || !PICTURES.has(kind) || stored.size > MAX_FILE_BYTES) return undefined;
      // Of an erased person nothing is shown, not even what is still in memory.
      if (!(await app.keys.open([stored.keyId])).has(stored.keyId)) return undefined;
      const giveBack = await turns.take([stored.blob]);
      try {
        const known = cache.get(stored.blob);
        if (known) return known;
        const bytes = await readStoredFile(app, messageUuid, stored);
        if (bytes === undefined) return undefined;
        const image = await decoder.decode(bytes);
        const fitting = image.renditions.findLast(({ width }) => width <= WIDEST) ?? image;
        cache.set(stored.blob, fitting);
        return fitting;
      } catch (error) {
        if (error instanceof ImageRefused) return undefined;
        throw error;
      } finally {
        giveBack();
      }
    },
  };
}
