/** Webhooks as they arrive at your endpoint. */
import { RecadoError, WebhookError, type WebhookFault } from './errors.js';
import type { WebhookEvent } from './types.js';
import { verifySignature } from './verify-signature.js';

/** Those of Fetch (`Headers`), of Node.js and Express (`request.headers`), or any record. Case does not matter. */
export type ReceivedHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

export interface UnwrapOptions {
  /** Greatest difference between the two clocks, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Unix seconds, for tests. */
  readonly now?: number | undefined;
}

const WHY: Readonly<Record<WebhookFault, string>> = {
  malformed:
    'Service-Timestamp or Service-Signature is missing or not in its form. Give all headers of the request; did it come from Recado?',
  mismatch:
    'The signature does not match. Give the body as the bytes that arrived, not parsed and written again, and the secret of this very integration, with its whsec_ prefix and without spaces.',
  stale:
    'It was signed more than the tolerated time ago or ahead. Either somebody replays it, or the clock of this machine is wrong.',
  not_an_event: 'It is signed, but its body is not an event.',
};

export class Webhooks {
  /**
   * Verifies a webhook and returns its event. A later release may add types: give your `switch` a default.
   * @param raw the body as it arrived, before any JSON parser
   * @param secret the webhook secret of the integration; during a rotation both, if you know both
   * @throws WebhookError with the reason; answer 400
   * @throws RecadoError if the secret is empty
   */
  async unwrap(
    raw: string | Uint8Array | ArrayBuffer,
    headers: ReceivedHeaders,
    secret: string | readonly string[],
    options: UnwrapOptions = {},
  ): Promise<WebhookEvent> {
    const secrets = typeof secret === 'string' ? [secret] : secret;
    if (secrets.length === 0 || secrets.includes('')) {
      throw new RecadoError(
        'The webhook secret is empty, so nothing can be verified. Is its setting missing?',
      );
    }
    const rawBody = bytesOf(raw);
    const { toleranceSeconds, now } = options;
    const verdict = await verifySignature({
      rawBody,
      timestamp: headerOf(headers, 'service-timestamp'),
      signature: headerOf(headers, 'service-signature'),
      secrets,
      ...(toleranceSeconds === undefined ? {} : { tolerance: toleranceSeconds }),
      ...(now === undefined ? {} : { now }),
    });
    if (verdict !== 'valid') throw refused(verdict);
    return eventOf(rawBody);
  }
}

const refused = (fault: WebhookFault): WebhookError =>
  new WebhookError(fault, `This webhook is refused. ${WHY[fault]}`);

function bytesOf(raw: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof raw === 'string') return new TextEncoder().encode(raw);
  if (raw instanceof Uint8Array || raw instanceof ArrayBuffer) return new Uint8Array(raw);
  throw new RecadoError(
    'The body must be text or bytes as they arrived. A parsed body has another signature.',
  );
}

function headerOf(headers: ReceivedHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.join(',') ?? null);
}

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'data' in value;

function eventOf(rawBody: Uint8Array): WebhookEvent {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
    if (isEvent(value)) return value;
  } catch {
    throw refused('not_an_event');
  }
  throw refused('not_an_event');
}
