/**
 * Writes the rows of a collection. An UPDATE touches each index that has one of its columns, also where the value stays:
 * the entry is deleted and inserted again, and its page is written. So only columns that change are set.
 */
import type { ScannedDocument } from '../../ports/read-models.js';
import { column } from './collection-table.js';
import type { Db, Statement } from './driver.js';
import { unpack, type Stored } from './packing.js';
import { NOTED_AT } from './removed-documents.js';

/** A row as it is written, with the values of the indexed fields. */
export interface DocumentRow {
  readonly id: string;
  readonly version: string;
  readonly doc: Stored | null;
  readonly values: readonly (string | number | null)[];
}

/** A row as it is read: `SELECT id, version, doc`. */
export interface StoredRow {
  readonly id: string;
  readonly version: string;
  readonly doc: Stored;
}

export const scanned = ({ id, version, doc }: StoredRow): ScannedDocument => ({
  id,
  version,
  text: unpack(doc),
});

/**
 * Returns a function that writes a row in a transaction; false when the stored row is of the same version or a newer
 * one, which stays.
 */
export function createRowWriter(
  db: Db,
  table: string,
  fields: readonly string[],
  forgets: boolean,
): (row: DocumentRow) => boolean {
  const columns = fields.map(column);
  const names = ['id', 'version', 'doc', ...columns];
  const insert = db.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const stored = db
    .prepare<unknown[], readonly [place: number, version: string, ...values: (string | number | null)[]]>(
      `SELECT ${['rowid', 'version', ...columns].join(', ')} FROM ${table} WHERE id = ?`,
    )
    .raw();
  const updates = new Map<string, Statement>();

  function updateOf(changed: readonly string[]): Statement {
    const set = ['version', 'doc', ...changed].map((name) => `${name} = ?`);
    if (forgets) set.push(`${NOTED_AT} = NULL`);
    const sql = `UPDATE ${table} SET ${set.join(', ')} WHERE rowid = ?`;
    let update = updates.get(sql);
    if (!update) updates.set(sql, (update = db.prepare(sql)));
    return update;
  }

  return ({ id, version, doc, values: after }) => {
    const before = stored.get(id);
    if (!before) {
      insert.run(id, version, doc, ...after);
      return true;
    }
    const [place, newest, ...values] = before;
    if (version <= newest) return false;
    const changed = columns.filter((_, at) => after[at] !== values[at]);
    updateOf(changed).run(version, doc, ...after.filter((value, at) => value !== values[at]), place);
    return true;
  };
}
