/** Writes responses: headers, body, access log. Those that come in pieces are written by pieces.ts. */
import type { Request, Response } from 'express';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { codingFor, LEAST_BYTES, packed } from '../content-coding.js';
import { toProblem } from '../errors.js';
import type { Progress, Reply } from './call.js';
import { errorReply } from './error-reply.js';
import { passEvents, sendPieces } from './pieces.js';

/**
 * Responses contain personal data and are never a page: no cache keeps them, no browser renders them. A flat list of
 * names and values, which Node writes without a look-up of each header.
 */
const SECURITY_HEADERS: readonly string[] = [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options',
  'nosniff',
];
const JSON_TYPE = 'application/json; charset=utf-8';
/** Matches the path of an accepted operation. */
const OPERATION = /\/operations\/([0-9a-f-]{36})$/;
const LINES_TYPE = 'application/x-ndjson';
const EVENTS_TYPE = 'text/event-stream; charset=utf-8';
/** The facts reported about a response, in terms of the contract. */
export interface Answer {
  readonly method: string;
  /** Null for a path that is not in the contract. */
  readonly route: string | null;
  readonly status: number;
  /** Code of the error envelope. */
  readonly code: string | undefined;
  readonly durationMs: number;
  /** For traces: correlation id of every event that the request appended. */
  readonly requestId: string;
  /** W3C trace context of the caller, as received. */
  readonly caller: string | string[] | undefined;
}

export interface ReplyWriter {
  /** @throws any error of `check`, before anything is written */
  send(req: Request, res: Response, reply: Reply): void;
  /** Sends any thrown value as the error envelope. Never throws. */
  fail(req: Request, res: Response, error: unknown): void;
}

export function createReplyWriter(deps: {
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Checks a response before it is sent, for example against the contract. */
  readonly check?: ((progress: Progress, reply: Reply) => void) | undefined;
  /** For metrics: called after each response was written. */
  readonly onAnswer?: ((answer: Answer) => void) | undefined;
}): ReplyWriter {
  const { logger, clock, check } = deps;

  function tell(
    req: Request,
    progress: Progress,
    status: number,
    errorCode: string | undefined,
    location?: string,
  ): void {
    const durationMs = clock.monotonic() - progress.startedAt;
    logger.info(accessLine(req, progress, durationMs, status, errorCode, location), 'request');
    deps.onAnswer?.({
      method: progress.operation?.method ?? 'unknown',
      route: progress.operation?.path ?? null,
      status,
      code: errorCode,
      durationMs,
      requestId: progress.requestId,
      caller: req.headers.traceparent,
    });
  }

  function write(req: Request, res: Response, progress: Progress, reply: Reply, errorCode?: string): void {
    const headers: (string | number)[] = [...SECURITY_HEADERS, 'X-Request-Id', progress.requestId];
    for (const more of [progress.quota, reply.headers]) {
      for (const name in more) headers.push(name, more[name] ?? '');
    }
    if (reply.file !== undefined) {
      const { type, length, pieces } = reply.file;
      res.writeHead(reply.status, [...headers, 'Content-Type', type, 'Content-Length', length]);
      void stream(req, res, progress, pieces, 'bytes');
      return;
    }
    if (reply.lines !== undefined) {
      res.writeHead(reply.status, [...headers, 'Content-Type', LINES_TYPE]);
      void stream(req, res, progress, reply.lines, 'lines');
      return;
    }
    if (reply.events !== undefined) {
      // A proxy must pass on each event at once.
      res.writeHead(reply.status, [...headers, 'Content-Type', EVENTS_TYPE, 'X-Accel-Buffering', 'no']);
      // The time until now is what the caller waited for; the connection may stay for days.
      tell(req, progress, reply.status, undefined);
      void passEvents(req, res, reply.events, deps);
      return;
    }
    const end = (body?: string | Buffer, length?: number): void => {
      if (length !== undefined) headers.push('Content-Length', length);
      res.writeHead(reply.status, headers).end(body);
      tell(req, progress, reply.status, errorCode, reply.headers?.['Location']);
    };
    if (reply.body === undefined && reply.text === undefined) return end();
    const text = reply.text ?? JSON.stringify(reply.body);
    const length = Buffer.byteLength(text);
    headers.push('Content-Type', JSON_TYPE);
    if (length < LEAST_BYTES || progress.operation?.showsSecret === true) return end(text, length);
    headers.push('Vary', 'Accept-Encoding');
    const coding = codingFor(req.headers['accept-encoding']);
    if (coding === null) return end(text, length);
    headers.push('Content-Encoding', coding);
    packed(Buffer.from(text), coding).then(
      (bytes) => end(bytes, bytes.length),
      (error: unknown) => {
        logger.error({ request_id: progress.requestId, err: error }, 'an answer could not be compressed');
        res.destroy();
      },
    );
  }

  async function stream(
    req: Request,
    res: Response,
    progress: Progress,
    pieces: AsyncIterable<Uint8Array>,
    kind: 'lines' | 'bytes',
  ): Promise<void> {
    const sent = await sendPieces(req, res, pieces, { kind, requestId: progress.requestId, logger });
    tell(req, progress, res.statusCode, sent === 'complete' ? undefined : sent);
  }

  return {
    send(req, res, reply) {
      const progress = req.progress!;
      check?.(progress, reply);
      write(req, res, progress, reply);
    },
    fail(req, res, error) {
      const progress = req.progress!;
      let problem = toProblem(error);
      if (check) {
        try {
          check(progress, errorReply(problem, progress.requestId));
        } catch (mismatch) {
          problem = toProblem(mismatch);
        }
      }
      const { status, code, cause } = problem;
      if (cause !== undefined) {
        const fields = { request_id: progress.requestId, code };
        // While a server is unavailable, every request logs this: one line each, without a stack.
        if (cause instanceof StoreUnavailable)
          logger.warn({ ...fields, reason: cause.message }, 'request put off');
        else logger.error({ ...fields, err: cause }, 'request failed');
      }
      if (res.headersSent) {
        res.destroy();
        return;
      }
      write(req, res, progress, { ...errorReply(problem, progress.requestId), status }, code);
    },
  };
}

/**
 * The path is the contract's template, because the real one may contain an external id, and a query a person's name.
 * Every event that the request appended has `request_id` as its correlation id, and so has every log line of the work
 * that follows.
 */
function accessLine(
  req: Request,
  { requestId, operation, caller }: Progress,
  durationMs: number,
  status: number,
  errorCode: string | undefined,
  location: string | undefined,
): object {
  return {
    request_id: requestId,
    method: req.method,
    route: operation?.path ?? null,
    status,
    error_code: errorCode,
    operation_uuid: location === undefined ? undefined : OPERATION.exec(location)?.[1],
    duration_ms: Math.round(durationMs * 100) / 100,
    actor: caller?.actor,
    company: caller?.company,
  };
}
