/** Copies of collections in the file, of any release. Only the names are known for those of other releases. */
import type { CollectionVersion, ScannedDocument } from '../../ports/read-models.js';
import { yieldToEventLoop } from '../../ports/waiting.js';
import { collectionKey, copyOf, tableOf, tablesOf } from './collection-table.js';
import type { Db, Statement } from './database.js';
import { scanned, type StoredRow } from './document-rows.js';
import { columnsOf } from './table-columns.js';

export interface StoredCopy extends CollectionVersion {
  readonly generation: number;
}

export function storedCopies(db: Db): readonly StoredCopy[] {
  const rows = db.prepare<unknown[], CollectionVersion>(
    'SELECT name, version FROM collections ORDER BY name, version',
  );
  return rows.all().map(({ name, version }) => ({ version, generation: 1, ...copyOf(name) }));
}

/**
 * For each ordinary table of the copy, a statement that deletes some of its rows. So no large table is dropped in one
 * piece while other work waits. A virtual table keeps its rows in tables of its own and is dropped as a whole.
 */
export const emptying = (db: Db, copy: StoredCopy, rows: number): readonly Statement[] =>
  tablesOf(db, copy)
    .filter(({ type }) => type === 'table')
    .map(({ name }) => {
      const keys = keysOf(db, name);
      return db.prepare(`DELETE FROM ${name} WHERE (${keys}) IN (SELECT ${keys} FROM ${name} LIMIT ${rows})`);
    });

const PAGE = 200;

/**
 * Removes documents from a copy of another release. Its search index is dropped as a whole: its format is not known
 * here, and the release that it belongs to rebuilds it.
 */
export async function removeSome(
  db: Db,
  copy: StoredCopy,
  goes: (document: ScannedDocument) => boolean,
  inTransaction: (work: () => void) => Promise<void>,
): Promise<number> {
  const table = tableOf(copy);
  if (tablesOf(db, copy).length === 0) return 0;
  const page = db.prepare<unknown[], StoredRow>(
    `SELECT id, version, doc FROM ${table} WHERE id > ? AND doc IS NOT NULL ORDER BY id LIMIT ${PAGE}`,
  );
  const columns = columnsOf(db, table)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('f_'));
  const empty = ['doc', ...columns.map((name) => `"${name}"`)].map((name) => `${name} = NULL`);
  const remove = db.prepare(
    `UPDATE ${table} SET version = version || '~', ${empty.join(', ')} WHERE id = ? AND doc IS NOT NULL`,
  );
  let removed = 0;
  for (let after = ''; ;) {
    const documents = page.all(after).map(scanned);
    const gone = documents.filter(goes);
    if (gone.length > 0) {
      await inTransaction(() => {
        for (const { id } of gone) remove.run(id);
        if (removed === 0) dropSearch(db, copy);
      });
    }
    removed += gone.length;
    const last = documents.at(-1);
    if (!last || documents.length < PAGE) return removed;
    after = last.id;
    await yieldToEventLoop();
  }
}

function dropSearch(db: Db, copy: StoredCopy): void {
  for (const { name, type } of tablesOf(db, copy)) {
    if (name !== tableOf(copy) && type !== 'shadow') db.exec(`DROP TABLE IF EXISTS ${name}`);
  }
  db.prepare("UPDATE collections SET search = '' WHERE name = ? AND version = ?").run(
    collectionKey(copy),
    copy.version,
  );
}

/** The columns of the primary key, or the rowid. */
function keysOf(db: Db, table: string): string {
  const keys = columnsOf(db, table)
    .filter(({ pk }) => pk > 0)
    .map(({ name }) => `"${name}"`);
  return keys.length === 0 ? 'rowid' : keys.join(', ');
}
