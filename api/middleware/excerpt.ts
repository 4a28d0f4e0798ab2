/**
 * The beginning of a body with many values: enough to name the first faults quickly. List items are kept whole or left
 * out, and the other members of an object stay.
 */
import type { ValidatorItem } from './field-errors.js';

/** Most members and items, at all levels together, of a body that is checked whole. */
export const LISTED_VALUES = 2_000;
/** No object of the contracts has as many members, except those that allow any members. */
const KEPT_MEMBERS = 100;

export interface Excerpt {
  readonly body: unknown;
  /** True for a fault that only the excerpt has: the missing part may be in the omitted values. */
  readonly isOwnFault: (item: ValidatorItem) => boolean;
}

/** True if the body has more than LISTED_VALUES members and items; counting stops there. */
export function isLarge(body: unknown): boolean {
  let left = LISTED_VALUES;
  const exceeds = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) {
      left -= value.length;
      return left < 0 || value.some(exceeds);
    }
    for (const name in value) {
      left -= 1;
      if (left < 0 || exceeds((value as Record<string, unknown>)[name])) return true;
    }
    return false;
  };
  return exceeds(body);
}

export function excerptOf(body: unknown): Excerpt {
  let left = LISTED_VALUES;
  const cut: string[] = [];
  const copy = (value: unknown, pointer: string): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const kept: [string, unknown][] = [];
    const most = Array.isArray(value) ? Math.max(0, left) : KEPT_MEMBERS;
    for (const name in value) {
      if (kept.length >= most || (Array.isArray(value) && left <= 0)) {
        cut.push(pointer);
        break;
      }
      left -= 1;
      const child = (value as Record<string, unknown>)[name];
      kept.push([name, copy(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)]);
    }
    return Array.isArray(value) ? kept.map(([, child]) => child) : Object.fromEntries(kept);
  };
  return {
    body: copy(body, '/body'),
    isOwnFault: ({ path, errorCode }) => {
      const rule = errorCode?.split('.')[0] ?? '';
      if (rule === 'required') return cut.includes(path.slice(0, path.lastIndexOf('/')));
      return NEEDS_ALL.has(rule) && cut.some((at) => at === path || at.startsWith(`${path}/`));
    },
  };
}

/** Rules that omitted values could satisfy. */
const NEEDS_ALL = new Set(['minItems', 'minProperties', 'contains', 'anyOf', 'oneOf', 'if', 'const', 'enum']);
