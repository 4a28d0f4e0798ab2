/** Reads of a database file without opening the store: for restores and for checks beside a running server. */
import { readableOrNull } from '../../ports/read-models.js';
import { messageOf } from '../../ports/thrown.js';
import { Database, type Db } from './driver.js';
import { copyOf, tableOf, tablesOf } from './collection-table.js';
import { historyProblem } from './inspect.js';
import { unpack, type Stored } from './packing.js';
import { SCHEMA_VERSION } from './schema.js';
import { storedCopies } from './stored-versions.js';
import { needsVacuum } from './vacuum.js';

/**
 * One document of a read model; undefined when the document or the collection does not exist.
 * @throws when the file can't be read
 */
export function peekDocument<T>(
  path: string,
  collection: { readonly name: string; readonly version: number },
  id: string,
): T | undefined {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const table = tableOf(collection);
    const known = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
    if (known === undefined) return undefined;
    const docs = db.prepare<unknown[], Stored>(`SELECT doc FROM ${table} WHERE id = ? AND doc IS NOT NULL`);
    const doc = docs.pluck().get(id);
    return doc === undefined ? undefined : (JSON.parse(unpack(doc)) as T);
  } finally {
    db.close();
  }
}

export interface CheckedFile {
  readonly journalMode: string;
  readonly schema: number;
  readonly supportedSchema: number;
  /** The problem that SQLite found; null when it found none. */
  readonly problem: string | null;
  /** A sentence about the problem in the history; null when it is intact or was not read. */
  readonly historyProblem: string | null;
  /** Read models that hold documents with damaged JSON; empty when they were not read. */
  readonly damagedModels: readonly string[];
  /** Names of indexes that a collection declares and the file lacks. */
  readonly missingIndexes: readonly string[];
  /** 0 to 1: share of pages in which nothing is stored. */
  readonly unusedShare: number;
  /** False when earlier releases deleted without overwriting and the file was not vacuumed since. */
  readonly vacuumed: boolean;
}

/** Only reads, so it may run beside a server. @param deep reads every page; else only the pages the answer needs */
export function checkFile(path: string, deep: boolean): CheckedFile {
  let db: Db | undefined;
  const nothing = {
    supportedSchema: SCHEMA_VERSION,
    historyProblem: null,
    damagedModels: [],
    missingIndexes: [],
    unusedShare: 0,
    vacuumed: true,
  };
  try {
    const file = (db = new Database(path, { readonly: true, fileMustExist: true }));
    const value = (pragma: string): unknown => file.pragma(pragma, { simple: true });
    const journalMode = String(value('journal_mode'));
    const schema = Number(value('user_version'));
    const said = deep ? String(value('quick_check(1)')) : 'ok';
    const pages = Number(value('page_count'));
    return {
      journalMode,
      schema,
      supportedSchema: SCHEMA_VERSION,
      problem: said === 'ok' ? null : said,
      // A transaction gives a snapshot, even if a server appends meanwhile.
      historyProblem: deep && said === 'ok' ? db.transaction(historyProblem)(db, 'recado.db') : null,
      damagedModels: deep && said === 'ok' ? damagedModels(db) : [],
      missingIndexes: missingIndexes(db),
      unusedShare: pages === 0 ? 0 : Number(value('freelist_count')) / pages,
      vacuumed: !needsVacuum(db),
    };
  } catch (error) {
    return { ...nothing, journalMode: '', schema: 0, problem: messageOf(error) };
  } finally {
    db?.close();
  }
}

function damagedModels(db: Db): readonly string[] {
  const damaged = storedCopies(db).filter((copy) => {
    if (tablesOf(db, copy).length === 0) return false;
    const from = `FROM ${tableOf(copy)} WHERE`;
    const text = `SELECT 1 ${from} typeof(doc) = 'text' AND NOT json_valid(doc) LIMIT 1`;
    if (db.prepare(text).get() !== undefined) return true;
    const packed = db.prepare<unknown[], Stored>(`SELECT doc ${from} typeof(doc) = 'blob'`).pluck();
    for (const doc of packed.iterate()) if (readableOrNull(unpack(doc)) === null) return true;
    return false;
  });
  return [...new Set(damaged.map(({ name }) => name))];
}

function missingIndexes(db: Db): readonly string[] {
  const there = new Set(
    db.prepare("SELECT name FROM sqlite_master WHERE type IN ('index', 'table')").pluck().all(),
  );
  const collections = db.prepare<unknown[], { name: string; version: number; indexes: string }>(
    'SELECT name, version, indexes FROM collections',
  );
  return collections.all().flatMap(({ name, version, indexes }) => {
    const table = tableOf({ ...copyOf(name), version });
    // The table of a read model of an earlier release is gone.
    if (!there.has(table)) return [];
    return Object.keys(JSON.parse(indexes) as object)
      .map((index) => `${table}__${index}`)
      .filter((index) => !there.has(index));
  });
}
