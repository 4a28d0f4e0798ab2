import { Agent, request, type Dispatcher } from 'undici';
import type { Clock } from '../../ports/clock.js';
import type { ChannelCredentials } from '../../ports/provider.js';
import type {
  DownloadedMedia,
  MediaDescription,
  MediaFault,
  MediaRead,
  ProviderMedia,
} from '../../ports/provider-media.js';
import { systemClock } from '../clock/system.js';
import { codeOf } from '../../ports/thrown.js';
import { withTimeout } from '../../ports/waiting.js';
import { isObject } from '../../domain/kernel/json.js';
import { readGraphError } from './graph-error.js';

export interface WhatsAppMediaOptions {
  /** `https://graph.facebook.com`, or the sandbox's address; a path prefix is kept. */
  readonly baseUrl: string;
  /** Such as `v25.0`. */
  readonly graphVersion: string;
  readonly timeouts?: {
    /** Default 30,000 ms. */
    readonly describeMs?: number;
    /** One deadline over a whole download; default 120,000 ms. */
    readonly downloadMs?: number;
  };
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

const MAX_REDIRECTS = 3;
const MAX_NODE_BYTES = 64 * 1024;
/** Hosts of Meta's files: lookaside.fbsbx.com, scontent.whatsapp.net and the like. */
const META_HOST = /(^|\.)(facebook\.com|fbsbx\.com|fbcdn\.net|whatsapp\.net)$/;

/**
 * Files over the WhatsApp Cloud API. The token is sent only to Meta's hosts and to the host of `baseUrl`, checked again
 * after every redirect. The address of a file is untrusted data, and a forged one must not obtain the token.
 */
export function createWhatsAppMedia(options: WhatsAppMediaOptions): ProviderMedia {
  const { clock = systemClock } = options;
  const base = new URL(options.baseUrl);
  const prefix = `${base.origin}${base.pathname.replace(/\/+$/, '')}/${options.graphVersion}`;
  const describeMs = options.timeouts?.describeMs ?? 30_000;
  const downloadMs = options.timeouts?.downloadMs ?? 120_000;
  const agent = new Agent({ connections: 16, connect: { timeout: 10_000 }, keepAliveTimeout: 4_000 });

  const mayHaveToken = (url: URL): boolean =>
    (url.protocol === base.protocol && url.host === base.host) ||
    (url.protocol === 'https:' && url.port === '' && META_HOST.test(url.hostname));

  const get = (url: URL, { accessToken }: ChannelCredentials, signal: AbortSignal) =>
    request(url, {
      dispatcher: agent,
      method: 'GET',
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: '*/*',
        'accept-encoding': 'identity',
        // Meta's file servers refuse clients without a user agent.
        'user-agent': 'Recado/1.8',
      },
      signal,
    });

  /** Follows redirects. @throws when the connection fails, or the time is over */
  async function fetchFile(
    credentials: ChannelCredentials,
    address: string,
    { maxBytes, expectedBytes }: Parameters<ProviderMedia['download']>[2],
    signal: AbortSignal,
  ): Promise<MediaRead<DownloadedMedia>> {
    let url: URL | null = parseUrl(address);
    for (let redirects = 0; ; redirects += 1) {
      if (url === null || !mayHaveToken(url)) {
        return no('unsafe_url', 'the file is at an address that the token must not go to');
      }
      const answer = await get(url, credentials, signal);
      const { statusCode, headers } = answer;
      const location = headers['location'];
      if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
        await answer.body.dump();
        if (redirects === MAX_REDIRECTS) return no('unavailable', 'too many redirects');
        url = parseUrl(location, url);
        continue;
      }
      if (statusCode !== 200) {
        await answer.body.dump();
        return no(faultOf(statusCode), `HTTP ${statusCode}`);
      }
      const length = announced(headers);
      if (length !== null && length > maxBytes) {
        drop(answer.body);
        return no('too_large', `${length} bytes`);
      }
      const bytes = await readAtMost(answer.body, maxBytes, expectedBytes ?? length);
      if (bytes === null) return no('too_large', `more than ${maxBytes} bytes`);
      const type = headers['content-type'];
      return { ok: true, value: { bytes, contentType: typeof type === 'string' ? type : null } };
    }
  }

  return {
    async describe(credentials, mediaId): Promise<MediaRead<MediaDescription>> {
      const query = new URLSearchParams({ phone_number_id: credentials.phoneNumberId });
      const url = new URL(`${prefix}/${encodeURIComponent(mediaId)}?${query.toString()}`);
      try {
        const { answer, body } = await withTimeout(clock, describeMs, async (signal) => {
          const got = await get(url, credentials, signal);
          return { answer: got, body: parseJson(await readAtMost(got.body, MAX_NODE_BYTES, null)) };
        });
        const error = readGraphError(body, answer.statusCode, answer.headers, clock.now());
        if (error !== null) {
          const missing = error.code === 100 || answer.statusCode === 404;
          const fault = missing ? 'gone' : faultOf(answer.statusCode);
          return no(fault, `error ${error.code}: ${error.title}`, error.retryAfterSeconds);
        }
        const described = answer.statusCode === 200 ? readMediaNode(body) : null;
        return described === null
          ? no(faultOf(answer.statusCode), `HTTP ${answer.statusCode} without a usable body`)
          : { ok: true, value: described };
      } catch (error) {
        return no('unavailable', nameOf(error));
      }
    },

    async download(credentials, address, limits): Promise<MediaRead<DownloadedMedia>> {
      const work = (signal: AbortSignal) => fetchFile(credentials, address, limits, signal);
      return withTimeout(clock, downloadMs, work).catch((error: unknown) => no('unavailable', nameOf(error)));
    },

    close: () => agent.close(),
  };
}

const no = (
  fault: MediaFault,
  reason: string,
  retryAfterSeconds: number | null = null,
): Extract<MediaRead<never>, { ok: false }> => ({ ok: false, fault, reason, retryAfterSeconds });

/** Meta answers 404 for an address that has expired. */
const faultOf = (status: number): MediaFault =>
  status === 404 || status === 410 ? 'gone' : status === 401 || status === 403 ? 'refused' : 'unavailable';

function readMediaNode(body: unknown): MediaDescription | null {
  if (!isObject(body) || typeof body['url'] !== 'string') return null;
  const { url, mime_type: mimeType, sha256, file_size: fileSize } = body;
  const size = typeof fileSize === 'string' && /^\d{1,15}$/.test(fileSize) ? Number(fileSize) : fileSize;
  return {
    url,
    mimeType: typeof mimeType === 'string' ? mimeType : null,
    sha256: typeof sha256 === 'string' && sha256 !== '' ? sha256 : null,
    size: typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null,
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function announced(headers: Headers): number | null {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/**
 * Null as soon as more than `max` bytes arrive. When the size is known, the bytes are written to their final buffer: a
 * large file is in memory only once.
 */
async function readAtMost(
  body: Dispatcher.ResponseData['body'],
  max: number,
  size: number | null,
): Promise<Buffer | null> {
  let bytes = Buffer.allocUnsafe(Math.min(max, size ?? 64 * 1024));
  let length = 0;
  const chunks: AsyncIterable<Buffer> = body;
  for await (const chunk of chunks) {
    const needed = length + chunk.length;
    if (needed > max) {
      drop(body);
      return null;
    }
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(max, Math.max(needed, 2 * bytes.length)));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    chunk.copy(bytes, length);
    length = needed;
  }
  return bytes.subarray(0, length);
}

/** Discards the rest of an answer; a body that is cut off reports that as an error. */
function drop(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined);
  body.destroy();
}

function parseJson(bytes: Buffer | null): unknown {
  try {
    return bytes === null ? null : JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

const parseUrl = (text: string, base?: URL): URL | null =>
  URL.canParse(text, base?.href) ? new URL(text, base) : null;

/** Prefers codes such as ECONNREFUSED, which operators search for. No address, which may contain a signature. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : undefined;
  if (name === 'TimeoutError') return 'no answer in time';
  return codeOf(error) ?? name ?? 'the connection failed';
}
