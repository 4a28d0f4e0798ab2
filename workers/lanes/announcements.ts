/** Tells listeners that rows were scheduled: once for each lane, since many rows come at once. */
import type { DueEntry, DueTimes } from '../../ports/due-times.js';

type Listener = Parameters<DueTimes['onScheduled']>[0];

type Row = Pick<DueEntry, 'queue' | 'lane' | 'dueAt'>;

export interface Announcements {
  readonly add: (listener: Listener) => () => void;
  readonly announce: (row: Row) => void;
}

export function createAnnouncements(): Announcements {
  const listeners = new Set<Listener>();
  let news = new Map<string, Row>();

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
    announce(row) {
      if (news.size === 0) queueMicrotask(tell);
      const key = `${row.queue}\n${row.lane}`;
      const known = news.get(key);
      if (!known || row.dueAt < known.dueAt) news.set(key, row);
    },
  };
}
