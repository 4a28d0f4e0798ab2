/** Evaluates the branch conditions of flows. */
import { RE2JS } from 're2js';
import type { Comparison, Condition, Operator } from '../flow/blocks.js';
import { foldText } from './fold-text.js';

/** @param render replaces the placeholders of a text, see flow-text.ts */
export function holds(condition: Condition, render: (text: string) => string): boolean {
  if ('all' in condition) return condition.all.every((one) => compares(one, render));
  if ('any' in condition) return condition.any.some((one) => compares(one, render));
  return compares(condition, render);
}

/** All comparisons of a condition. */
export const comparisonsOf = (condition: Condition): readonly Comparison[] =>
  'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition];

/** Operators without a second operand. */
export const needsNoOther = (operator: Operator): boolean => operator === 'set' || operator === 'empty';

function compares({ value, is, to }: Comparison, render: (text: string) => string): boolean {
  const left = render(value);
  // The pattern is the author's text, not the customer's: its placeholders are not replaced.
  if (is === 'matches' || is === 'not_matches') {
    return finds(to ?? '', left) === (is === 'matches');
  }
  const right = render(to ?? '');
  switch (is) {
    case 'set':
      return left !== '';
    case 'empty':
      return left.trim() === '';
    case 'equal':
      return same(left, right);
    case 'not_equal':
      return !same(left, right);
    case 'contains':
      return fold(left).includes(fold(right));
    case 'not_contains':
      return !fold(left).includes(fold(right));
    case 'starts_with':
      return fold(left).startsWith(fold(right));
    case 'ends_with':
      return fold(left).endsWith(fold(right));
    case 'greater':
      return ordered(left, right, (a, b) => a > b);
    case 'greater_or_equal':
      return ordered(left, right, (a, b) => a >= b);
    case 'less':
      return ordered(left, right, (a, b) => a < b);
    case 'less_or_equal':
      return ordered(left, right, (a, b) => a <= b);
  }
}

/** "10" and "10.0" are the same number, "Sim" and "sim " the same answer. */
function same(left: string, right: string): boolean {
  const [a, b] = [asNumber(left), asNumber(right)];
  return a !== null && b !== null ? a === b : fold(left) === fold(right);
}

/** False unless both sides are numbers. */
function ordered(left: string, right: string, compare: (a: number, b: number) => boolean): boolean {
  const [a, b] = [asNumber(left), asNumber(right)];
  return a !== null && b !== null && compare(a, b);
}

/** Reads `12`, `-3.5`, and the Brazilian forms `3,5` and `1.234,50`; null for anything else. */
export function asNumber(text: string): number | null {
  const written = text.trim();
  if (/^[+-]?\d{1,15}(\.\d{1,10})?$/.test(written)) return Number(written);
  if (/^[+-]?(\d{1,15}|\d{1,3}(\.\d{3}){1,4}),\d{1,10}$/.test(written)) {
    return Number(written.replaceAll('.', '').replace(',', '.'));
  }
  return null;
}

/** Ignores case, accents and surrounding spaces, which people on a phone don't type with care. */
const fold = (text: string): string => foldText(text).trim();

/**
 * RE2: the time depends on the length of the text alone, not on the pattern. Case is ignored.
 *
 * @throws Error with a sentence when the pattern is invalid
 */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);

/** Patterns are checked when the flow is published; an invalid one still found here matches nothing. */
function finds(pattern: string, text: string): boolean {
  try {
    return compilePattern(pattern).matcher(text).find();
  } catch {
    return false;
  }
}
