/**
 * Verifies a whole database file: SQLite's own check, then the history event by event. It takes seconds for each
 * million events and blocks the thread. Only for processes and threads in which nothing else waits.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { messageOf } from '../../ports/thrown.js';
import { Database, type Db } from './driver.js';
import { checksumOf, EVENT_COLUMNS, headOf, type EventRow } from './records.js';
import { STREAM_INDEX, writtenUpTo } from './stream-index.js';

export interface FileFacts {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly schemaVersion: number;
  /** Number of the newest event. */
  readonly head: number;
  /** Id of the first event, which identifies the history. Null while there are no events. */
  readonly origin: string | null;
  /** Row counts of the history and of the tables that can't be derived from it. */
  readonly counts: Readonly<Record<CountedTable, number>>;
}

const COUNTED = ['events', 'personal_keys', 'due_entries', 'topic_messages'] as const;
type CountedTable = (typeof COUNTED)[number];

/** The message is a sentence that says what is wrong with the file. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
}

/**
 * For a file that nobody writes to and that is not in WAL mode (backups are not).
 * @throws FileDamaged; the file system's errors
 */
export function inspectFile(path: string): FileFacts {
  const sha256 = sha256Of(path);
  const { size: bytes } = statSync(path);
  const db = openReadOnly(path);
  try {
    const problem = (db.pragma('integrity_check(1)') as { integrity_check: string }[])[0]?.integrity_check;
    if (problem !== 'ok')
      throw new FileDamaged(`${path} is damaged: ${problem ?? 'SQLite can not read it'}.`);
    const schemaVersion = Number(db.pragma('user_version', { simple: true }));
    const tables = new Set(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
    const absent = COUNTED.filter((table) => !tables.has(table));
    if (absent.length > 0) {
      throw new FileDamaged(`${path} is no Recado database: it has no table ${absent.join(', ')}.`);
    }
    const rows = (table: CountedTable): number =>
      db.prepare<unknown[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    const counts = {
      events: rows('events'),
      personal_keys: rows('personal_keys'),
      due_entries: rows('due_entries'),
      topic_messages: rows('topic_messages'),
    };
    const head = headOf(db);
    const broken = historyProblem(db, path);
    if (broken !== null) throw new FileDamaged(broken);
    const first = db.prepare<unknown[], string>('SELECT event_id FROM events WHERE position = 1').pluck();
    const origin = first.get() ?? null;
    return { bytes, sha256, schemaVersion, head, origin, counts };
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw new FileDamaged(`${path} is no database of Recado, or its beginning is damaged.`, {
        cause: error,
      });
    }
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|IOERR)/.test(error.code)) {
      throw new FileDamaged(`${path} is damaged: ${error.message}.`, { cause: error });
    }
    throw error;
  } finally {
    db.close();
  }
}

function openReadOnly(path: string): Db {
  try {
    return new Database(path, { readonly: true, fileMustExist: true });
  } catch (error) {
    throw new FileDamaged(`${path} can not be opened: ${messageOf(error)}.`, { cause: error });
  }
}

/**
 * Checks that positions have no gaps and that every event matches its checksum, which covers all of it. Run it in a
 * transaction when others write to the file.
 * @param file its name in messages
 * @returns a sentence about the first problem found; null when there is no problem
 */
export function historyProblem(db: Db, file: string): string | null {
  const head = headOf(db);
  let expected = 0;
  const rows = db.prepare<unknown[], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events ORDER BY position`);
  for (const row of rows.iterate()) {
    const { position, stream, revision, event_id, type, company, meta, data, checksum } = row;
    expected += 1;
    if (position !== expected) return `${file} lacks the event at position ${expected}.`;
    if (checksumOf(stream, revision, event_id, type, company, meta, data) !== checksum) {
      return `${file}: the event at position ${position} does not match its checksum.`;
    }
  }
  if (expected !== head) return `${file} ends at position ${expected} and should end at ${head}.`;
  return indexProblem(db, file);
}

/** The index of streams, which files before schema 7 have as a constraint that SQLite checks. */
function indexProblem(db: Db, file: string): string | null {
  const there = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(STREAM_INDEX);
  if (there === undefined) return null;
  const wrong = db
    .prepare<unknown[], { stream: string; revision: number }>(
      `SELECT entry.stream, entry.revision FROM event_streams AS entry
       LEFT JOIN events ON events.position = entry.position
       WHERE events.stream IS NOT entry.stream OR events.revision IS NOT entry.revision LIMIT 1`,
    )
    .get();
  if (wrong) return `${file}: the index of streams is wrong at ${wrong.stream}, revision ${wrong.revision}.`;
  const upTo = writtenUpTo(db);
  const entries = db.prepare('SELECT count(*) FROM event_streams WHERE position <= ?').pluck().get(upTo);
  return entries === upTo ? null : `${file}: the index of streams lacks events before position ${upTo}.`;
}

const CHUNK = 1024 * 1024;

/** Lower-case hex. */
export function sha256Of(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK, null);
      if (read === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}
