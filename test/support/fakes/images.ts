/** `App.images` without a network: every address returns the result that a test set, and no pixel is decoded. */
import { createHash } from 'node:crypto';
import type { App } from '../../../application/app.js';
import { createKeyedSemaphore } from '../../../application/store/keyed-semaphore.js';
import { ImageRefused, type DecodedImage } from '../../../ports/image-decoder.js';
import type { ImageFetch, ImageRequest } from '../../../ports/image-fetcher.js';

export interface FakeImages {
  readonly images: App['images'];
  /** Requests so far, in order. */
  readonly asked: readonly ImageRequest[];
  /** Sets the result of `url` from now on; an unknown address fails. A string stands for the bytes of an image. */
  answer(url: string, what: string | ImageFetch): void;
}

export const fetched = (text: string, etag: string | null = null): ImageFetch => ({
  kind: 'fetched',
  bytes: Buffer.from(text),
  etag,
  lastModified: null,
});

/**
 * Bytes that begin with `picture` decode to a JPEG of 800 × 600 with one rendition of 200; all others are refused.
 * @param others answers for addresses without a result of their own
 */
export function fakeImages(others?: (url: string) => string | ImageFetch): FakeImages {
  const answers = new Map<string, string | ImageFetch>();
  const asked: ImageRequest[] = [];
  const failure: ImageFetch = { kind: 'failed', reason: 'HTTP 404', unreachable: false };
  return {
    asked,
    answer: (url, what) => void answers.set(url, what),
    images: {
      turns: createKeyedSemaphore({ total: 12, perKey: 6 }),
      fetcher: {
        async fetch(request) {
          asked.push(request);
          const what = answers.get(request.url) ?? others?.(request.url) ?? failure;
          return typeof what === 'string' ? fetched(what) : what;
        },
        close: async () => undefined,
      },
      decoder: {
        async decode(bytes): Promise<DecodedImage> {
          if (!bytes.toString().startsWith('picture')) throw new ImageRefused('no picture', 'format');
          const small = Buffer.from(`small ${createHash('sha256').update(bytes).digest('hex')}`);
          return {
            bytes: Buffer.from(`full ${bytes.toString()}`),
            contentType: 'image/jpeg',
            width: 800,
            height: 600,
            renditions: [{ bytes: small, contentType: 'image/webp', width: 200, height: 150 }],
          };
        },
      },
    },
  };
}
