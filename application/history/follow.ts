/** Waits for new events, for readers that follow the history over HTTP. */
import type { EventStore, Position } from '../../ports/event-store.js';
import type { Clock } from '../../ports/clock.js';
import { isWanted, prefixesOf, type HistoryFilter } from './read.js';

/** Resolves when a wanted event is recorded after `after`, when the time is over, or when `stopping` aborts. */
export function untilNews(
  { store, clock }: { readonly store: Pick<EventStore, 'subscribe'>; readonly clock: Clock },
  wait: {
    readonly after: Position;
    readonly filter: HistoryFilter;
    readonly ms: number;
    readonly stopping: AbortSignal;
  },
): Promise<void> {
  const wanted = isWanted(wait.filter);
  const prefixes = prefixesOf(wait.filter);
  return new Promise((resolve) => {
    if (wait.stopping.aborted) return resolve();
    const end = (): void => {
      cancel();
      wait.stopping.removeEventListener('abort', end);
      // Not awaited: it resolves after the current batch, which is this one.
      void subscription.stop();
      resolve();
    };
    const cancel = clock.after(wait.ms, end);
    wait.stopping.addEventListener('abort', end);
    const subscription = store.subscribe({
      after: wait.after,
      ...(prefixes ? { prefixes } : {}),
      onBatch: async (records) => {
        if (records.some(wanted)) end();
      },
      // The next read reports the error.
      onError: end,
    });
  });
}
