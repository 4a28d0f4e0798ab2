/** Finds the position at which a text stops being JSON (RFC 8259). Runs only after JSON.parse has rejected it. */

export interface JsonErrorPlace {
  /** From 0, in characters. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

const SPACE = /[ \t\n\r]*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Escapes and plain characters, up to the first character that a string must not contain, such as control characters.
// eslint-disable-next-line no-control-regex
const STRING_BODY = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

export function locateJsonError(text: string): JsonErrorPlace {
  const position = scan(text);
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { position, line: before.split('\n').length, column: position - lineStart + 1 };
}

/** Not recursive: `open` contains the closing brackets that are still missing. */
function scan(text: string): number {
  const open: ('}' | ']')[] = [];
  let expect: 'value' | 'first' | 'name' | 'end' = 'value';
  let at = 0;

  const skip = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0].length ?? 0;
    at += found;
    return found;
  };
  const string = (): boolean => {
    if (text[at] !== '"') return false;
    at += 1;
    skip(STRING_BODY);
    if (text[at] !== '"') return false;
    at += 1;
    return true;
  };

  for (;;) {
    skip(SPACE);
    const c = text[at];
    if (expect === 'end') {
      const closing = open[open.length - 1];
      if (closing === undefined) return at;
      if (c === closing) open.pop();
      else if (c === ',') expect = closing === '}' ? 'name' : 'value';
      else return at;
      at += 1;
      continue;
    }
    if (expect === 'first' && c === open[open.length - 1]) {
      open.pop();
      at += 1;
      expect = 'end';
      continue;
    }
    if (expect === 'name' || (expect === 'first' && open[open.length - 1] === '}')) {
      if (!string()) return at;
      skip(SPACE);
      if (text[at] !== ':') return at;
      at += 1;
      expect = 'value';
      continue;
    }
    if (c === '{' || c === '[') {
      open.push(c === '{' ? '}' : ']');
      at += 1;
      expect = 'first';
      continue;
    }
    if (c === '"' ? !string() : skip(LITERAL) === 0) return at;
    expect = 'end';
  }
}
