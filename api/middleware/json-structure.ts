/** Refuses JSON that is well-formed but no sane caller sends, before recursive code meets it. */
import { Refusal } from '../../domain/kernel/refusal.js';
import { fieldPath } from './field-errors.js';

/** Deeper than any schema of the contracts; far less than what overflows a recursive function. */
const MAX_DEPTH = 32;
/** A name that changes an object's prototype when somebody assigns it. */
const PROTOTYPE_KEY = '__proto__';
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * @param text the JSON the value was parsed from: tells cheaply that most of the checks can't fail
 * @throws Refusal validation_failed naming the field
 */
export function checkStructure(value: unknown, text: string): void {
  const escapes = text.includes('\\u');
  if (!escapes && !text.includes(PROTOTYPE_KEY) && openings(text) <= MAX_DEPTH) return;
  walk(value, [], escapes);
}

/** Number of brackets, at least the depth. */
function openings(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= MAX_DEPTH; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) count += 1;
  }
  return count;
}

function walk(value: unknown, path: string[], escapes: boolean): void {
  if (typeof value === 'string') {
    if (escapes && LONE_SURROGATE.test(value)) {
      throw refused(path, 'text_invalid', 'holds half of a surrogate pair, which is no character');
    }
    // JSON can carry it only as an escape. No text needs it, and databases of receivers refuse it.
    if (escapes && value.includes('\0')) throw refused(path, 'text_invalid', 'holds a NUL character');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= MAX_DEPTH) {
    throw refused(path, 'too_deep', `is nested more than ${MAX_DEPTH} levels deep`);
  }
  const array = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    path.push(key);
    if (!array) {
      if (key === PROTOTYPE_KEY) throw refused(path, 'name_not_allowed', 'is not an allowed name');
      if (escapes && LONE_SURROGATE.test(key)) {
        throw refused(path.slice(0, -1), 'text_invalid', 'has a name that holds half of a surrogate pair');
      }
    }
    walk(child, path, escapes);
    path.pop();
  }
}

function refused(path: readonly string[], code: string, what: string): Refusal {
  const field = fieldPath(path) || 'body';
  return new Refusal('validation_failed', `The request is not valid: ${field} ${what}.`, {
    fields: [{ path: field, code, message: `${what}.` }],
  });
}
