/** Reads the history as text from a store that returns records. */
import type { EventStore } from '../../ports/event-store.js';
import type { HistoryTexts } from '../../ports/history-texts.js';
import { isWanted, narrowing, type HistoryFilter } from './read.js';

export const textsOf = (store: Pick<EventStore, 'readAll'>): HistoryTexts => ({
  async read({ after, limit, types, company }) {
    const filter: HistoryFilter = { types: types ? new Set(types) : null, company: company ?? null };
    const page = await store.readAll({ after, limit, ...narrowing(filter) });
    const records = page.records.filter(isWanted(filter));
    return {
      records: records.map(({ meta, data, ...plain }) => ({
        ...plain,
        meta: JSON.stringify(meta),
        data: JSON.stringify(data),
      })),
      next: page.next,
      atEnd: page.atEnd,
    };
  },
});
