/**
 * Which events a stream has, by revision. The table can be derived from the events, and streams have random names: an
 * entry that is written with its event costs a page of its own. So the last entries are kept in memory, and are written
 * in the order of the streams when there are many. A start reads the events that the table lacks.
 */
import { numberOf, positionOf } from './records.js';
import type { Position } from '../../ports/event-store.js';
import type { Db } from './driver.js';

/** In the table of checkpoints: position up to which the table has all entries. */
export const STREAM_INDEX = 'event_streams';

export interface IndexEntry {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
}

/** The newest events of a stream. */
export interface Tail {
  /** Revision of the first of them; earlier events are in the table. */
  readonly first: number;
  readonly positions: readonly number[];
}

export interface StreamIndex {
  /** Last revision of the stream; undefined when it has no event. */
  last(stream: string): number | undefined;
  /** Events that may not be in the table yet. */
  tail(stream: string): Tail | undefined;
  /** After the commit of the event, in order. */
  add(entry: IndexEntry): void;
  /** Number of entries that the table lacks. */
  unwritten(): number;
  /** These entries in the order of the table. */
  entries(): readonly IndexEntry[];
  /** In a transaction. @throws Error when an event at this revision is known at another position */
  write(entries: readonly IndexEntry[]): void;
  /** In a transaction: all entries up to there are in the table. */
  saveWritten(position: number): void;
  /** When that is committed. */
  forget(position: number): void;
}

export function createStreamIndex(db: Db): StreamIndex {
  const newest = db
    .prepare<unknown[], number>(
      'SELECT revision FROM event_streams WHERE stream = ? ORDER BY revision DESC LIMIT 1',
    )
    .pluck();
  const insert = db.prepare(
    'INSERT INTO event_streams (stream, revision, position) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const known = db
    .prepare<unknown[], number>('SELECT position FROM event_streams WHERE stream = ? AND revision = ?')
    .pluck();
  const save = db.prepare(
    `INSERT INTO checkpoints (projection, position) VALUES ('${STREAM_INDEX}', ?)
     ON CONFLICT (projection) DO UPDATE SET position = excluded.position`,
  );
  const tails = new Map<string, { first: number; positions: number[] }>();
  let count = 0;

  function add({ stream, revision, position }: IndexEntry): void {
    const tail = tails.get(stream);
    if (tail) tail.positions.push(position);
    else tails.set(stream, { first: revision, positions: [position] });
    count += 1;
  }

  const lacking = db.prepare<unknown[], IndexEntry>(
    'SELECT position, stream, revision FROM events WHERE position > ? ORDER BY position',
  );
  for (const entry of lacking.iterate(writtenUpTo(db))) add(entry);

  return {
    last(stream) {
      const tail = tails.get(stream);
      return tail ? tail.first + tail.positions.length - 1 : newest.get(stream);
    },
    tail: (stream) => tails.get(stream),
    add,
    unwritten: () => count,
    entries() {
      // By code units, which is SQLite's order for the names that streams have; another order would only cost pages.
      const streams = [...tails].sort(([a], [b]) => (a < b ? -1 : 1));
      return streams.flatMap(([stream, { first, positions }]) =>
        positions.map((position, at) => ({ stream, revision: first + at, position })),
      );
    },
    write(entries) {
      for (const { stream, revision, position } of entries) {
        if (insert.run(stream, revision, position).changes === 1) continue;
        // Written before a crash, or by a flush that failed later on.
        const at = known.get(stream, revision);
        if (at !== position) {
          throw new Error(
            `events ${at} and ${position} have the same revision ${revision} of stream ${stream}`,
          );
        }
      }
    },
    saveWritten: (position) => void save.run(positionOf(position)),
    forget(position) {
      for (const [stream, { first, positions }] of tails) {
        const kept = positions.filter((one) => one > position);
        count -= positions.length - kept.length;
        if (kept.length === 0) tails.delete(stream);
        else tails.set(stream, { first: first + positions.length - kept.length, positions: kept });
      }
    },
  };
}

/** Number of the event up to which the table has all entries. */
export function writtenUpTo(db: Db): number {
  const position = db
    .prepare<unknown[], Position>('SELECT position FROM checkpoints WHERE projection = ?')
    .pluck()
    .get(STREAM_INDEX);
  return position === undefined ? 0 : numberOf(position);
}

const CONSTRAINT = /,\s*UNIQUE \(stream, revision\)\s*\)$/;

/**
 * In the transaction of the migration, once: until schema 6 the index was a constraint of `events`. SQLite can't drop
 * one, and writing a large history anew would take minutes and twice the disk. But the pages of an index and those of a
 * table WITHOUT ROWID with its columns are the same (sqlite.org/fileformat2.html, sections 2.4 and 2.5). So the index
 * becomes that table: only two rows of the schema change.
 *
 * @throws Error when the outcome is not what was meant; the file stays as it was then
 */
export function makeIndexATable(db: Db, table: string): void {
  const schemaRow = db.prepare<unknown[], { sql: string | null }>(
    'SELECT sql FROM sqlite_schema WHERE name = ?',
  );
  const events = schemaRow.get('events')?.sql;
  if (schemaRow.get(AUTOMATIC) === undefined) return;
  if (events === undefined || events === null || !CONSTRAINT.test(events)) {
    throw new Error(`the table of events is not as any release made it: ${events ?? 'it is missing'}`);
  }
  // SQLite refuses to edit its schema without these two settings.
  db.unsafeMode(true);
  try {
    db.pragma('writable_schema = ON');
    const edit = db.prepare(
      'UPDATE sqlite_schema SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE name = ?',
    );
    edit.run('table', 'events', 'events', events.replace(CONSTRAINT, '\n)'), 'events');
    edit.run('table', STREAM_INDEX, STREAM_INDEX, table, AUTOMATIC);
    // Other connections read their schema again; RESET does so for this one.
    db.pragma(`schema_version = ${Number(db.pragma('schema_version', { simple: true })) + 1}`);
    db.pragma('writable_schema = RESET');
  } finally {
    db.unsafeMode(false);
  }
  const problem = db.pragma(`quick_check(${STREAM_INDEX})`, { simple: true });
  if (problem !== 'ok') throw new Error(`the index of streams could not become a table: ${String(problem)}`);
  db.prepare('INSERT OR REPLACE INTO checkpoints (projection, position) VALUES (?, ?)').run(
    STREAM_INDEX,
    positionOf(db.prepare<unknown[], number | null>('SELECT max(position) FROM events').pluck().get() ?? 0),
  );
}

const AUTOMATIC = 'sqlite_autoindex_events_1';
