/** What a call throws. Branch on the class for the family, on `code` for the cause. */
import type { ErrorCode, Failed, FieldError, ImportSummary, Operation } from './types.js';

/** All errors of this client. An aborted signal throws its own reason instead. */
export class RecadoError extends Error {
  override readonly name: string = 'RecadoError';
}

/** Facts about a refusal, by code. */
export interface ErrorDetails {
  /** Each refused field, on `validation_failed`. */
  readonly fields?: readonly FieldError[];
  /** Seconds after which the same request can succeed. */
  readonly retry_after_seconds?: number;
  /** The scope that the key lacks, on `insufficient_scope`. */
  readonly required_scope?: string;
  readonly [fact: string]: unknown;
}

export interface Refused {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
  readonly requestId: string | null;
  readonly headers: Headers;
  /** Such as `POST /messages`. */
  readonly call: string;
}

/** The server answered with an error. */
export class ApiError extends RecadoError implements Refused {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  readonly headers: Headers;
  readonly call: string;

  constructor(refused: Refused) {
    const { status, code, message, details, requestId, headers, call } = refused;
    super(`${call}: ${status} ${code}: ${message}${requestId === null ? '' : ` (request ${requestId})`}`);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.headers = headers;
    this.call = call;
  }
}

/** 400: the request can't be read. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
/** 401: no key, or one that is not valid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the key, or the company's plan or settings, do not allow it. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}
/** 404: no such resource of this company. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409: it contradicts the present state, or the Idempotency-Key stands for another request. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 410: what was asked for is no longer kept. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}
/** 412: the resource has another version than `ifMatch` says. */
export class PreconditionError extends ApiError {
  override readonly name = 'PreconditionError';
}
/** 422: a field is not valid, or a rule of the business refuses it. */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError';
}
/** 429: too many requests with this key. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx: a fault of the server, or of something before it. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const BY_STATUS: Readonly<Record<number, new (refused: Refused) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** The error of the status's own class. */
export function apiError(refused: Refused): ApiError {
  const { status } = refused;
  const Class = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class(refused);
}

/** No answer came: the server can't be reached, or the connection broke. `cause` is what `fetch` threw. */
export class ConnectionError extends RecadoError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came in `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** An operation ended as `failed`. `code` is one of the codes of an HTTP error. */
export class OperationFailedError extends RecadoError {
  override readonly name = 'OperationFailedError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(readonly operation: Failed) {
    const { error, uuid } = operation;
    super(`Operation ${uuid} failed: ${error.code}${error.message === null ? '' : `: ${error.message}`}`);
    this.code = error.code;
    this.details = error.details ?? {};
  }
}

/** The operation was not final in the time that `wait` was given. It continues; wait for it again. */
export class OperationPendingError extends RecadoError {
  override readonly name = 'OperationPendingError';

  constructor(readonly operation: Operation) {
    super(
      `Operation ${operation.uuid} is still ${operation.status}. Wait for it again, or give \`timeoutMs\`.`,
    );
  }
}

/** An import of products that met no answer. What is done is done: go on with `from: error.done`. */
export class ImportInterruptedError extends RecadoError {
  override readonly name = 'ImportInterruptedError';
  /** Products that are dealt with, from the first one. */
  readonly done: number;

  constructor(
    readonly summary: ImportSummary,
    override readonly cause: unknown,
  ) {
    super(
      `The import ended after ${summary.done} products: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
    this.done = summary.done;
  }
}

/** Why a webhook was refused: `malformed` headers, a signature that does not match, one too old, or no event. */
export type WebhookFault = 'malformed' | 'mismatch' | 'stale' | 'not_an_event';

/** A webhook that must not be trusted. Answer 400. */
export class WebhookError extends RecadoError {
  override readonly name = 'WebhookError';

  constructor(
    readonly fault: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}
