/** Records spans as they were started, and how each ended. */
import type { SpanAttributes, SpanStart, Tracing } from '../../../ports/tracing.js';

export const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

export function fakeTracing() {
  const begun: SpanStart[] = [];
  const ended: { readonly attributes: SpanAttributes | undefined; readonly error: string | undefined }[] = [];
  const tracing: Tracing = {
    begin(start) {
      begun.push(start);
      return {
        traceparent: TRACEPARENT,
        end: (attributes, error) => void ended.push({ attributes, error }),
      };
    },
    close: async () => undefined,
  };
  return { tracing, begun, ended };
}
