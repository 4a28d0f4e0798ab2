/**
 * Dates of the last events of a file, by the clock at the time they happened. Milliseconds since the epoch; 0 when the
 * file has no events.
 */
import type { Db } from './database.js';
import { metaOf } from './stored-meta.js';

export interface EventDates {
  /** Date of the last event. */
  readonly last: number;
  /** Latest date of the last 200 events, because the clock may have been set back between them. */
  readonly latest: number;
}

const LOOKED_AT = 200;

export function eventDates(db: Db): EventDates {
  const last = db
    .prepare<unknown[], [meta: string, company: string]>(
      `SELECT meta, company FROM events ORDER BY position DESC LIMIT ${LOOKED_AT}`,
    )
    .raw();
  const dates = last.all().map(([meta, company]) => Date.parse(metaOf(meta, company).occurred_at));
  return { last: dates[0] ?? 0, latest: Math.max(0, ...dates) };
}
