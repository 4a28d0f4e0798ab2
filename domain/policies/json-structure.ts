/**
 * Finds structures that are well-formed JSON but that no sane caller sends, before recursive code or a store reads
 * them.
 */
import { isObject } from '../kernel/json.js';

export interface StructureFault {
  /** Names and indexes, outermost first; empty for the whole value. */
  readonly path: readonly string[];
  readonly code: 'text_invalid' | 'too_deep' | 'name_not_allowed';
  /** Continues after the name of the field. */
  readonly message: string;
}

/** Deeper than any schema of the contracts; far less than a recursive function can take. */
const MAX_DEPTH = 32;
/** A name that changes an object's prototype when it is assigned. */
const PROTOTYPE_KEY = '__proto__';
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The first fault, or null.
 *
 * @param text the JSON the value was parsed from: often a cheap proof that most checks can't fail
 */
export function structureFault(value: unknown, text: string): StructureFault | null {
  const escapes = text.includes('\\u');
  if (!escapes && !text.includes(PROTOTYPE_KEY) && openings(text) <= MAX_DEPTH) return null;
  return walk(value, [], escapes);
}

/** As structureFault, for a value whose text is not available: always checks the whole value. */
export const faultWithin = (value: unknown): StructureFault | null => walk(value, [], true);

/** Number of opening brackets, an upper bound of the depth. */
function openings(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= MAX_DEPTH; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) count += 1;
  }
  return count;
}

function walk(value: unknown, path: (string | number)[], escapes: boolean): StructureFault | null {
  if (typeof value === 'string') {
    const wrong = escapes ? textFault(value) : null;
    return wrong === null ? null : faultAt(path, 'text_invalid', `holds ${wrong}.`);
  }
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= MAX_DEPTH) {
    return faultAt(path, 'too_deep', `is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const within = path.length;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path[within] = index;
      const fault = walk(value[index], path, escapes);
      if (fault !== null) return fault;
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (key === PROTOTYPE_KEY)
        return faultAt([...path, key], 'name_not_allowed', 'is not an allowed name.');
      const wrong = escapes ? textFault(key) : null;
      if (wrong !== null) return faultAt(path, 'text_invalid', `has a name that holds ${wrong}.`);
      path[within] = key;
      const fault = walk(value[key], path, escapes);
      if (fault !== null) return fault;
      path.length = within;
    }
  }
  path.length = within;
  return null;
}

const faultAt = (
  path: readonly (string | number)[],
  code: StructureFault['code'],
  message: string,
): StructureFault => ({ path: path.map(String), code, message });

/** JSON can contain either only as an escape. No text needs them, and receivers' databases refuse them. */
function textFault(text: string): string | null {
  if (LONE_SURROGATE.test(text)) return 'half of a surrogate pair, which is no character';
  return text.includes('\0') ? 'a NUL character' : null;
}
