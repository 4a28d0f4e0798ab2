/** What can be told of a database file without opening the store: for restores and checks beside a running server. */
import { messageOf } from '../../ports/thrown.js';
import { Database, type Db } from './driver.js';
import { copyOf, tableOf, tablesOf } from './collection-table.js';
import { historyProblem } from './inspect.js';
import { SCHEMA_VERSION } from './schema.js';
import { storedCopies } from './stored-versions.js';
import { needsVacuum } from './vacuum.js';

/**
 * One document of a read model; undefined where there is none, or no such collection.
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
    const docs = db.prepare<unknown[], string>(`SELECT doc FROM ${table} WHERE id = ? AND doc IS NOT NULL`);
    const doc = docs.pluck().get(id);
    return doc === undefined ? undefined : (JSON.parse(doc) as T);
  } finally {
    db.close();
  }
}

export interface CheckedFile {
  readonly journalMode: string;
  readonly schema: number;
  readonly supportedSchema: number;
  /** What SQLite finds wrong with it; null when nothing. */
  readonly problem: string | null;
  /** A sentence about what is wrong with the history; null when nothing is, or it was not read. */
  readonly historyProblem: string | null;
  /** Read models that hold documents whose JSON is damaged; none where they were not read. */
  readonly damagedModels: readonly string[];
  /** Names of indexes that a collection declares and the file has not. */
  readonly missingIndexes: readonly string[];
  /** 0 to 1: pages in which nothing is stored. */
  readonly unusedShare: number;
  /** False where earlier releases deleted without overwriting, and the file was not vacuumed since. */
  readonly vacuumed: boolean;
}

/** Reads only, also beside a running server. @param deep every page; else only what has to be read to answer */
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
      // As of one moment, whatever a server appends meanwhile.
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
    const first = `SELECT 1 FROM ${tableOf(copy)} WHERE doc IS NOT NULL AND NOT json_valid(doc) LIMIT 1`;
    return db.prepare(first).get() !== undefined;
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
    // Of a read model of an earlier release, whose table is gone.
    if (!there.has(table)) return [];
    return Object.keys(JSON.parse(indexes) as object)
      .map((index) => `${table}__${index}`)
      .filter((index) => !there.has(index));
  });
}
