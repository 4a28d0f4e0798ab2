/** Calls listeners for entries that are scheduled: after the commit, once for each lane. */
import type { DueTimes } from '../../ports/due-times.js';

type Listener = Parameters<DueTimes['onScheduled']>[0];

export interface Listeners {
  add(listener: Listener): () => void;
  /** In a transaction: its lane has an entry that is due then. */
  announce(queue: string, lane: string, dueAt: number): void;
  committed(): void;
  rolledBack(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<Listener>();
  let scheduled = new Map<string, { readonly queue: string; readonly lane: string; dueAt: number }>();

  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(queue, lane, dueAt) {
      const id = JSON.stringify([queue, lane]);
      const known = scheduled.get(id);
      if (!known) scheduled.set(id, { queue, lane, dueAt });
      else if (dueAt < known.dueAt) known.dueAt = dueAt;
    },
    committed() {
      if (scheduled.size === 0) return;
      const news = scheduled;
      scheduled = new Map();
      // In a separate event-loop tick: a listener that throws must not come between a commit and its promises.
      setImmediate(() => {
        for (const { queue, lane, dueAt } of news.values()) {
          for (const listener of listeners) listener(queue, lane, dueAt);
        }
      });
    },
    rolledBack() {
      scheduled = new Map();
    },
  };
}
