/** Data on stdout: JSON for programs, tables for people. */
import { styleText } from 'node:util';
import type { Resource } from './client.js';
import type { Io } from './io.js';

export interface OutputOptions {
  readonly json?: boolean;
  readonly color?: boolean;
}

/** Heading and field, or heading and what to make of the resource. */
export type Column = readonly [string, string | ((resource: Resource) => unknown)];

export interface Output {
  readonly json: boolean;
  /** `--json`: one JSON array. Otherwise a table. */
  list(resources: readonly Resource[], columns: readonly Column[]): void;
  /** `--json`: one JSON object. Otherwise a line for each field. */
  one(resource: Resource): void;
  /** For streams. `--json`: a JSON object on a line of its own. Otherwise the text. */
  line(resource: Resource, text: string): void;
  /** A sentence for people; nothing with `--json`. */
  done(text: string): void;
}

export function createOutput(io: Io, options: OutputOptions): Output {
  const json = options.json ?? false;
  const bold = colours(io, options) ? (text: string) => styleText('bold', text) : (text: string) => text;
  const print = (text: string): void => void io.stdout.write(`${text}\n`);
  return {
    json,
    list(resources, columns) {
      if (json) return print(JSON.stringify(resources, null, 2));
      if (resources.length === 0) return void io.stderr.write('Nothing found.\n');
      print(table(resources, columns, bold));
    },
    one(resource) {
      print(json ? JSON.stringify(resource, null, 2) : fields(resource, bold));
    },
    line(resource, text) {
      print(json ? JSON.stringify(resource) : text);
    },
    done(text) {
      if (!json) io.stderr.write(`${text}\n`);
    },
  };
}

/** https://no-color.org: set and not empty. */
function colours(io: Io, options: OutputOptions): boolean {
  if (options.color === false || io.env['NO_COLOR'] || io.env['TERM'] === 'dumb') return false;
  return io.stdout.isTTY === true && io.env['CLICOLOR'] !== '0';
}

const cell = (resource: Resource, [, from]: Column): string =>
  show(typeof from === 'string' ? resource[from] : from(resource));

function table(
  resources: readonly Resource[],
  columns: readonly Column[],
  bold: (text: string) => string,
): string {
  const rows = resources.map((resource) => columns.map((column) => cell(resource, column)));
  const widths = columns.map(([heading], i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells.map((text, i) => (i === cells.length - 1 ? text : text.padEnd(widths[i]!))).join('  ');
  return [bold(line(columns.map(([heading]) => heading))), ...rows.map(line)].join('\n');
}

function fields(resource: Resource, bold: (text: string) => string): string {
  const width = Math.max(0, ...Object.keys(resource).map((name) => name.length));
  return Object.entries(resource)
    .map(([name, value]) => `${bold(name.padEnd(width))}  ${show(value)}`)
    .join('\n');
}

/** One line, without control characters: what a stranger wrote must not steer the terminal. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? '-' : plain(value.join(', '));
  }
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}

const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
