/**
 * Files of messages under the signed addresses that the API and webhooks return. The signature is the credential:
 * addresses are used by browsers and by services without a key. The message's stream decides whether the file may still
 * be served, so files of deleted messages and erased people are gone at once.
 *
 * Nothing here may run in a browser: types that it could run are downloads, nothing is sniffed, and nothing may load
 * more.
 */
import { pipeline } from 'node:stream/promises';
import { Router, type NextFunction, type Request, type Response } from 'express';
import { codeOf } from '../ports/thrown.js';
import type { App } from '../application/app.js';
import { dispositionOf, plainName, safeName } from '../application/media/file-type.js';
import { streamStoredFile } from '../application/media/stored-file.js';
import { messageAggregate } from '../domain/message/decide.js';
import type { MessageMedia, StoredMedia } from '../domain/message/media.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { etagMatches } from './conditional.js';

const RETRY_AFTER_SECONDS = 2;
/**
 * Time for which a browser may show the file without asking: the time in which an erasure must reach the last screen.
 */
const CACHE_SECONDS = 300;

interface Served {
  readonly messageUuid: string;
  readonly media: MessageMedia;
  readonly stored: StoredMedia;
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfter?: number;
}

const NOT_FOUND: Problem = {
  status: 404,
  code: 'not_found',
  message: 'There is no such file. Addresses of files are in the content of messages.',
};
const EXPIRED: Problem = {
  status: 410,
  code: 'url_expired',
  message: 'This address has expired. Read the message again for a new one.',
};
const PENDING: Problem = {
  status: 503,
  code: 'media_pending',
  message: 'The file is still being fetched from WhatsApp. Try again in a moment.',
  retryAfter: RETRY_AFTER_SECONDS,
};
const FAILED: Problem = {
  status: 404,
  code: 'media_failed',
  message: 'WhatsApp did not hand out the file. The message says why, in content.media_error.',
};
const AWAY: Problem = {
  status: 503,
  code: 'unavailable',
  message: 'Files can not be read at the moment. Try again in a moment.',
  retryAfter: RETRY_AFTER_SECONDS,
};
const METHOD: Problem = { status: 405, code: 'method_not_allowed', message: 'Files can only be read.' };
const RANGE: Problem = {
  status: 416,
  code: 'range_not_satisfiable',
  message: 'The file does not have these bytes.',
};

export function mediaRouter(app: App): Router {
  const router = Router();

  async function find(token: string): Promise<Served | Problem> {
    const link = app.mediaLinks.read(token);
    if (link === null) return NOT_FOUND;
    if (link.expiresAt <= app.clock.now()) return EXPIRED;
    const { state } = await app.executor.load(messageAggregate, link.messageUuid);
    const { media } = state;
    if (state.companyUuid !== link.companyUuid || state.deleted || !media) return NOT_FOUND;
    if (media.status === 'pending') return PENDING;
    if (!media.stored) return FAILED;
    return { messageUuid: link.messageUuid, media, stored: media.stored };
  }

  async function serve(req: Request, res: Response): Promise<void> {
    res.set({
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Referrer-Policy': 'no-referrer',
      // Pages of integrators embed the images of a conversation.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Robots-Tag': 'noindex',
    });
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.set('Allow', 'GET, HEAD');
      return refuse(res, METHOD);
    }
    const found = await find(String(req.params['token']));
    if ('code' in found) return refuse(res, found);
    const { messageUuid, media, stored } = found;
    const etag = `"${stored.blob}"`;
    const { size } = stored;
    res.set({
      ETag: etag,
      'Cache-Control': `private, max-age=${CACHE_SECONDS}`,
      'Accept-Ranges': 'bytes',
      'Content-Type': stored.mimeType,
      'Content-Disposition': disposition(media, stored),
    });
    if (etagMatches(req.get('if-none-match'), etag)) return void res.status(304).end();
    const ranged = req.get('if-range');
    const asked = ranged === undefined || ranged === etag ? req.get('range') : undefined;
    const range = readRange(asked, size);
    if (range === 'unsatisfiable') {
      withdraw(res);
      res.set('Content-Range', `bytes */${size}`);
      return refuse(res, RANGE);
    }
    const [from, to] = range ?? [0, size];
    res.status(range ? 206 : 200).set('Content-Length', String(to - from));
    if (range) res.set('Content-Range', `bytes ${from}-${to - 1}/${size}`);
    if (req.method === 'HEAD') return void res.end();
    const pieces = await streamStoredFile(app, messageUuid, stored, from, to);
    if (pieces !== undefined) return send(pieces, res);
    withdraw(res);
    refuse(res, NOT_FOUND);
  }

  router.all('/:token', (req: Request, res: Response, next: NextFunction) => {
    serve(req, res).catch((error: unknown) => {
      if (error instanceof StoreUnavailable && !res.headersSent) refuse(res, AWAY);
      else next(error);
    });
  });
  return router;
}

/** Reads only as fast as the caller, so that a slow caller does not fill the memory. */
async function send(pieces: AsyncIterable<Uint8Array>, res: Response): Promise<void> {
  try {
    await pipeline(pieces, res);
  } catch (error) {
    // The browser closed the connection.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Removes the headers of a file that is not sent after all. */
function withdraw(res: Response): void {
  for (const name of ['ETag', 'Content-Disposition', 'Content-Length', 'Content-Range', 'Accept-Ranges']) {
    res.removeHeader(name);
  }
}

function refuse(res: Response, { status, code, message, retryAfter }: Problem): void {
  res.set('Cache-Control', 'no-store');
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
  const request_id = res.get('X-Request-Id') ?? null;
  res.status(status).json({ error: { code, message, details: {}, request_id } });
}

/**
 * One range of bytes (RFC 9110 §14.2), as from (inclusive) and to (exclusive). Null for the whole file, also when
 * several ranges or another unit are requested, which a server may ignore.
 */
export function readRange(
  header: string | undefined,
  size: number,
): readonly [number, number] | 'unsatisfiable' | null {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = asked ?? [];
  if (!asked || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : [size - length, size];
  }
  const from = Number(first);
  const to = last === '' ? size : Math.min(Number(last) + 1, size);
  // A range whose end precedes its start is invalid and ignored.
  if (last !== '' && Number(last) < from) return null;
  return from >= size ? 'unsatisfiable' : [from, to];
}

/** RFC 6266: the exact name in `filename*`, and a name reduced to ASCII for clients that do not read `filename*`. */
export function disposition(
  media: MessageMedia,
  stored: StoredMedia,
  how: 'inline' | 'attachment' = dispositionOf(stored.mimeType),
): string {
  const name = safeName(media.declared.filename) ?? plainName(media.kind, stored.mimeType);
  const ascii = name.replace(/[^\x20-\x7e]|[%\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
