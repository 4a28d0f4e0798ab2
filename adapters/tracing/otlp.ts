/**
 * Tracing over OTLP/HTTP. Loaded only when a collector is configured: its libraries cost half a second at start, and
 * memory.
 *
 * No context is passed from call to call: a span's place follows from its correlation id alone. That is cheaper than
 * AsyncLocalStorage and works across processes as well.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../ports/logger.js';
import type { SpanAttributes, Tracing } from '../../ports/tracing.js';
import { parseTraceparent, traceIdsOf } from './ids.js';

export interface TracingOptions {
  /** Base address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** Sampling ratio, 0 to 1. The trace id decides, so all processes decide alike. */
  readonly ratio: number;
  readonly serviceName: string;
  readonly version: string;
  /** `api,workers` */
  readonly roles: string;
  readonly logger: Logger;
  /** Interval at which spans are sent, milliseconds. */
  readonly everyMs?: number;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const EVERY_MS = 2_000;
const MAX_QUEUE = 8_192;
const EXPORT_TIMEOUT_MS = 5_000;

export function createTracing(options: TracingOptions): Tracing {
  const random = new RandomIdGenerator();
  /** Ids for the next span. `startSpan` reads them synchronously. */
  let next: { readonly traceId: string; readonly spanId?: string } | undefined;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': options.version,
      'recado.roles': options.roles,
    }),
    idGenerator: {
      generateTraceId: () => next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    },
    sampler: new TraceIdRatioBasedSampler(options.ratio),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS }),
        { scheduledDelayMillis: options.everyMs ?? EVERY_MS, maxQueueSize: MAX_QUEUE },
      ),
    ],
  });
  const tracer = provider.getTracer('recado', options.version);

  return {
    begin({ name, kind, correlationId, root = false, startedAt, caller, attributes }) {
      const { traceId, rootSpanId } = traceIdsOf(correlationId);
      const under = trace.setSpanContext(ROOT_CONTEXT, {
        traceId,
        spanId: rootSpanId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      });
      const link = caller === undefined ? undefined : parseTraceparent(caller);
      next = root ? { traceId, spanId: rootSpanId } : { traceId };
      let span;
      try {
        span = tracer.startSpan(
          name,
          {
            kind: KINDS[kind],
            attributes: present({ ...attributes, 'recado.correlation_id': correlationId }),
            ...(startedAt === undefined ? {} : { startTime: startedAt }),
            ...(link ? { links: [{ context: { ...link, traceFlags: TraceFlags.NONE } }] } : {}),
          },
          root ? ROOT_CONTEXT : under,
        );
      } finally {
        next = undefined;
      }
      const { spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end(more, error) {
          if (more) span.setAttributes(present(more));
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
          span.end();
        },
      };
    },
    async close() {
      try {
        await provider.shutdown();
      } catch (error) {
        options.logger.warn({ err: error }, 'the last spans could not be sent to the collector');
      }
    },
  };
}

const present = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
