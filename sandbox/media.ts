/**
 * Files as on Meta's servers: an id leads to an address that expires, the address to the bytes, and both need the
 * token. A person's message gets a sample file where the test provides none.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../ports/clock.js';
import { isObject } from '../domain/kernel/json.js';
import { graphErrorResponse, type GraphFault } from './graph-errors.js';
import { sampleFile } from './media-samples.js';

type Node = Readonly<Record<string, unknown>>;

/**
 * Faults of a file, each for one request: the first three apply to requests by id, the others to requests at its
 * address.
 */
export const MEDIA_FAULTS = [
  'unknown',
  'unauthorized',
  'unavailable',
  'expired',
  'slow',
  'cut',
  'corrupt',
  'empty',
  'html',
  'endless',
  'moved',
  'elsewhere',
] as const;
export type MediaFault = (typeof MEDIA_FAULTS)[number];

const BY_ID: ReadonlySet<MediaFault> = new Set(['unknown', 'unauthorized', 'unavailable']);

export interface SandboxFile {
  readonly id: string;
  readonly mimeType: string;
  /** Base64, as in webhooks. */
  readonly sha256: string;
  readonly size: number;
}

export interface SandboxMedia {
  /** Adds a file that a person can send; `size` and `sha256` are the values reported for it, which may be wrong. */
  put(file: {
    readonly bytes: Uint8Array;
    readonly mimeType: string;
    readonly id?: string;
    readonly sha256?: string;
    readonly size?: number;
  }): SandboxFile;
  /**
   * Lets the next requests for the file fail, in this order; with `for: 'ever'`, all requests fail with the first
   * fault.
   */
  script(id: string, faults: readonly MediaFault[], options?: { readonly for?: 'ever' }): void;
  /** Number of requests so far. */
  asked(id: string): { readonly byId: number; readonly byAddress: number };
  /** Tokens that were sent to an address without a file, after the fault `elsewhere`. A correct client sends none. */
  readonly strayTokens: readonly string[];
}

export interface MediaServer extends SandboxMedia {
  /** False when the request is not about a file. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** The message as in its webhook, with a sample file unless its file is known. */
  announce<T extends Node & { readonly type: string }>(message: T): T;
}

export interface MediaServerOptions {
  readonly clock: Clock;
  readonly url: () => string;
  readonly tokenFault: (authorization: string | undefined) => GraphFault | null;
  /** Lifetime of an address; Meta's is five minutes. */
  readonly addressLifeMs: number;
  readonly slowMs: number;
}

interface Kept extends SandboxFile {
  readonly bytes: Uint8Array;
  readonly faults: MediaFault[];
  always: MediaFault | null;
  byId: number;
  byAddress: number;
}

const TYPES: readonly string[] = ['image', 'audio', 'video', 'document', 'sticker'];
const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
const PAGE = '<!DOCTYPE html><html><body>Sorry, this content is not available right now.</body></html>';

export function createMediaServer(options: MediaServerOptions): MediaServer {
  const files = new Map<string, Kept>();
  const strayTokens: string[] = [];
  let ids = 0;

  const put: SandboxMedia['put'] = ({ bytes, mimeType, id, sha256, size }) => {
    const known = id === undefined ? undefined : files.get(id);
    const file: Kept = {
      id: id ?? String(1_000_000_000_000_000 + (ids += 1)),
      mimeType,
      sha256: sha256 ?? createHash('sha256').update(bytes).digest('base64'),
      size: size ?? bytes.length,
      bytes,
      faults: known?.faults ?? [],
      always: known?.always ?? null,
      byId: known?.byId ?? 0,
      byAddress: known?.byAddress ?? 0,
    };
    files.set(file.id, file);
    return told(file);
  };

  function describe(file: Kept, res: ServerResponse): void {
    file.byId += 1;
    const { id, mimeType, sha256, size } = file;
    switch (next(file, true)) {
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

  function hand(file: Kept, address: URL, res: ServerResponse): void {
    file.byAddress += 1;
    const { bytes, mimeType } = file;
    if (Number(address.searchParams.get('ext')) <= options.clock.now()) return gone(res);
    switch (next(file, false)) {
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

  async function upload(req: IncomingMessage, res: ServerResponse): Promise<void> {
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
      return refuse(res, { code: 100, details: 'The parameters file and messaging_product are required.' });
    }
    const type = form.get('type');
    const mimeType = typeof type === 'string' ? type : file.type;
    const { id } = put({ bytes: Buffer.from(await file.arrayBuffer()), mimeType });
    write(res, 200, 'application/json; charset=UTF-8', JSON.stringify({ id }));
  }

  return {
    put,
    script(id, faults, forHowLong) {
      const file = files.get(id);
      if (file === undefined) throw new Error(`the sandbox has no file ${id}`);
      if (forHowLong?.for === 'ever') file.always = faults[0] ?? null;
      else file.faults.push(...faults);
    },
    asked: (id) => ({ byId: files.get(id)?.byId ?? 0, byAddress: files.get(id)?.byAddress ?? 0 }),
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
        upload(req, res).catch(() => refuse(res, { code: 100, details: 'The upload could not be read.' }));
        return true;
      } else if (file === undefined) gone(res);
      else if (first === 'files') hand(file, address, res);
      else if (req.method === 'DELETE') {
        files.delete(second);
        write(res, 200, 'application/json; charset=UTF-8', '{"success":true}');
      } else describe(file, res);
      req.resume();
      return true;
    },

    announce(message) {
      const { type } = message;
      const node = message[type];
      if (!TYPES.includes(type) || !isObject(node) || typeof node['id'] !== 'string') return message;
      const { id } = node;
      const sample = sampleFile(type);
      const mimeType = typeof node['mime_type'] === 'string' ? node['mime_type'] : sample.mimeType;
      // A hash derived from the id means "any file"; another hash is reported as given, even if it is wrong.
      const stands = createHash('sha256').update(id).digest('base64');
      const own = node['sha256'] !== undefined && node['sha256'] !== stands;
      const known = files.get(id);
      const fits = known !== undefined && (own || known.mimeType === mimeType);
      const file = fits ? known : put({ bytes: sample.bytes, mimeType, id });
      return {
        ...message,
        [type]: { ...node, mime_type: mimeType, sha256: own ? node['sha256'] : file.sha256 },
      };
    },
  };
}

const told = ({ id, mimeType, sha256, size }: Kept): SandboxFile => ({ id, mimeType, sha256, size });

function next(file: Kept, byId: boolean): MediaFault | null {
  if (file.always !== null) return BY_ID.has(file.always) === byId ? file.always : null;
  const [fault] = file.faults;
  if (fault === undefined || BY_ID.has(fault) !== byId) return null;
  file.faults.shift();
  return fault;
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
