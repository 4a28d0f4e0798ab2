/** Reads events in the order of the whole history, or back. A scan is bounded however few events match. */
import type { StoredRecord } from '../../ports/event-store.js';
import type { Db } from './database.js';
import { LIMIT } from './limit.js';
import { decodeRow, EVENT_COLUMNS, type EventValues } from './records.js';

export interface Which {
  /** At most so many events. */
  readonly size: number;
  /** Beginnings of streams; none: all streams. */
  readonly prefixes: readonly string[];
  /** None: all types. */
  readonly types: readonly string[];
}

export interface Scans {
  /** Events after the position `from`, up to `head`; and the position up to which all were considered. */
  onward(
    from: number,
    head: number,
    which: Which,
  ): { readonly records: readonly StoredRecord[]; readonly next: number };
  /** Events up to `last`, newest first; and the position from which on all were considered. */
  back(last: number, which: Which): { readonly records: readonly StoredRecord[]; readonly oldest: number };
}

/** Rows examined in one `readAll`, however few of them match: keeps a call to a few milliseconds. */
const MAX_SCAN = 10_000;
/** The highest code point sorts after every continuation of a prefix. */
const LAST = '\u{10FFFF}';

const bounds = (prefixes: readonly string[]): readonly string[] =>
  prefixes.flatMap((prefix) => [prefix, prefix + LAST]);

export function createScans(db: Db): Scans {
  const scans = new Map<string, ReturnType<typeof prepareScan>>();
  const backScans = new Map<string, ReturnType<typeof prepareScan>>();

  function prepareScan(prefixes: number, types: number, order: 'ASC' | 'DESC') {
    // The unary plus keeps SQLite on the primary key: rows come in order, and it reads no further than requested.
    const match = Array(prefixes).fill('(+stream >= ? AND +stream < ?)').join(' OR ');
    const ofTypes = `AND type IN (${Array(types).fill('?').join()})`;
    return db
      .prepare<unknown[], EventValues>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? AND position <= ?
         ${prefixes > 0 ? `AND (${match})` : ''} ${types > 0 ? ofTypes : ''} ORDER BY position ${order} ${LIMIT}`,
      )
      .raw();
  }

  function scanFor(known: typeof scans, prefixes: number, types: number, order: 'ASC' | 'DESC') {
    const shape = `${prefixes} ${types}`;
    let statement = known.get(shape);
    if (!statement) known.set(shape, (statement = prepareScan(prefixes, types, order)));
    return statement;
  }

  return {
    onward(from, head, { size, prefixes, types }) {
      const statement = scanFor(scans, prefixes.length, types.length, 'ASC');
      const end = Math.min(from + MAX_SCAN, head);
      const rows = statement.all(from, end, ...bounds(prefixes), ...types, size);
      const next = rows.length === size ? (rows.at(-1)?.[0] ?? end) : end;
      return { records: rows.map(decodeRow), next };
    },
    back(last, { size, prefixes, types }) {
      const start = Math.max(0, last - MAX_SCAN);
      const statement = scanFor(backScans, prefixes.length, types.length, 'DESC');
      const rows = statement.all(start, last, ...bounds(prefixes), ...types, size);
      const oldest = rows.length === size ? (rows.at(-1)?.[0] ?? start) : start + 1;
      return { records: rows.map(decodeRow), oldest };
    },
  };
}
