/** Rows that failed, unchanged, each with its error before it: to be corrected and imported separately. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import type { CsvRecord } from '../csv-file.js';

export interface ErrorsFile {
  readonly name: string;
  add(rows: readonly CsvRecord[], problem: { readonly code: string; readonly message: string }): void;
}

/** @param keep true for a resumed import, which appends to the existing file */
export function errorsFile(
  file: string,
  header: readonly string[],
  delimiter: string,
  keep: boolean,
): ErrorsFile {
  const name = `${file}.errors.csv`;
  const lines = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], { delimiter });
  if (!keep) rmSync(name, { force: true });
  return {
    name,
    add(rows, { code, message }) {
      if (!existsSync(name)) {
        writeFileSync(name, lines([['error_line', 'error_code', 'error_message', ...header]]));
      }
      appendFileSync(name, lines(rows.map(({ line, cells }) => [line, code, message, ...cells])));
    },
  };
}
