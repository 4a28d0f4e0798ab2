/** CSV as in RFC 4180, UTF-8: timestamps in ISO 8601, objects and arrays as JSON, null as an empty cell. */
import { open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import type { TableFile } from './table-file.js';
import type { Table } from './tables.js';

/** Matches texts that a spreadsheet would read as a formula: texts come from strangers (see contacts export). */
const FORMULA = /^[=+\-@\t\r]/;

export async function openCsv(path: string, { columns }: Table): Promise<TableFile> {
  const file = await open(path, 'w', 0o600);
  await file.appendFile(stringify([columns.map(({ name }) => name)]));
  return {
    async write(rows) {
      const cells = rows.map((row) =>
        row.map((value, index) => cell(columns[index]!.kind === 'json', value)),
      );
      await file.appendFile(stringify(cells));
    },
    async close() {
      await file.sync();
      await file.close();
    },
    abandon: () => file.close(),
  };
}

function cell(json: boolean, value: unknown): string {
  if (value === null) return '';
  if (json || typeof value !== 'string') return JSON.stringify(value);
  return FORMULA.test(value) ? `'${value}` : value;
}
