import type { HistoryRestored, RestoreEvent } from './events.js';

export interface Restores {
  /** Null when the history was never restored. */
  readonly last: HistoryRestored | null;
}

export const initialRestores: Restores = { last: null };

export const evolveRestores = (state: Restores, event: RestoreEvent): Restores =>
  event.type === 'HistoryRestored' ? { last: event.data } : state;
