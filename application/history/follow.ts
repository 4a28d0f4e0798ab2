/** Waiting for what happens next, for readers that follow the history over HTTP. */
import type { EventStore, Position } from '../../ports/event-store.js';
import type { Clock } from '../../ports/clock.js';
import { isWanted, prefixesOf, type HistoryFilter } from './read.js';

/** Resolves when an event that is wanted lies behind `after`, when the time is over, or when `stopping` says so. */
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
      // Not waited for: it ends with the batch in hand, which is this one.
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
      // The next read says what is wrong.
      onError: end,
    });
  });
}
