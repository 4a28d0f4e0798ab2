/** Resources as text: a table for many, a line for each field of one. */
import type { Resource } from './answer.js';
import type { Colours } from './colours.js';
import { plain, type Show } from './readable.js';

/** Heading and field, or heading and a function of the resource. */
export type Column = readonly [string, string | ((resource: Resource) => unknown)];

/** Fields whose values are states. */
const STATE = /^(?:status|state|quality|severity)$/i;

export interface Layout {
  table(resources: readonly Resource[], columns: readonly Column[]): string;
  fields(resource: Resource): string;
}

export function createLayout(show: Show, colours: Colours): Layout {
  const painted = (key: string, text: string, word: string): string =>
    STATE.test(key) ? colours.state(text, word) : text;

  const isThing = (value: unknown): value is object => typeof value === 'object' && value !== null;

  const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

  /** Nested objects are indented, each field on a line of its own. */
  function linesOf(thing: object): readonly string[] {
    const width = Math.max(0, ...Object.keys(thing).map((name) => name.length));
    return Object.entries(thing).flatMap(([name, value]: [string, unknown]) => {
      const heading = colours.bold(plain(name).padEnd(width));
      if (Array.isArray(value) && value.some(isThing)) return [colours.bold(plain(name)), ...itemsOf(value)];
      if (isThing(value) && !Array.isArray(value) && !isEmpty(value)) {
        return [colours.bold(plain(name)), ...linesOf(value).map((line) => `  ${line}`)];
      }
      const shown = show(value, name);
      return [`${heading}  ${painted(name, shown, shown)}`];
    });
  }

  const itemsOf = (items: readonly unknown[]): readonly string[] =>
    items.flatMap((item) => {
      const lines = isThing(item) && !isEmpty(item) ? linesOf(item) : [show(item)];
      return lines.map((line, n) => `  ${n === 0 ? '-' : ' '} ${line}`);
    });

  return {
    table(resources, columns) {
      const rows = resources.map((resource) =>
        columns.map(([heading, from]) =>
          typeof from === 'string' ? show(resource[from], from) : show(from(resource), heading),
        ),
      );
      const widths = columns.map(([heading], i) =>
        Math.max(heading.length, ...rows.map((row) => row[i]!.length)),
      );
      const last = columns.length - 1;
      const padded = (text: string, i: number): string => (i === last ? text : text.padEnd(widths[i]!));
      const head = colours.bold(columns.map(([heading], i) => padded(heading, i)).join('  '));
      const lines = rows.map((row) =>
        row.map((text, i) => painted(columns[i]![0], padded(text, i), text)).join('  '),
      );
      return [head, ...lines].join('\n');
    },
    fields: (resource) => linesOf(resource).join('\n'),
  };
}
