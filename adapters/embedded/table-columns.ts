import type { Db } from './driver.js';

export interface TableColumn {
  readonly name: string;
  /** Its place in the primary key, from 1; 0 outside of it. */
  readonly pk: number;
}

/** The columns that a table has in the file; none where there is no such table. */
export const columnsOf = (db: Db, table: string): readonly TableColumn[] =>
  db.prepare<unknown[], TableColumn>('SELECT name, pk FROM pragma_table_info(?)').all(table);
