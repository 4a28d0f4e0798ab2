/**
 * Traces of the work that a request triggers. A trace is named by a correlation id, which every event carries. So it
 * continues wherever the history is read: in another process, or after a restart (docs/adr/0021).
 */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Codes, names and identifiers; never personal data or a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanStart {
  /** Low cardinality: no identifiers in it. */
  readonly name: string;
  readonly kind: SpanKind;
  readonly correlationId: string;
  /** The request that started the trace; every other span of the trace is below it. */
  readonly root?: boolean;
  /** Milliseconds since the epoch; now when left out. */
  readonly startedAt?: number;
  /** `traceparent` of the caller, whose own trace continues beside this one. */
  readonly caller?: string | undefined;
  readonly attributes?: SpanAttributes;
}

export interface Span {
  /** W3C trace context that continues from this span, for requests to systems that may see it. */
  readonly traceparent: string;
  /** @param error the reason of the failure, in a word or a sentence without personal data */
  end(attributes?: SpanAttributes, error?: string): void;
}

export interface Tracing {
  begin(start: SpanStart): Span;
  /** Sends the spans that are not sent yet. Never throws. */
  close(): Promise<void>;
}
