/** Finds in JSON what is well-formed but no sane caller sends, before recursive code or a store meets it. */

export interface StructureFault {
  /** Names and indexes, outermost first; empty for the whole. */
  readonly path: readonly string[];
  readonly code: 'text_invalid' | 'too_deep' | 'name_not_allowed';
  /** Continues behind the name of the field. */
  readonly message: string;
}

/** Deeper than any schema of the contracts; far less than what overflows a recursive function. */
const MAX_DEPTH = 32;
/** A name that changes an object's prototype when somebody assigns it. */
const PROTOTYPE_KEY = '__proto__';
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The first fault, or null.
 *
 * @param text the JSON the value was parsed from: tells cheaply that most of the checks can't fail
 */
export function structureFault(value: unknown, text: string): StructureFault | null {
  const escapes = text.includes('\\u');
  if (!escapes && !text.includes(PROTOTYPE_KEY) && openings(text) <= MAX_DEPTH) return null;
  return walk(value, [], escapes);
}

/** The same, of a value whose text is not at hand: always looks at all of it. */
export const faultWithin = (value: unknown): StructureFault | null => walk(value, [], true);

/** Number of brackets, at least the depth. */
function openings(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= MAX_DEPTH; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) count += 1;
  }
  return count;
}

function walk(value: unknown, path: string[], escapes: boolean): StructureFault | null {
  if (typeof value === 'string') {
    const wrong = escapes ? textFault(value) : null;
    return wrong === null ? null : { path: [...path], code: 'text_invalid', message: `holds ${wrong}.` };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= MAX_DEPTH) {
    return { path: [...path], code: 'too_deep', message: `is nested more than ${MAX_DEPTH} levels deep.` };
  }
  const array = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    if (!array && key === PROTOTYPE_KEY) {
      return { path: [...path, key], code: 'name_not_allowed', message: 'is not an allowed name.' };
    }
    const wrong = escapes && !array ? textFault(key) : null;
    if (wrong !== null) {
      return { path: [...path], code: 'text_invalid', message: `has a name that holds ${wrong}.` };
    }
    path.push(key);
    const fault = walk(child, path, escapes);
    if (fault !== null) return fault;
    path.pop();
  }
  return null;
}

/** JSON can carry either only as an escape. No text needs them, and databases of receivers refuse them. */
function textFault(text: string): string | null {
  if (LONE_SURROGATE.test(text)) return 'half of a surrogate pair, which is no character';
  return text.includes('\0') ? 'a NUL character' : null;
}
