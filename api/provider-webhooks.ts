/**
 * The provider's webhooks: Meta's subscription handshake and its signed events. An event is answered with 200 only
 * after its exact bytes are durable; it is interpreted later. If it cannot be stored, the response makes Meta send it
 * again.
 */
import express, { Router, type Request, type Response } from 'express';
import { keepWebhook } from '../application/intake.js';
import type { App } from '../application/app.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { isSecret } from './secret-text.js';

/** Meta sends up to 3 MB. */
const LIMIT_BYTES = 4 * 1024 * 1024;

export interface ProviderWebhookDeps {
  readonly app: App;
  /** Verifies the raw bytes against `X-Hub-Signature-256`. */
  readonly verifySignature: (body: Uint8Array, header: string | undefined, appSecret: string) => boolean;
  readonly onWebhook?: (result: 'kept' | 'bad_signature' | 'failed') => void;
}

export function providerWebhooks(deps: ProviderWebhookDeps): Router {
  const { app } = deps;
  const router = Router();
  const isVerifyToken = isSecret(app.settings.whatsappVerifyToken);
  router.get('/', (req: Request, res: Response) => {
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = req.query;
    const known = typeof token === 'string' && isVerifyToken(token);
    if (mode !== 'subscribe' || !known || typeof challenge !== 'string') {
      refuse(res, 403, 'verification_failed', 'The verify token does not match.');
      return;
    }
    res.status(200).type('text/plain').send(challenge);
  });
  router.post('/', express.raw({ type: () => true, limit: LIMIT_BYTES }), (req: Request, res: Response) => {
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    if (!deps.verifySignature(body, req.get('x-hub-signature-256'), app.settings.whatsappAppSecret)) {
      deps.onWebhook?.('bad_signature');
      refuse(res, 401, 'signature_invalid', 'X-Hub-Signature-256 does not match the body.');
      return;
    }
    keepWebhook(app, body, app.newId()).then(
      () => {
        deps.onWebhook?.('kept');
        res.status(200).type('text/plain').send('ok');
      },
      (error: unknown) => {
        deps.onWebhook?.('failed');
        const said = 'a provider webhook could not be kept; it was answered 503';
        // Repeats with every attempt of the provider while a store is unavailable: one line each, without a stack.
        if (error instanceof StoreUnavailable) app.logger.warn({ reason: error.message }, said);
        else app.logger.error({ err: error }, said);
        res.set('Retry-After', '5');
        refuse(res, 503, 'unavailable', 'The webhook could not be stored. Send it again.');
      },
    );
  });
  return router;
}

function refuse(res: Response, status: number, code: string, message: string): void {
  res
    .status(status)
    .json({ error: { code, message, details: {}, request_id: res.get('X-Request-Id') ?? null } });
}
