/**
 * Amounts of BRL: integer cents inside, decimal strings outside. No amount is ever a binary fraction: the digits are
 * read as text, so the output equals the input.
 */

/** 9999999.99 */
export const MAX_CENTS = 999_999_999;

const AMOUNT = /^(\d{1,7})(?:\.(\d{1,2}))?$/;

/**
 * Cents of an amount from 0 to 9999999.99: `"49.90"`, `"49.9"`, `"49"`, or a JSON number with at most two decimals.
 * Null for everything else, such as a comma, an exponent, a sign or a third decimal.
 */
export function readMoney(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  // String() gives the shortest text of the number: 0.1 + 0.2 has seventeen decimals, 1e21 an exponent.
  const match = AMOUNT.exec(String(value));
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** `4990` to `"49.90"`. */
export const showMoney = (cents: number): string =>
  `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
