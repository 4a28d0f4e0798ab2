/** Responses that are written piece by piece, as they come and as the caller reads them. */
import type { Request, Response } from 'express';
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import { toProblem } from '../errors.js';
import type { Reply } from './call.js';
import { errorReply } from './error-reply.js';

const SLOW_READER_MS = 30_000;

export interface PiecesOptions {
  /** Among lines an error can be told from the rest; bytes are of a file. */
  readonly kind: 'lines' | 'bytes';
  readonly requestId: string;
  readonly logger: Logger;
}

/** Passes on live events until they end or the caller is gone, which may be in days. Ends the response. */
export async function passEvents(
  req: Request,
  res: Response,
  events: NonNullable<Reply['events']>,
  { clock, logger }: { readonly clock: Pick<Clock, 'after'>; readonly logger: Logger },
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  // It has to run in any case, to release what was reserved for it.
  if (req.method === 'HEAD') gone.abort();
  try {
    for await (const piece of events(gone.signal)) {
      if (gone.signal.aborted) break;
      const cancel = clock.after(SLOW_READER_MS, () => {
        gone.abort();
        res.destroy();
      });
      await written(res, piece, gone.signal);
      cancel();
    }
  } catch (error) {
    logger.error({ request_id: req.progress?.requestId, err: error }, 'live events were cut off');
  }
  res.end();
}

/** Reads no more than the caller accepts; reading stops when the caller disconnects. Ends the response. */
export async function sendPieces(
  req: Request,
  res: Response,
  pieces: AsyncIterable<Uint8Array>,
  { kind, requestId, logger }: PiecesOptions,
): Promise<'complete' | 'cut_off'> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  try {
    if (req.method !== 'HEAD') {
      for await (const piece of pieces) {
        if (gone.signal.aborted) break;
        // Writing an empty piece would still call into the socket.
        if (piece.length > 0) await written(res, piece, gone.signal);
      }
    }
    res.end();
    return 'complete';
  } catch (error) {
    if (!gone.signal.aborted) {
      const fields = { request_id: requestId };
      if (error instanceof StoreUnavailable)
        logger.warn({ ...fields, reason: error.message }, 'an answer was cut off');
      else logger.error({ ...fields, err: error }, 'an answer was cut off');
      // Among lines it can be told from the rest; a file gets no foreign bytes.
      if (kind === 'lines') await tellCutOff(res, error, requestId, gone.signal);
    }
    // Not ended properly, so that the caller does not treat it as complete.
    res.destroy();
    return 'cut_off';
  }
}

/**
 * Resolves when the system has accepted the whole piece, so that its memory may be reused, or when the caller is gone.
 */
function written(res: Response, piece: Uint8Array, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      gone.removeEventListener('abort', done);
      resolve();
    };
    gone.addEventListener('abort', done);
    res.write(piece, done);
  });
}

async function tellCutOff(
  res: Response,
  error: unknown,
  requestId: string,
  gone: AbortSignal,
): Promise<void> {
  const { body } = errorReply(toProblem(error), requestId);
  await written(res, Buffer.from(`${JSON.stringify(body)}\n`), gone).catch(() => undefined);
}
