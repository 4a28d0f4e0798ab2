/** Data on stdout: JSON for programs, tables for people. */
import type { Listed, Resource, Total } from './client.js';
import { coloursFor } from './colours.js';
import type { Io } from './io.js';
import { createLayout, type Column } from './layout.js';
import { createShow, grouped, type Show } from './readable.js';

export type { Column };

export interface OutputOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly utc?: boolean;
}

export interface Output {
  readonly json: boolean;
  /** A value in a sentence or a line for people. */
  readonly show: Show;
  /** A state in its colour. */
  readonly state: (text: string) => string;
  /** `--json`: one JSON array. Otherwise a table, and how many more rows exist. */
  list(found: readonly Resource[] | Listed, columns: readonly Column[]): void;
  /** `--json`: one JSON object. Otherwise a line for each field. */
  one(resource: Resource): void;
  /** For streams. `--json`: a JSON object on a line of its own. Otherwise the text. */
  line(resource: Resource, text: string): void;
  /** A sentence for people; nothing with `--json`. */
  done(text: string): void;
}

export function createOutput(io: Io, options: OutputOptions): Output {
  const json = options.json ?? false;
  const show = createShow({ utc: options.utc ?? false, timeZone: io.env['TZ'] });
  const colours = coloursFor(io, options);
  const layout = createLayout(show, colours);
  const print = (text: string): void => void io.stdout.write(`${text}\n`);
  return {
    json,
    show,
    state: (text) => colours.state(text),
    list(found, columns) {
      const { rows, more, total } = isListed(found) ? found : { rows: found, more: false, total: null };
      if (json) return print(JSON.stringify(rows, null, 2));
      if (rows.length === 0) return void io.stderr.write('Nothing found.\n');
      print(layout.table(rows, columns));
      if (more) io.stderr.write(`${ofAll(rows.length, total)} Show more with --limit.\n`);
    },
    one(resource) {
      print(json ? JSON.stringify(resource, null, 2) : layout.fields(resource));
    },
    line(resource, text) {
      print(json ? JSON.stringify(resource) : text);
    },
    done(text) {
      if (!json) io.stderr.write(`${text}\n`);
    },
  };
}

const isListed = (found: readonly Resource[] | Listed): found is Listed => !Array.isArray(found);

/** `50 of 519.`, `50 of 10,000+.` */
function ofAll(shown: number, total: Total | null): string {
  if (total === null) return `${grouped(shown)} shown, and there are more.`;
  return `${grouped(shown)} of ${grouped(total.count)}${total.capped ? '+' : ''}.`;
}
