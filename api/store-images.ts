/**
 * Pictures of products under their public addresses: for the store's page, for integrators, for anybody. Only pictures
 * that some product shows are served, even if other blobs exist under their hash. A deleted product's pictures are gone
 * at once.
 *
 * The bytes were encoded here and never change, so a client that has them need not ask again.
 */
import { Router, type NextFunction, type Request, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { App } from '../application/app.js';
import { readImageName } from '../application/store/image-address.js';
import { findDisplayedImage } from '../application/store/displayed-images.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { etagMatches } from './conditional.js';

/** Size of the cache: pictures of a page are requested again and again. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Limit of bytes being sent: slow readers keep them in memory even after the cache has dropped them. */
const UNDER_WAY_BYTES = 256 * 1024 * 1024;
const SECONDS_TO_SEND = 60;
const YEAR_SECONDS = 31_536_000;
const RETRY_AFTER_SECONDS = 1;

type ImagesApp = Pick<App, 'readModels' | 'blobs' | 'clock'>;

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const NOT_FOUND: Problem = { status: 404, code: 'not_found', message: 'No product shows this picture.' };
const METHOD: Problem = { status: 405, code: 'method_not_allowed', message: 'Pictures can only be read.' };
const AWAY: Problem = {
  status: 503,
  code: 'unavailable',
  message: 'Pictures can not be read at the moment. Try again in a moment.',
};

export function storeImagesRouter(app: ImagesApp): Router {
  const cache = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  });
  const reading = new Map<string, Promise<Buffer | undefined>>();
  let underWay = 0;
  const router = Router();

  /** Concurrent requests for the same bytes share one read. */
  function read(hash: string): Promise<Buffer | undefined> {
    const known = cache.get(hash);
    if (known) return Promise.resolve(known);
    let pending = reading.get(hash);
    if (!pending) {
      pending = app.blobs
        .get(hash)
        .then((bytes) => {
          if (!bytes) return undefined;
          const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
          cache.set(hash, buffer);
          return buffer;
        })
        .finally(() => reading.delete(hash));
      reading.set(hash, pending);
    }
    return pending;
  }

  async function serve(req: Request, res: Response): Promise<void> {
    res.set({
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // The pictures are embedded in the pages and panels of integrators.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    });
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.set('Allow', 'GET, HEAD');
      return refuse(res, METHOD);
    }
    const name = readImageName(req.path);
    const image = name && (await findDisplayedImage(app.readModels, name.hash));
    const shown =
      image && (name.width === null ? image : image.renditions.find(({ width }) => width === name.width));
    if (!shown) return refuse(res, NOT_FOUND);
    const etag = `"${shown.hash}"`;
    const headers = { ETag: etag, 'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable` };
    if (etagMatches(req.get('if-none-match'), etag)) return void res.set(headers).status(304).end();
    const bytes = await read(shown.hash);
    if (!bytes) return refuse(res, NOT_FOUND);
    if (underWay + bytes.length > UNDER_WAY_BYTES) return refuse(res, AWAY);
    res.set({ ...headers, 'Content-Type': shown.content_type, 'Content-Length': String(bytes.length) });
    if (req.method === 'HEAD') return void res.end();
    send(res, bytes);
  }

  function send(res: Response, bytes: Buffer): void {
    // The reader has disconnected: nothing is sent, and no `close` event would follow.
    if (res.destroyed) return;
    underWay += bytes.length;
    const cancelCut = app.clock.after(SECONDS_TO_SEND * 1000, () => res.destroy());
    res.once('close', () => {
      cancelCut();
      underWay -= bytes.length;
    });
    res.end(bytes);
  }

  router.use((req: Request, res: Response, next: NextFunction) => {
    serve(req, res).catch((error: unknown) => {
      if (error instanceof StoreUnavailable && !res.headersSent) refuse(res, AWAY);
      else next(error);
    });
  });
  return router;
}

function refuse(res: Response, { status, code, message }: Problem): void {
  res.set('Cache-Control', 'no-store');
  if (status === 503) res.set('Retry-After', String(RETRY_AFTER_SECONDS));
  const request_id = res.get('X-Request-Id') ?? null;
  res.status(status).json({ error: { code, message, details: {}, request_id } });
}
