/**
 * The demo's webhook receiver: verifies deliveries as an integrator should (spec §6). What it received is among the
 * deliveries in the console, so a visitor is sent there.
 */
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { isObject } from '../../domain/kernel/json.js';
import { verifyServiceSignature } from '../../domain/policies/webhook-signature.js';
import type { Clock } from '../../ports/clock.js';

const MAX_BODY = '1mb';

export interface ReceiverOptions {
  /** The integration's webhook secrets: the current one and, during a rotation, the previous one. */
  readonly secret: () => Promise<readonly string[]>;
  /** Address of the console; null where it is off. */
  readonly console: () => string | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** To be mounted at /inbox. */
export function receiverRouter(options: ReceiverOptions): Router {
  const router = Router();
  // The signature covers the exact bytes: no JSON parser may run before it.
  router.post('/receive', express.raw({ type: () => true, limit: MAX_BODY }), async (request, response) => {
    receive(request, response, await options.secret(), options.clock.now());
  });
  router.get('/', (_request, response, next) => {
    const address = options.console();
    if (address === null) next();
    else response.set('Cache-Control', 'no-store').redirect(302, address);
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else refuse(response, 'invalid_payload', 'the body could not be read');
  });
  return router;
}

function receive(request: Request, response: Response, secrets: readonly string[], now: number): void {
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const verification = verifyServiceSignature({
    timestamp: request.get('service-timestamp') ?? '',
    signature: request.get('service-signature') ?? '',
    rawBody,
    secrets,
    now: Math.floor(now / 1000),
  });
  if (verification !== 'valid')
    return refuse(response, 'invalid_signature', `the signature is not valid: ${verification}`);
  if (!isJsonObject(rawBody)) return refuse(response, 'invalid_payload', 'the body is not a JSON object');
  response.status(200).json({ received: true });
}

function refuse(response: Response, code: string, message: string): void {
  response.status(400).json({ error: { code, message, details: {} } });
}

function isJsonObject(rawBody: Buffer): boolean {
  try {
    return isObject(JSON.parse(rawBody.toString('utf8')));
  } catch {
    return false;
  }
}
