/** Files as on Meta's servers: an id leads to an address that expires, the address to the bytes, and both need the token. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../ports/clock.js';
import { graphErrorResponse, type GraphFault } from './graph-errors.js';
import {
  createMediaFiles,
  takeFault,
  type KeptFile,
  type MediaFiles,
  type SandboxMedia,
} from './media-files.js';

export interface MediaServer extends SandboxMedia, Pick<MediaFiles, 'announce'> {
  /** False when the request is not about a file. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
}

export interface MediaServerOptions {
  readonly clock: Clock;
  readonly url: () => string;
  readonly tokenFault: (authorization: string | undefined) => GraphFault | null;
  /** Lifetime of an address; Meta's is five minutes. */
  readonly addressLifeMs: number;
  readonly slowMs: number;
}

const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
const PAGE = '<!DOCTYPE html><html><body>Sorry, this content is not available right now.</body></html>';

export function createMediaServer(options: MediaServerOptions): MediaServer {
  const files = createMediaFiles();
  const strayTokens: string[] = [];

  function describe(file: KeptFile, res: ServerResponse): void {
    file.byId += 1;
    const { id, mimeType, sha256, size } = file;
    switch (takeFault(file, true)) {
      case 'unknown':
        return refuse(res, unknown(id));
      case 'unauthorized':
        return refuse(res, { code: 190, details: 'The access token could not be decrypted' });
      case 'unavailable':
        return refuse(res, { code: 131016, details: 'Service unavailable' });
      default:
        write(
          res,
          200,
          'application/json; charset=UTF-8',
          JSON.stringify({
            messaging_product: 'whatsapp',
            url: addressOf(id),
            mime_type: mimeType,
            // The Graph API writes the hash as hex where webhooks use base64.
            sha256: Buffer.from(sha256, 'base64').toString('hex'),
            file_size: size,
            id,
          }),
        );
    }
  }

  const addressOf = (id: string): string =>
    `${options.url()}/files/${encodeURIComponent(id)}?ext=${options.clock.now() + options.addressLifeMs}&hash=${randomUUID()}`;

  function hand(file: KeptFile, address: URL, res: ServerResponse): void {
    file.byAddress += 1;
    const { bytes, mimeType } = file;
    if (Number(address.searchParams.get('ext')) <= options.clock.now()) return gone(res);
    switch (takeFault(file, false)) {
      case 'expired':
        return gone(res);
      case 'corrupt':
        return write(res, 200, mimeType, Buffer.concat([bytes, Buffer.from('!')]));
      case 'empty':
        return write(res, 200, mimeType, '');
      case 'html':
        return write(res, 200, 'text/html; charset=utf-8', PAGE);
      case 'slow':
        res.writeHead(200, { 'content-type': mimeType, 'content-length': bytes.length }).flushHeaders();
        options.clock.after(options.slowMs, () => res.end(bytes));
        return;
      case 'cut':
        res.writeHead(200, { 'content-type': mimeType, 'content-length': bytes.length + 1 });
        res.write(bytes, () => res.destroy());
        return;
      case 'endless':
        return pour(res, mimeType);
      case 'moved':
        return move(res, addressOf(file.id));
      case 'elsewhere':
        // Another name of this machine: a token that the client sends along is recorded.
        return move(res, addressOf(file.id).replace('127.0.0.1', 'localhost').replace('/files/', '/stray/'));
      default:
        write(res, 200, mimeType, bytes);
    }
  }

  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const file = await readUpload(req);
    if (file === null) {
      return refuse(res, { code: 100, details: 'The parameters file and messaging_product are required.' });
    }
    const { id } = files.put(file);
    write(res, 200, 'application/json; charset=UTF-8', JSON.stringify({ id }));
  }

  return {
    ...files,
    strayTokens,

    answer(req, res) {
      const address = new URL(req.url ?? '/', options.url());
      const [first = '', second = '', third = '', ...rest] = address.pathname
        .split('/')
        .slice(1)
        .map(decoded);
      if (first === 'stray') {
        if (req.headers.authorization !== undefined) strayTokens.push(req.headers.authorization);
        gone(res);
        return true;
      }
      const graph = /^v\d+\.\d+$/.test(first) && rest.length === 0;
      const file = files.get(second);
      const about =
        (first === 'files' && third === '') ||
        (graph && third === '' && file !== undefined) ||
        (graph && third === 'media' && req.method === 'POST');
      if (!about) return false;
      const denied = options.tokenFault(req.headers.authorization);
      if (denied !== null) refuse(res, denied);
      else if (third === 'media') {
        take(req, res).catch(() => refuse(res, { code: 100, details: 'The upload could not be read.' }));
        return true;
      } else if (file === undefined) gone(res);
      else if (first === 'files') hand(file, address, res);
      else if (req.method === 'DELETE') {
        files.remove(second);
        write(res, 200, 'application/json; charset=UTF-8', '{"success":true}');
      } else describe(file, res);
      req.resume();
      return true;
    },
  };
}

/** Null when the form is not what Meta takes. */
async function readUpload(
  req: IncomingMessage,
): Promise<{ readonly bytes: Buffer; readonly mimeType: string } | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_UPLOAD_BYTES) chunks.push(chunk);
  }
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'content-type': req.headers['content-type'] ?? '' },
  }).formData();
  const file = form.get('file');
  if (size > MAX_UPLOAD_BYTES || !(file instanceof Blob) || form.get('messaging_product') !== 'whatsapp') {
    return null;
  }
  const type = form.get('type');
  const mimeType = typeof type === 'string' ? type : file.type;
  return { bytes: Buffer.from(await file.arrayBuffer()), mimeType };
}

const unknown = (id: string): GraphFault => ({
  code: 100,
  subcode: 33,
  details: `Object with ID '${id}' does not exist.`,
  message: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
});

function refuse(res: ServerResponse, fault: GraphFault): void {
  const { status, body } = graphErrorResponse(fault);
  write(res, status, 'application/json; charset=UTF-8', JSON.stringify(body));
}

/** Meta: an expired or unknown address answers 404. */
const gone = (res: ServerResponse): void => write(res, 404, 'text/html; charset=utf-8', PAGE);
const move = (res: ServerResponse, location: string): void => void res.writeHead(302, { location }).end();

/** Sends more than any file may have, until the client closes the connection. */
function pour(res: ServerResponse, mimeType: string): void {
  const piece = Buffer.alloc(256 * 1024);
  res.writeHead(200, { 'content-type': mimeType });
  const more = (): void => {
    while (!res.destroyed && res.write(piece));
  };
  res.on('drain', more);
  more();
}

function write(res: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
