/**
 * Finds numbers that `JSON.parse` changes. It only has binary doubles, so a long integer loses digits and `1e999`
 * becomes infinite. The parsed value no longer shows this, so this code reads the text.
 */

export interface AlteredNumber {
  /** Names and indexes, outermost first; empty for the whole value. */
  readonly path: readonly string[];
}

/** Numbers of fifteen digits are always exact. A text without a match contains no number that changes. */
const SUSPICIOUS = /(?:^|[[,:])\s*-?(?:[\d.]{16}|[\d.]+[eE])/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]/g;

/**
 * The first changed number, or null.
 * @param text well-formed JSON
 */
export function alteredNumber(text: string): AlteredNumber | null {
  for (const altered of alteredNumbers(text)) return altered;
  return null;
}

/**
 * All changed numbers, in the order of the text.
 *
 * @param text well-formed JSON
 * @param once reports only the first number among those whose paths share this many leading names and indexes
 */
export function* alteredNumbers(text: string, once = Infinity): Generator<AlteredNumber> {
  if (!SUSPICIOUS.test(text)) return;
  const path: (string | number)[] = [];
  let found: readonly (string | number)[] | null = null;
  let name = '""';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') path.push('');
    else if (token === '[') path.push(0);
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',') {
      const last = path.length - 1;
      if (typeof path[last] === 'number') path[last] += 1;
    } else if (token === ':') path[path.length - 1] = String(JSON.parse(name));
    else if (token.startsWith('"')) name = token;
    else if (PLAIN.test(token) || found?.every((part, level) => part === path[level])) continue;
    else if (!survives(token)) {
      if (once < Infinity) found = path.slice(0, once);
      yield { path: path.map(String) };
    }
  }
}

/** Up to fifteen digits and a moderate exponent. */
const PLAIN = /^-?[\d.]{1,15}(?:[eE][+-]?\d{1,2})?$/;

/** Digits that distinguish any two doubles. Many languages write this many: 0.10000000000000001 for 0.1. */
const DOUBLE_DIGITS = 17;

function survives(written: string): boolean {
  const value = Number(written);
  if (!Number.isFinite(value)) return false;
  const exact = canonical(written);
  if (exact === canonical(String(value))) return true;
  const digits = exact.replace(/^-/, '').indexOf('e');
  return digits <= DOUBLE_DIGITS && exact === canonical(value.toPrecision(digits));
}

/** Equal texts for equal numbers: the digits without zeros at either end, and the exponent of the last one. */
function canonical(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
