/**
 * The SQLite connection: one per process. Reads use it too. What one event-loop tick begins to write is durable at its
 * end, or gone, so a reader only sees durable data, and the page cache is shared.
 */
import { dirname } from 'node:path';
import { Database, type Db, type Statement } from './driver.js';
import { RedoDamaged } from './redo-file.js';
import { restoreInstead } from './restore-advice.js';
import { MIGRATIONS, REDO_SINCE, SCHEMA, SCHEMA_VERSION } from './schema.js';
import { applyRedoLog } from './redo-life.js';
import { noteVacuumed } from './vacuum.js';

export type { Db, Statement };

export const BUSY_TIMEOUT_MS = 5_000;

/** The file can't be used as it is. The message is a sentence for the operator. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/** Schema version of the file before and after it was opened; `from` is 0 for a new file. */
export interface SchemaChange {
  readonly from: number;
  readonly to: number;
}

/**
 * Pages that SQLite has in memory; the operating system has the others. With 64 MiB the process takes 46 MiB more, and
 * SQLite's log is no shorter (docs/adr/0075-memory-for-what-is-read-again.md).
 */
const CACHE_KIB = 16_384;

/** Before 3.51.3 a WAL reset could corrupt the file (sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/**
 * Opens (or creates) the database and verifies its guarantees: write-ahead log, a sync at every commit, deleted content
 * overwritten, a SQLite without the WAL-reset bug.
 *
 * @throws DatabaseRefused when one of these can't be had, or the file was written by a newer release
 */
export function openDatabase(path: string, onSchema?: (change: SchemaChange) => void): Db {
  const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    assertVersion(db.prepare<unknown[], string>('SELECT sqlite_version()').pluck().get() ?? '');
    // These two take effect only on a new file; on an existing one they change nothing.
    db.pragma('page_size = 4096');
    db.pragma('auto_vacuum = NONE');
    db.pragma('journal_mode = WAL');
    // better-sqlite3 is compiled to fall back to NORMAL in WAL mode, and the setting is per connection: without this
    // line a power cut loses accepted messages.
    db.pragma('synchronous = FULL');
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.pragma('foreign_keys = ON');
    // SQLite overwrites deleted content: an erased person must not be readable in the file (see slack.ts for the rest).
    db.pragma('secure_delete = ON');
    db.pragma('temp_store = MEMORY');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    // A thread copies the log long before (log-copier.ts). This setting is for the case that it can't: the commit copies
    // then, while requests wait.
    db.pragma('wal_autocheckpoint = 24576');
    db.pragma('journal_size_limit = 67108864');
    assertSettings(db, path);
    const change = migrate(db, path);
    onSchema?.(change);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function assertVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new DatabaseRefused(
        `SQLite ${version} is too old: before ${OLDEST_SQLITE.join('.')} it can corrupt its write-ahead log. ` +
          'Install the better-sqlite3 version that package-lock.json names.',
      );
    }
  }
}

function assertSettings(db: Db, path: string): void {
  const mode = db.pragma('journal_mode', { simple: true });
  if (mode !== 'wal') {
    throw new DatabaseRefused(
      `${path}: SQLite runs in journal mode "${String(mode)}" instead of "wal". ` +
        'Put the data folder on a local file system (write-ahead logs do not work on network drives).',
    );
  }
  const synchronous = db.pragma('synchronous', { simple: true });
  if (synchronous !== 2) {
    throw new DatabaseRefused(
      `${path}: SQLite runs with synchronous=${String(synchronous)} instead of 2 (FULL), which would lose accepted ` +
        'messages in a power cut.',
    );
  }
  const secureDelete = db.pragma('secure_delete', { simple: true });
  if (secureDelete !== 1) {
    throw new DatabaseRefused(
      `${path}: SQLite runs with secure_delete=${String(secureDelete)} instead of 1 (ON), which would leave erased ` +
        'persons readable in the file.',
    );
  }
}

function migrate(db: Db, path: string): SchemaChange {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > SCHEMA_VERSION) {
    throw new DatabaseRefused(
      `${path} was written by a newer release (schema ${found}, this one knows ${SCHEMA_VERSION}). ` +
        'Start the newer release, or restore a backup made by this one.',
    );
  }
  if (found >= REDO_SINCE) redo(db, path);
  db.transaction(() => {
    // 0 is a new file.
    for (let version = found + 1; found > 0 && version <= SCHEMA_VERSION; version += 1) {
      const migration = MIGRATIONS[version];
      if (typeof migration === 'function') migration(db);
      else if (migration !== undefined) db.exec(migration);
    }
    db.exec(SCHEMA);
    if (found === 0) noteVacuumed(db);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }).immediate();
  return { from: found, to: SCHEMA_VERSION };
}

/** Before a migration: what it applies was written to a file of the version before. */
function redo(db: Db, path: string): void {
  try {
    applyRedoLog(db, path);
  } catch (error) {
    if (!(error instanceof RedoDamaged)) throw error;
    throw new DatabaseRefused(`${error.message} Keep the folder as it is. ${restoreInstead(dirname(path))}`, {
      cause: error,
    });
  }
}
