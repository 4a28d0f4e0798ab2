/** What can be told of a database file without opening the store: for restores and checks beside a running server. */
import Database from 'better-sqlite3';

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
    const table = `rm_${collection.name}_v${collection.version}`;
    const known = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
    if (known === undefined) return undefined;
    const doc = db.prepare(`SELECT doc FROM ${table} WHERE id = ? AND doc IS NOT NULL`).pluck().get(id);
    return doc === undefined ? undefined : (JSON.parse(doc as string) as T);
  } finally {
    db.close();
  }
}
