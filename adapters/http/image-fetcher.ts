/**
 * Downloads images from addresses that a third party chose, through the same guarded connections as webhooks. Every
 * redirect is checked like the first address. One deadline covers everything. It never reads more bytes than allowed,
 * regardless of the announced length.
 */
import type { Dispatcher } from 'undici';
import type { ImageFetch, ImageFetcher, ImageRequest } from '../../ports/image-fetcher.js';
import { systemClock } from '../clock/system.js';
import { withTimeout } from '../../ports/waiting.js';
import { describe } from './failures.js';
import { createGuardedClient, type GuardedClientOptions } from './guarded-client.js';

export interface ImageFetcherOptions extends GuardedClientOptions {
  /** Default 10 MB. */
  readonly maxBytes?: number;
  /** Covers name resolution, connections, redirects and the body. Default 10,000. */
  readonly timeoutMs?: number;
}

const MAX_REDIRECTS = 3;
const MAX_URL_LENGTH = 2000;
const DEFAULT_BYTES = 10 * 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Validators are stored with the product and sent back later; longer ones are not worth storing. */
const ETAG = /^(W\/)?"[\x21\x23-\x7e]{1,200}"$/;
const DATE = /^[\x20-\x7e]{1,60}$/;

const HEADERS = {
  accept: 'image/jpeg,image/png,image/webp,image/gif',
  // Images are already compressed; an additionally compressed body may be a decompression bomb.
  'accept-encoding': 'identity',
  'user-agent': 'Recado-Images/1.0',
};

export function createImageFetcher(options: ImageFetcherOptions): ImageFetcher {
  const maxBytes = options.maxBytes ?? DEFAULT_BYTES;
  const timeoutMs = options.timeoutMs ?? 10_000;
  const { clock = systemClock } = options;
  const client = createGuardedClient({ ...options, connections: options.connections ?? 6 });

  async function ask(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    if (url.length > MAX_URL_LENGTH) return no('the address is too long');
    const inspection = client.inspect(url);
    if (!inspection.ok) return no(inspection.reason);
    const { target } = inspection;
    await client.vet(target, timeoutMs);
    const { origin, path } = target;
    return client.dispatcher.request({ origin, path, method: 'GET', headers, signal });
  }

  async function download({ url, known }: ImageRequest, signal: AbortSignal): Promise<ImageFetch> {
    const headers = { ...HEADERS, ...conditions(known) };
    let address = url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await ask(address, headers, signal);
      if ('kind' in answer) return answer;
      const { statusCode, headers: told, body } = answer;
      const location = one(told['location']);
      if (REDIRECTS.has(statusCode) && location !== null) {
        drop(body);
        if (redirects === MAX_REDIRECTS) return no('too many redirects');
        if (!URL.canParse(location, address)) return no('a redirect to no address');
        address = new URL(location, address).href;
        continue;
      }
      if (statusCode === 304 && known) {
        drop(body);
        return { kind: 'not_modified' };
      }
      const refused = refusal(statusCode, told, maxBytes);
      if (refused !== null) {
        drop(body);
        return no(refused);
      }
      const bytes = await readAtMost(body, maxBytes);
      if (bytes === null) return no(`more than ${maxBytes} bytes`);
      return {
        kind: 'fetched',
        bytes,
        etag: one(told['etag'], ETAG),
        lastModified: one(told['last-modified'], DATE),
      };
    }
  }

  return {
    async fetch(request) {
      let late = false;
      try {
        return await withTimeout(clock, timeoutMs, (signal) => {
          signal.addEventListener('abort', () => (late = true));
          return download(request, signal);
        });
      } catch (error) {
        if (late) return no('no answer in time', true);
        const { failure, message } = describe(error);
        return no(message, failure === 'dns' || failure === 'connect' || failure === 'timeout');
      }
    },
    close: () => client.close(),
  };
}

const no = (reason: string, unreachable = false): ImageFetch & { readonly kind: 'failed' } => ({
  kind: 'failed',
  reason,
  unreachable,
});

function conditions(known: ImageRequest['known']): Record<string, string> {
  return {
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
  };
}

type SourceHeaders = Dispatcher.ResponseData['headers'];

/** The reason not to read the body; null when it should be read. */
function refusal(status: number, told: SourceHeaders, maxBytes: number): string | null {
  if (status !== 200) return `HTTP ${status}`;
  const encoding = one(told['content-encoding']);
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') return 'the body is packed';
  const length = one(told['content-length']);
  return length !== null && Number(length) > maxBytes ? `${length} bytes announced` : null;
}

function one(value: string | string[] | undefined, shape = /^/): string | null {
  return typeof value === 'string' && shape.test(value) ? value : null;
}

type Body = Dispatcher.ResponseData['body'];

function drop(body: Body): void {
  body.on('error', () => undefined);
  body.destroy();
}

/** Null as soon as more bytes arrive than allowed. */
async function readAtMost(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
