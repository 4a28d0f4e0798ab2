/** Counts the values of a JSON text before it is parsed, because each value costs more than its bytes. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** Counts commas and opening brackets outside of strings; stops at the limit. */
export function holdsMoreValues(json: Uint8Array, limit: number): boolean {
  let count = 0;
  let inText = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i];
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}
