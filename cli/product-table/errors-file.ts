/** Rows that failed, as they were, with what was wrong before them: to be corrected and imported by themselves. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import type { CsvRecord } from '../csv-file.js';

export interface ErrorsFile {
  readonly name: string;
  add(rows: readonly CsvRecord[], problem: { readonly code: string; readonly message: string }): void;
}

/** @param keep an import that goes on adds to the file of before */
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
