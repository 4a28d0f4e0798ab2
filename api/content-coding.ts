/**
 * Sends responses in the coding that a caller prefers (RFC 9110 §12.5.3), each coding with its own entity tag.
 *
 * Only code that sends a whole text calls this, so streams (exports, server-sent events, media, pictures) stay
 * unchanged. The package `compression` would wrap every response, give all codings one entity tag, and leave
 * If-None-Match to handlers that do not know the coding yet.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Response } from 'express';
import Negotiator from 'negotiator';
import { etagMatches } from './conditional.js';

type Coding = 'br' | 'gzip';
type Effort = Readonly<Record<Coding, number>>;

/** Shorter responses fit into one packet uncompressed. */
export const LEAST_BYTES = 1024;

/** For responses compressed on each request: low effort matters more than size. */
const QUICK: Effort = { br: 4, gzip: 3 };
/** For texts that are compressed once per process. */
const THOROUGH: Effort = { br: 5, gzip: 6 };

const CODINGS: readonly Coding[] = ['br', 'gzip'];
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Null: no coding, also for a caller that accepts none of ours (RFC 9110 §12.5.3 leaves that to the server). */
export function codingFor(acceptEncoding: string | string[] | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  const headers = { 'accept-encoding': String(acceptEncoding) };
  const best = new Negotiator({ headers }).encoding([...CODINGS, 'identity'], { preferred: CODINGS });
  return best === undefined || best === 'identity' ? null : best;
}

/** Compresses on a zlib thread, so that long responses do not block the event loop. */
export function packed(body: Uint8Array, coding: Coding, effort: Effort = QUICK): Promise<Buffer> {
  if (coding === 'gzip') return toGzip(body, { level: effort.gzip });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return toBrotli(body, {
    params: { [BROTLI_PARAM_QUALITY]: effort.br, [BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Strong, quoted. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/**
 * Ends a UTF-8 response whose other headers, including its type, are set. A response with an `ETag` (of the
 * uncompressed body) is sent with the tag of its coding, or as 304 if the caller already has that version.
 */
export function sendText(
  res: Response,
  text: string | Buffer,
  inCoding: (body: Buffer, coding: Coding) => Promise<Buffer> = packed,
): void {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const type = res.get('Content-Type') ?? '';
  if (!type.includes('charset=')) res.set('Content-Type', `${type}; charset=utf-8`);
  const negotiable = body.length >= LEAST_BYTES;
  if (negotiable) res.vary('Accept-Encoding');
  const coding = negotiable ? codingFor(res.req.headers['accept-encoding']) : null;
  const etag = res.get('ETag');
  if (etag !== undefined) {
    const own = coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;
    res.set('ETag', own);
    if (etagMatches(res.req.get('if-none-match'), own)) {
      res.removeHeader('Content-Type');
      return void res.status(304).end();
    }
  }
  const end = (bytes: Buffer): void => void res.set('Content-Length', String(bytes.length)).end(bytes);
  if (coding === null) return end(body);
  res.set('Content-Encoding', coding);
  // Destroying the response closes the connection, so no caller takes a partial response for a complete one.
  inCoding(body, coding).then(end, (error: Error) => res.destroy(error));
}

/** A constant text: each coding is created on its first use and cached. */
export function fixedText(text: string | Buffer, etag?: string): (res: Response) => void {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const tag = etag ?? etagOf(body);
  const kept = new Map<Coding, Promise<Buffer>>();
  const inCoding = (_body: Buffer, coding: Coding): Promise<Buffer> => {
    const known = kept.get(coding);
    if (known) return known;
    const made = packed(body, coding, THOROUGH);
    kept.set(coding, made);
    made.catch(() => kept.delete(coding));
    return made;
  };
  return (res) => sendText(res.set('ETag', tag), body, inCoding);
}
