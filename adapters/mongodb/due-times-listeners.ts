/** Listeners for entries that this process schedules. */
import type { DueTimes } from '../../ports/due-times.js';

type Listener = Parameters<DueTimes['onScheduled']>[0];

export interface Listeners {
  add(listener: Listener): () => void;
  /** Notifies in a later event-loop tick, once for each lane, with the earliest time: many entries come at once. */
  announce(queue: string, lane: string, dueAt: number): void;
}

export function listenersOf(): Listeners {
  const listeners = new Set<Listener>();
  let news = new Map<string, { readonly queue: string; readonly lane: string; dueAt: number }>();

  function tell(): void {
    const told = news;
    news = new Map();
    for (const { queue, lane, dueAt } of told.values()) {
      for (const listener of listeners) listener(queue, lane, dueAt);
    }
  }

  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(queue, lane, dueAt) {
      if (news.size === 0) setImmediate(tell);
      const key = `${queue}\n${lane}`;
      const known = news.get(key);
      if (!known) news.set(key, { queue, lane, dueAt });
      else known.dueAt = Math.min(known.dueAt, dueAt);
    },
  };
}
