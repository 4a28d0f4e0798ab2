/** JSON texts of a given length that are as expensive to process as possible for that length. */
import type { Place } from './request-bodies.js';

type Filler = (length: number) => string;

const repeated =
  (unit: string, open = '', close = ''): Filler =>
  (length) =>
    open + unit.repeat(Math.max(1, Math.floor((length - open.length - close.length) / unit.length))) + close;

/** `[unit,unit,…]` */
const list =
  (unit: string): Filler =>
  (length) =>
    `[${repeated(`${unit},`)(length - unit.length - 2)}${unit}]`;

const numbered =
  (one: (n: number) => string, open: string, close: string): Filler =>
  (length) => {
    const parts: string[] = [];
    for (let size = 2, n = 0; ; n += 1) {
      const part = one(n);
      size += part.length + 1;
      if (size > length) return open + parts.join(',') + close;
      parts.push(part);
    }
  };

const text = (unit: string): Filler => repeated(unit, '"', '"');

const LISTS: Readonly<Record<string, Filler>> = {
  numbers: list('1'),
  'numbers with exponents': list('1e1'),
  'long numbers': list('12345678901234567'),
  'empty objects': list('{}'),
  'empty lists': list('[]'),
  'empty texts': list('""'),
  'escaped texts': list('"\\u0061"'),
  nulls: list('null'),
  'objects with an unknown field': list('{"a":1}'),
  'different texts': numbered((n) => `"${n.toString(36)}"`, '[', ']'),
};

const OBJECTS: Readonly<Record<string, Filler>> = {
  'many names': numbered((n) => `"${n.toString(36)}":1`, '{', '}'),
  'many names of texts': numbered((n) => `"x${n.toString(36)}":""`, '{', '}'),
};

const TEXTS: Readonly<Record<string, Filler>> = {
  letters: text('a'),
  digits: text('1'),
  spaces: text(' '),
  'opening tags': text('<a '),
  'angle brackets': text('<'),
  entities: text('&amp;'),
  ampersands: text('&'),
  escapes: text('\\u00e9'),
  'accented letters': text('é'),
  dots: text('a.'),
  hyphens: text('a-'),
  'at signs': text('a@'),
  slashes: text('/'),
  'opening braces': text('{{'),
  placeholders: text('{{a}}'),
  'open groups': text('('),
  lines: text('\\n'),
  emoji: text('👩‍👩‍👧'),
};

const NUMBERS: Readonly<Record<string, Filler>> = {
  'digits of a number': repeated('1'),
  'zeros behind the point': repeated('0', '0.', '1'),
};

const DEPTHS: Readonly<Record<string, Filler>> = {
  depth: (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
};

const BY_TYPE: Readonly<Record<string, Readonly<Record<string, Filler>>>> = {
  array: LISTS,
  object: { ...OBJECTS, ...DEPTHS },
  string: TEXTS,
  number: NUMBERS,
  integer: NUMBERS,
  null: {},
  boolean: {},
};

/** The large values to try at a place of these types. The whole body, and a place without types, gets all of them. */
export function largeValuesFor({ path, types }: Place): readonly (readonly [string, Filler])[] {
  const all = { ...LISTS, ...OBJECTS, ...TEXTS, ...NUMBERS, ...DEPTHS };
  if (path.length === 0 || types.length === 0) return Object.entries(all);
  return types.flatMap((type) => Object.entries(BY_TYPE[type] ?? {}));
}
