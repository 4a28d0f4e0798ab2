/** The root span of a trace: a request, recorded once it has been answered. */
import type { App } from '../application/app.js';
import type { Answer } from '../api/middleware/reply.js';

export function traceAnswer({ tracing, clock }: Pick<App, 'tracing' | 'clock'>, answer: Answer): void {
  if (!tracing) return;
  const { method, route, status, code, durationMs, requestId, caller } = answer;
  tracing
    .begin({
      name: `${method} ${route ?? 'unknown'}`,
      kind: 'server',
      correlationId: requestId,
      root: true,
      startedAt: clock.now() - durationMs,
      caller: typeof caller === 'string' ? caller : undefined,
      attributes: {
        'http.request.method': method,
        'http.route': route ?? undefined,
        'http.response.status_code': status,
        'recado.error_code': code,
      },
    })
    .end({}, status >= 500 ? code : undefined);
}
