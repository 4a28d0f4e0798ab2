/**
 * Identifiers of traces (W3C Trace Context), computed from correlation ids, so the correlation id is enough to find a
 * trace.
 */
import { createHash } from 'node:crypto';

export interface TraceIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the span that began the trace, 16 hexadecimal digits. */
  readonly rootSpanId: string;
}

export function traceIdsOf(correlationId: string): TraceIds {
  const digest = createHash('sha256').update(`recado/trace/${correlationId}`).digest('hex');
  return { traceId: digest.slice(0, 32), rootSpanId: digest.slice(32, 48) };
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Undefined when the text is not a trace context, or when an id is all zeros. */
export function parseTraceparent(
  text: string,
): { readonly traceId: string; readonly spanId: string } | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId };
}
