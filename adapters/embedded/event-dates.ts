/** When the last events of a file happened by the clock of their time, milliseconds since the epoch; 0 when there are none. */
import type { EventMeta } from '../../ports/event-store.js';
import type { Db } from './database.js';

export interface EventDates {
  /** Of the last one. */
  readonly last: number;
  /** Of some hundred before it too: the clock may have been set back in between. */
  readonly latest: number;
}

const LOOKED_AT = 200;

export function eventDates(db: Db): EventDates {
  const last = db.prepare(`SELECT meta FROM events ORDER BY position DESC LIMIT ${LOOKED_AT}`).pluck().all();
  const dates = (last as string[]).map((meta) => Date.parse((JSON.parse(meta) as EventMeta).occurred_at));
  return { last: dates[0] ?? 0, latest: Math.max(0, ...dates) };
}
