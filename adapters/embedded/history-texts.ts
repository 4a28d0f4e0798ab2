/** The HistoryTexts port over the events table. It also detects events that were changed on the disk. */
import { crc32 } from 'node:zlib';
import type { HistoryTexts, TextRecord } from '../../ports/history-texts.js';
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import { EVENT_COLUMNS, numberOf, positionOf, undamaged, type EventValues } from './records.js';
import { pageSize } from '../../ports/page-size.js';
import { checksumBegin, metaTextOf } from './stored-meta.js';

/** Rows examined in one read, however few of them match: keeps a call to a few milliseconds. */
const MAX_SCAN = 10_000;
const MAX_PAGE = 1_000;

/** The input of the checksum (see checksumOf) as one text: the driver reads it in half the time of its six parts. */
const PARTS =
  'position, company, checksum, concat_ws(char(10), stream, revision, event_id, type, meta, data)';
type Parts = readonly [position: number, company: string, checksum: number, text: string];

export function createHistoryTexts(db: Db, head: () => number): HistoryTexts {
  const scans = new Map<string, ReturnType<typeof prepareScan>>();
  const one = db
    .prepare<unknown[], EventValues>(`SELECT ${EVENT_COLUMNS} FROM events WHERE position = ?`)
    .raw();

  function prepareScan(types: number, company: boolean) {
    return db
      .prepare<unknown[], Parts>(
        `SELECT ${PARTS} FROM events
         WHERE position > ? AND position <= ?
         ${types > 0 ? `AND type IN (${Array(types).fill('?').join()})` : ''}
         ${company ? 'AND company = ?' : ''} ORDER BY position ${LIMIT}`,
      )
      .raw();
  }

  /** Reads the event column by column. @throws EventDamaged */
  function slowly(number: number): TextRecord {
    const row = undamaged(one.get(number) as EventValues);
    const [, stream, revision, eventId, type, company, , meta, data] = row;
    const position = positionOf(number);
    return { position, stream, revision, eventId, type, meta: metaTextOf(meta, company), data };
  }

  return {
    async read({ after, limit, types = [], company }) {
      const key = `${types.length} ${company !== undefined}`;
      let statement = scans.get(key);
      if (!statement) scans.set(key, (statement = prepareScan(types.length, company !== undefined)));
      const from = numberOf(after);
      const end = Math.min(from + MAX_SCAN, head());
      const size = pageSize(limit, MAX_PAGE);
      const scope = company === undefined ? [] : [company];
      const rows = statement.all(from, end, ...types, ...scope, size);
      const last = rows.length === size ? rows.at(-1) : undefined;
      const next = last ? last[0] : Math.max(from, end);
      const records = rows.map((row) => divided(row) ?? slowly(row[0]));
      return { records, next: positionOf(next), atEnd: next >= head() };
    },
  };
}

/**
 * Null when the checksum does not match, or a name in the text holds a line break, so that it can't be split safely.
 */
function divided([number, company, checksum, text]: Parts): TextRecord | null {
  const stream = text.indexOf('\n');
  const revision = text.indexOf('\n', stream + 1);
  const eventId = text.indexOf('\n', revision + 1);
  const type = text.indexOf('\n', eventId + 1);
  const metaEnd = text.indexOf('\n', type + 1);
  const meta = text.slice(type + 1, metaEnd);
  if (crc32(text, checksumBegin(meta, company)) !== checksum) return null;
  if (text.includes('\n', metaEnd + 1)) return null;
  return {
    position: positionOf(number),
    stream: text.slice(0, stream),
    revision: Number(text.slice(stream + 1, revision)),
    eventId: text.slice(revision + 1, eventId),
    type: text.slice(eventId + 1, type),
    meta: metaTextOf(meta, company),
    data: text.slice(metaEnd + 1),
  };
}
