/** The form of a request for a handler, and of the handler's reply. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ContractOperation } from '../contract.js';

/** The caller, with the fields that the shared middleware needs. */
export interface Caller {
  /** As recorded with events: `key:<id>`, `admin`. */
  readonly actor: string;
  readonly company: string | null;
  readonly scopes: readonly string[];
}

/** A request after authentication, quota and validation against the contract. */
export interface Call<C extends Caller = Caller> {
  readonly caller: C;
  readonly requestId: string;
  readonly operation: ContractOperation;
  /** Path parameters, decoded; `*_uuid` in lower case. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters as the contract types them, defaults filled in. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** The caller's network address, behind the proxies that are trusted. */
  readonly address: string;
}

export interface Reply {
  readonly status: number;
  /** Undefined for 204, and when there are `lines`, a `file` or a `text`. */
  readonly body?: unknown;
  /** JSON that is sent as it stands, where its bytes matter. */
  readonly text?: string;
  /**
   * Newline-delimited JSON instead of a body, in pieces of whole lines, sent as fast as the caller receives them. A
   * piece is no longer used once the next one is requested. An error cuts the connection, so the last line must mark
   * itself as the last.
   */
  readonly lines?: AsyncIterable<Uint8Array>;
  /**
   * Server-sent events instead of a body, written as fast as the caller takes them; the function is called once, with a
   * signal that the caller is gone. It must end by itself then, and must not throw. A caller that takes none for half a
   * minute is cut off.
   */
  readonly events?: (gone: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Bytes of a file instead of a body, sent as fast as the caller takes them. */
  readonly file?: {
    readonly type: string;
    /** Bytes. */
    readonly length: number;
    readonly pieces: AsyncIterable<Uint8Array>;
  };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of an operation that takes bytes: it is read when the handler asks for it. */
export interface BytesBody {
  /** `Content-Type`; undefined when the caller gives none. */
  readonly type: string | undefined;
  /** As the caller announces it; null when it does not. */
  readonly length: number | null;
  /** @throws Refusal payload_too_large, bad_request */
  readonly read: (limit: number) => Promise<Buffer>;
}

/** `body` fits the contract's schema of the operation, and each handler says what that is; undefined where it takes none. */
export type Handler<C extends Caller = Caller, Body = never> = (call: Call<C>, body: Body) => Promise<Reply>;

/** By `operationId` of the contract. */
export type Handlers<C extends Caller = Caller> = Readonly<Record<string, Handler<C>>>;

/** Known facts about a request in progress, for headers and the access log. */
export interface Progress {
  readonly requestId: string;
  /** Time of arrival, by the monotonic clock. */
  readonly startedAt: number;
  operation: ContractOperation | null;
  caller: Caller | null;
  /** `RateLimit` and `RateLimit-Policy`, once the quota was checked. */
  quota: Readonly<Record<string, string>> | null;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express lets a request be extended
  namespace Express {
    interface Request {
      progress?: Progress;
    }
  }
}

/**
 * A path parameter of the operation. @throws Error when the path has no such parameter: a fault of the handler, not of
 * the caller
 */
export function pathParam(params: Call['params'], name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the path of this operation has no parameter "${name}"`);
  return value;
}

/** A query parameter that the contract types as text; undefined when it was not given. */
export const queryText = (query: Call['query'], name: string): string | undefined => {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
};
