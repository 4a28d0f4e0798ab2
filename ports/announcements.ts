/** Tells listeners of the due-time store that rows were scheduled: once for each lane, since many rows come at once. */
import type { DueEntry, DueTimes } from './due-times.js';

type Listener = Parameters<DueTimes['onScheduled']>[0];

type Row = Pick<DueEntry, 'queue' | 'lane' | 'dueAt'>;

export interface Announcements {
  readonly add: (listener: Listener) => () => void;
  /** Of the rows of one lane, the earliest due time is announced. */
  readonly announce: (row: Row) => void;
}

/** @param soon how listeners are called later: rows that are announced until then are announced together */
export function createAnnouncements(soon: (announce: () => void) => void): Announcements {
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
      if (news.size === 0) soon(tell);
      const key = `${row.queue}\n${row.lane}`;
      const known = news.get(key);
      if (!known || row.dueAt < known.dueAt) news.set(key, row);
    },
  };
}
