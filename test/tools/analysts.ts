/**
 * The worked example of docs/analysts.md: runs each query of docs/analysts/*.sql on a Parquet export and plots the
 * result.
 *
 *   npx tsx test/tools/analysts.ts EXPORT OUT
 *
 * writes OUT/<question>.svg and prints the rows. The plots in docs/analysts show the month that
 * test/support/shop-month.ts generates; test/cli/events-analysts.int.ts draws them again, and with
 * RECADO_WRITE_PLOTS=on writes them there.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { projectFile } from '../support/root.js';

export const QUESTIONS = projectFile('docs/analysts/');
/** Queries of the page that are not plotted. */
export const MORE = projectFile('docs/analysts/more/');

export type Row = Readonly<Record<string, string | number>>;

export interface Answered {
  /** Name of the query file and the plot, without extension. */
  readonly question: string;
  readonly rows: readonly Row[];
  readonly svg: string;
}

/** @param folder of `recado events export --format parquet` */
export async function answerAll(folder: string): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const { question, rows } of await rowsOfAll(folder, QUESTIONS))
    answers.push({ question, rows, svg: await plot(question, rows) });
  return answers;
}

/** Runs each query of a folder, in the order of their names. */
export async function rowsOfAll(folder: string, queries: string): Promise<readonly Omit<Answered, 'svg'>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`SET file_search_path = '${resolve(folder).replaceAll("'", "''")}'`);
    const answers: Omit<Answered, 'svg'>[] = [];
    for (const file of readdirSync(queries)
      .filter((name) => name.endsWith('.sql'))
      .sort()) {
      const question = file.slice(0, -'.sql'.length);
      const result = await connection.runAndReadAll(readFileSync(join(queries, file), 'utf8'));
      answers.push({ question, rows: result.getRowObjectsJson() as readonly Row[] });
    }
    return answers;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function plot(question: string, rows: readonly Row[]): Promise<string> {
  const spec = JSON.parse(readFileSync(join(QUESTIONS, `${question}.vl.json`), 'utf8')) as TopLevelSpec;
  const { spec: vega } = compile({ ...spec, data: { values: rows.map((row) => ({ ...row })) } });
  const view = new View(parse(vega), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, out] = process.argv.slice(2);
  if (folder === undefined || out === undefined) throw new Error('usage: analysts.ts EXPORT OUT');
  mkdirSync(out, { recursive: true });
  for (const { question, rows, svg } of await answerAll(folder)) {
    writeFileSync(join(out, `${question}.svg`), svg);
    console.log(`\n${question}`);
    console.table(rows);
  }
}
