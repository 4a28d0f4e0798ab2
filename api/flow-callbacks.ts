/** Signed addresses by which other systems resume a flow: `POST /flows/callbacks/{execution}/{block}/{signature}`. */
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { App } from '../application/app.js';
import { receiveCallback } from '../application/flows/callbacks.js';
import { Refusal, type RefusalCode } from '../domain/kernel/refusal.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { parseJsonText } from './middleware/json-body.js';

/** A flow keeps only a few values of the body. */
const LIMIT = 65_536;

/** The status shows whether repeating the call makes sense: 200 stored, 404 and 410 never, 503 yes. */
export function flowCallbacks(app: App): Router {
  const router = express.Router();
  const body = express.text({ type: () => true, limit: LIMIT });
  router.post('/:execution/:block/:signature', body, (req, res, next) => {
    receive(app, res, req.params, req.body).catch(next);
  });
  router.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (!(error instanceof Error && 'type' in error && error.type === 'entity.too.large')) return next(error);
    const message = `The body is larger than ${LIMIT} bytes. Send the flow only the values it keeps.`;
    refuse(res, 413, 'payload_too_large', message);
  });
  return router;
}

/** Of its own: an execution that has ended is gone for its caller. */
const STATUSES: Readonly<Partial<Record<RefusalCode, number>>> = {
  not_found: 404,
  execution_ended: 410,
  concurrent_update: 409,
};

async function receive(
  app: App,
  res: Response,
  { execution, block, signature }: Readonly<Record<'execution' | 'block' | 'signature', string>>,
  text: unknown,
): Promise<void> {
  try {
    const body = readBody(text);
    await receiveCallback(app, { executionUuid: execution.toLowerCase(), block, signature, body });
    res.json({ data: { received: true } });
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      const message = 'What you sent could not be stored. Send it again.';
      return refuse(res.set('Retry-After', '5'), 503, 'unavailable', message);
    }
    if (!(error instanceof Refusal)) throw error;
    refuse(res, STATUSES[error.code] ?? 422, error.code, error.message);
  }
}

/** @throws Refusal invalid_json, validation_failed */
const readBody = (text: unknown): unknown =>
  typeof text !== 'string' || text.trim() === '' ? null : parseJsonText(text);

const refuse = (res: Response, status: number, code: string, message: string): void =>
  void res
    .status(code === 'invalid_json' ? 400 : status)
    .json({ error: { code, message, details: {}, request_id: res.get('X-Request-Id') ?? null } });
