/**
 * Traces of what a request sets going. A trace is named by a correlation id, which every event carries, so it goes on
 * wherever the history is read: in another process, after a restart (docs/adr/0021).
 */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Codes, names and identifiers; never personal data or a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanStart {
  /** Few different ones: no identifiers in it. */
  readonly name: string;
  readonly kind: SpanKind;
  readonly correlationId: string;
  /** The request that began it all; every other span of the trace comes under it. */
  readonly root?: boolean;
  /** Milliseconds since the epoch; now when left out. */
  readonly startedAt?: number;
  /** `traceparent` of the caller, whose trace goes on beside this one. */
  readonly caller?: string | undefined;
  readonly attributes?: SpanAttributes;
}

export interface Span {
  /** W3C trace context that continues from this span, for a request to somebody who may see it. */
  readonly traceparent: string;
  /** @param error what went wrong, in a word or a sentence without personal data */
  end(attributes?: SpanAttributes, error?: string): void;
}

export interface Tracing {
  begin(start: SpanStart): Span;
  /** Sends what has not been sent. Never throws. */
  close(): Promise<void>;
}
