/**
 * Overwrites traces of deleted rows in a database file.
 *
 * `secure_delete` overwrites the cells that SQLite frees. But when SQLite splits a page it moves cells to a
 * neighbouring page. Their bytes stay in the unallocated part of the old one, between the array of cell pointers and
 * the first cell (sqlite.org/fileformat2.html#b_tree_pages). A row that is deleted later is overwritten where it is,
 * not where it was. SQLite never reads these bytes, and only a VACUUM would overwrite them. So this module does it, in
 * the file itself.
 *
 * The file must not change meanwhile. So a read transaction is open that began while the write-ahead log was empty: it
 * holds read mark 0. Until it ends, no process can copy pages from the log into the file (sqlite.org/walformat.html).
 * Writers continue, into the log.
 *
 * It runs in a process of its own: closing a file that SQLite has open as well would release the locks of the whole
 * process (sqlite.org/howtocorrupt.html).
 */
import { closeSync, fsyncSync, openSync, readSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeAt } from './disk.js';
import { Database, type Db } from './driver.js';
import { answerTask, runTask } from './task-process.js';

const TASK = 'clear-slack';
/** Attempts: a commit may come between emptying the log and the read transaction. */
const TRIES = 500;

/**
 * Overwrites the leftovers. Returns the numbers of the pages that had some; null when the log could not be emptied,
 * because a process reads from it or commits without a pause.
 */
export const clearSlack = (path: string): Promise<readonly number[] | null> =>
  runTask(fileURLToPath(import.meta.url), TASK, path);

function clear(path: string): readonly number[] | null {
  const db = new Database(path, { fileMustExist: true, timeout: 0 });
  // Opened before SQLite takes its locks, and closed after it has released them.
  const file = openSync(path, 'r+');
  try {
    if (!freeze(db, path)) return null;
    return overwrite(db, file);
  } finally {
    db.close();
    closeSync(file);
  }
}

function freeze(db: Db, path: string): boolean {
  const read = db.prepare('SELECT count(*) FROM sqlite_schema');
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      db.pragma('wal_checkpoint(PASSIVE)');
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.exec('BEGIN');
      read.get();
      // A log that is empty now was empty when the transaction began: no process can truncate it during a read.
      if (statSync(`${path}-wal`).size === 0) return true;
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    }
    if (db.inTransaction) db.exec('ROLLBACK');
  }
  return false;
}

function overwrite(db: Db, file: number): readonly number[] {
  const size = db.pragma('page_size', { simple: true }) as number;
  const page = Buffer.alloc(size);
  const zeros = Buffer.alloc(size);
  const cleared: number[] = [];
  // `dbstat` lists the B-tree pages; pages of other kinds have another layout.
  const pages = db
    .prepare("SELECT pageno FROM dbstat WHERE pagetype IN ('leaf', 'internal') ORDER BY pageno")
    .pluck()
    .all() as number[];
  for (const number of pages) {
    const at = (number - 1) * size;
    if (readSync(file, page, 0, size, at) !== size) throw new Error(`page ${number} could not be read whole`);
    const { from, to } = unallocated(page, number);
    if (from >= to || page.compare(zeros, 0, to - from, from, to) === 0) continue;
    writeAt(file, zeros.subarray(0, to - from), at + from);
    cleared.push(number);
  }
  if (cleared.length > 0) fsyncSync(file);
  return cleared;
}

const INTERIOR: ReadonlySet<number> = new Set([2, 5]);
const LEAF: ReadonlySet<number> = new Set([10, 13]);

/** @throws Error when it is not a B-tree page: nothing is written then */
function unallocated(page: Buffer, number: number): { readonly from: number; readonly to: number } {
  const header = number === 1 ? 100 : 0;
  const kind = page[header]!;
  if (!INTERIOR.has(kind) && !LEAF.has(kind)) throw new Error(`page ${number} is of kind ${kind}`);
  const cells = page.readUInt16BE(header + 3);
  const from = header + (INTERIOR.has(kind) ? 12 : 8) + 2 * cells;
  const to = page.readUInt16BE(header + 5) || 65_536;
  if (from > to || to > page.length) throw new Error(`page ${number} is damaged`);
  return { from, to };
}

answerTask(TASK, clear);
