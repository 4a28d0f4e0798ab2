/** Contacts as a CSV table: the same columns out and in, so that an export can be edited and imported again. */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { part } from './answer.js';
import type { Resource } from './client.js';
import { csvFormat } from './csv-file.js';
import { usage } from './failure.js';

const COLUMNS = ['external_id', 'phone', 'name', 'email', 'tags'] as const;
/** `custom.<key>`: one column for each custom field. */
const CUSTOM = 'custom.';
/** Between tags in one cell. */
const TAGS = '|';

export interface TableRow {
  readonly line: number;
  readonly [field: string]: unknown;
}

/**
 * Streams the rows of a file of any length. Empty cells are left out: they change nothing.
 *
 * @param countryCode digits put before phones that are written without a country, or undefined
 * @throws Failure when the file can't be read or its header names no known column
 */
export async function* readTable(file: string, countryCode: string | undefined): AsyncGenerator<TableRow> {
  const { delimiter } = await csvFormat(file);
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    columns: (header: string[]) => checkHeader(file, header),
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    const rows: AsyncIterable<{
      readonly record: Readonly<Record<string, string>>;
      readonly info: { readonly lines: number };
    }> = parser;
    for await (const item of rows) {
      yield toRow(item.record, item.info.lines, countryCode);
    }
  } catch (error) {
    if (error instanceof Error && !('exitCode' in error))
      throw usage(`${file} can't be read: ${error.message}`);
    throw error;
  } finally {
    source.destroy();
  }
}

function checkHeader(file: string, header: readonly string[]): string[] {
  const names = header.map((name) => (name.startsWith(CUSTOM) ? name : name.toLowerCase()));
  if (names.some((name) => name === 'phone' || name === 'external_id')) return names;
  throw usage(
    `${file} has neither a column "phone" nor one "external_id".`,
    `The first line names the columns: ${COLUMNS.join(', ')}, ${CUSTOM}<key>. Others are ignored.`,
  );
}

function toRow(
  record: Readonly<Record<string, string>>,
  line: number,
  countryCode: string | undefined,
): TableRow {
  const row: Record<string, unknown> = {};
  const custom: [string, string][] = [];
  for (const [name, cell] of Object.entries(record)) {
    const text = unguarded(cell);
    if (text === '') continue;
    if (name.startsWith(CUSTOM)) custom.push([name.slice(CUSTOM.length), text]);
    else if (name === 'tags')
      row['tags'] = text
        .split(TAGS)
        .map((tag) => tag.trim())
        .filter(Boolean);
    else if (name === 'phone') row['phone'] = international(text, countryCode);
    else if (COLUMNS.some((column) => column === name)) row[name] = text;
  }
  if (custom.length > 0) row['custom_fields'] = Object.fromEntries(custom);
  return { ...row, line };
}

const international = (phone: string, countryCode: string | undefined): string =>
  phone.startsWith('+') || countryCode === undefined ? phone : `+${countryCode}${phone.replace(/^0+/, '')}`;

/** The export's prefix for texts that a spreadsheet would read as a formula. */
const unguarded = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r])/, '');

/**
 * The header of an export whose contacts have these custom fields.
 * @param guard whether texts that begin like a formula (`=`, `+`, `-`, `@`) get an apostrophe before them
 */
export const tableHeader = (customKeys: readonly string[], guard: boolean): string =>
  stringify([[...COLUMNS, ...customKeys.map((key) => CUSTOM + key)]], { escape_formulas: guard });

export function tableLine(contact: Resource, customKeys: readonly string[], guard: boolean): string {
  const custom = part(contact['custom_fields'] ?? {});
  const tags = contact['tags'];
  const cells = [
    contact['external_id'],
    contact['phone'],
    contact['name'],
    contact['email'],
    Array.isArray(tags) ? tags.join(TAGS) : null,
    ...customKeys.map((key) => (Object.hasOwn(custom, key) ? custom[key] : null)),
  ].map((value) =>
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value),
  );
  return stringify([cells], { escape_formulas: guard });
}
