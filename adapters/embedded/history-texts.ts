/** The HistoryTexts port over the events table. What has been changed on the disk is found out here too. */
import type { HistoryTexts, TextRecord } from '../../ports/history-texts.js';
import type { Db } from './database.js';
import { checksumOf, EventDamaged, numberOf, positionOf } from './records.js';

/** Rows looked at in one read, however few of them match: keeps a call to a few milliseconds. */
const MAX_SCAN = 10_000;
const MAX_PAGE = 1_000;

type Row = readonly [
  position: number,
  stream: string,
  revision: number,
  eventId: string,
  type: string,
  checksum: number,
  meta: string,
  data: string,
];

export function createHistoryTexts(db: Db, head: () => number): HistoryTexts {
  const scans = new Map<string, ReturnType<typeof prepareScan>>();

  function prepareScan(types: number, company: boolean) {
    return db
      .prepare(
        `SELECT position, stream, revision, event_id, type, checksum, meta, data FROM events
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
      const rows = statement.all(from, end, ...types, ...scope, size) as Row[];
      const next = rows.length === size ? rows[rows.length - 1]![0] : Math.max(from, end);
      return { records: rows.map(toText), next: positionOf(next), atEnd: next >= head() };
    },
  };
}

/** @throws EventDamaged */
function toText([number, stream, revision, eventId, type, checksum, meta, data]: Row): TextRecord {
  if (checksumOf(stream, revision, eventId, type, meta, data) !== checksum) {
    throw new EventDamaged(
      `the event at position ${number} (stream ${stream}, revision ${revision}) does not match its checksum; ` +
        'restore the data folder from a backup',
    );
  }
  return { position: positionOf(number), stream, revision, eventId, type, meta, data };
}
