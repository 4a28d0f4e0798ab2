/** The HistoryTexts port over the events table. What has been changed on the disk is found out here too. */
import type { HistoryTexts, TextRecord } from '../../ports/history-texts.js';
import type { Db } from './database.js';
import { EVENT_COLUMNS, numberOf, positionOf, undamaged, type EventValues } from './records.js';

/** Rows looked at in one read, however few of them match: keeps a call to a few milliseconds. */
const MAX_SCAN = 10_000;
const MAX_PAGE = 1_000;

export function createHistoryTexts(db: Db, head: () => number): HistoryTexts {
  const scans = new Map<string, ReturnType<typeof prepareScan>>();

  function prepareScan(types: number, company: boolean) {
    return db
      .prepare(
        `SELECT ${EVENT_COLUMNS} FROM events
         WHERE position > ? AND position <= ?
         ${types > 0 ? `AND type IN (${Array(types).fill('?').join()})` : ''}
         ${company ? 'AND company = ?' : ''} ORDER BY position LIMIT ?`,
      )
      .raw();
  }

  return {
    async read({ after, limit, types = [], company }) {
      const key = `${types.length} ${company !== undefined}`;
      let statement = scans.get(key);
      if (!statement) scans.set(key, (statement = prepareScan(types.length, company !== undefined)));
      const from = numberOf(after);
      const end = Math.min(from + MAX_SCAN, head());
      const size = Math.max(1, Math.min(limit, MAX_PAGE));
      const scope = company === undefined ? [] : [company];
      const rows = statement.all(from, end, ...types, ...scope, size) as EventValues[];
      const next = rows.length === size ? rows[rows.length - 1]![0] : Math.max(from, end);
      return { records: rows.map(toText), next: positionOf(next), atEnd: next >= head() };
    },
  };
}

/** @throws EventDamaged */
function toText(row: EventValues): TextRecord {
  const [number, stream, revision, eventId, type, , meta, data] = undamaged(row);
  return { position: positionOf(number), stream, revision, eventId, type, meta, data };
}
