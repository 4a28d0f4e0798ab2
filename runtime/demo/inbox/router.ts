/** The demo's webhook receiver: verifies deliveries as an integrator should (spec §6), and shows them on a page. */
import { setMaxListeners } from 'node:events';
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { fixedText, sendText } from '../../../api/content-coding.js';
import { isObject } from '../../../domain/kernel/json.js';
import { verifyServiceSignature } from '../../../domain/policies/webhook-signature.js';
import type { Clock } from '../../../ports/clock.js';
import { admitToInbox } from './admit.js';
import { SCRIPT, STYLE } from './assets.js';
import { createEntries, type Entries, type InboxEntry } from './entries.js';
import { renderPage } from './page.js';

const MAX_BODY = '1mb';
const SHOWN_BODY = 64 * 1024;
const MAX_STREAMS = 20;
const HEARTBEAT_MS = 20_000;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface InboxOptions {
  /** The integration's webhook secrets: the current one and, during a rotation, the previous one. */
  readonly secret: () => Promise<readonly string[]>;
  /** Ends the open streams, which would otherwise delay the stop for as long as a page is open. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  /** Gives access to the inbox from other machines. */
  readonly token: string;
}

/** To be mounted at /inbox. */
export function inboxRouter(options: InboxOptions): Router {
  const entries = createEntries();
  const router = Router();
  // The signature covers the exact bytes: no JSON parser may run before it.
  router.post('/receive', express.raw({ type: () => true, limit: MAX_BODY }), async (request, response) => {
    receive(request, response, entries, await options.secret(), options.clock.now());
  });
  router.use((_request, response, next) => {
    response.set({
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
    next();
  });
  router.use(admitToInbox(options.token));
  router.get('/', (_request, response) => {
    sendText(response.type('html'), renderPage(entries.list(), entries.refused()));
  });
  const [sendScript, sendStyle] = [fixedText(SCRIPT), fixedText(STYLE)];
  router.get('/app.js', (_request, response) => sendScript(response.type('text/javascript')));
  router.get('/app.css', (_request, response) => sendStyle(response.type('text/css')));
  router.get('/stream', streamOf(entries, options));
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    entries.refuse();
    refuse(response, 'invalid_payload', 'the body could not be read');
  });
  return router;
}

function receive(
  request: Request,
  response: Response,
  entries: Entries,
  secrets: readonly string[],
  now: number,
): void {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verification = verifyServiceSignature({
    timestamp: request.get('service-timestamp') ?? '',
    signature: request.get('service-signature') ?? '',
    rawBody,
    secrets,
    now: Math.floor(now / 1000),
  });
  if (verification !== 'valid') {
    entries.refuse();
    return refuse(response, 'invalid_signature', `the signature is not valid: ${verification}`);
  }
  const event = parse(rawBody);
  if (event === undefined) {
    entries.refuse();
    return refuse(response, 'invalid_payload', 'the body is not a JSON object');
  }
  entries.add({
    received_at: new Date(now).toISOString(),
    type: typeof event['type'] === 'string' ? event['type'] : (request.get('service-event') ?? 'unknown'),
    // The id in the body is signed; the header is not.
    event_id: typeof event['id'] === 'string' ? event['id'] : (request.get('service-event-id') ?? ''),
    delivery_id: request.get('service-delivery-id') ?? '',
    attempt: request.get('service-attempt') ?? '',
    body: JSON.stringify(event, null, 2).slice(0, SHOWN_BODY),
  });
  response.status(200).json({ received: true });
}

function refuse(response: Response, code: string, message: string): void {
  response.status(400).json({ error: { code, message, details: {} } });
}

function parse(rawBody: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(rawBody.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Server-sent events. A browser sends the number of the last entry it has (from the page or an earlier stream) and gets
 * the later ones.
 */
function streamOf(entries: Entries, { stopping, clock }: InboxOptions) {
  let open = 0;
  setMaxListeners(MAX_STREAMS + 1, stopping);
  return (request: Request, response: Response): void => {
    if (open >= MAX_STREAMS || stopping.aborted) {
      response.status(503).set('Retry-After', '30').end();
      return;
    }
    open += 1;
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.write('retry: 2000\n\n');
    const send = (entry: InboxEntry): void => {
      response.write(`id: ${entry.number}\nevent: inbox\ndata: ${JSON.stringify(entry)}\n\n`);
    };
    const seen = Number(request.get('last-event-id') ?? request.query['after'] ?? Infinity);
    for (const entry of [...entries.list()].reverse()) if (entry.number > seen) send(entry);
    const forget = entries.onAdded(send);
    let cancelBeat: () => void = () => undefined;
    const beat = (): void => {
      cancelBeat = clock.after(HEARTBEAT_MS, () => {
        response.write(':\n\n');
        beat();
      });
    };
    beat();
    const end = (): void => void response.end();
    stopping.addEventListener('abort', end);
    response.on('close', () => {
      open -= 1;
      stopping.removeEventListener('abort', end);
      forget();
      cancelBeat();
    });
  };
}
