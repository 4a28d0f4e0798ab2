import { parseInstant } from '../../domain/kernel/instant.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { queryText, type Call } from './call.js';

/** RFC 3339. `Date.parse` alone takes `0.5` for a day of the year 2000. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * A time in the query, in the form of stored times, which are compared as text.
 * @throws Refusal validation_failed
 */
export function queryTime(query: Call['query'], name: string): string | undefined {
  const text = queryText(query, name);
  if (text === undefined) return undefined;
  // In a query, a `+` that is not encoded means a space.
  const time = text.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const ms = DATE_TIME.test(time) ? parseInstant(time) : NaN;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const message = 'must be a time, such as 2026-11-20T14:00:00Z.';
  throw new Refusal('validation_failed', `The request is not valid: query.${name} ${message}`, {
    fields: [{ path: `query.${name}`, code: 'format', message }],
  });
}

/**
 * Both ends of a range of times in the query. Equal ends are an empty range; a start after the end is a mistake, and an
 * empty list would hide it.
 * @throws Refusal validation_failed
 */
export function queryTimes(
  query: Call['query'],
  [start, end]: readonly [string, string] = ['from', 'to'],
): { readonly from: string | undefined; readonly to: string | undefined } {
  const [from, to] = [queryTime(query, start), queryTime(query, end)];
  if (from !== undefined && to !== undefined && from > to) throw reversedRange(start, end);
  return { from, to };
}

/** The start of a range in the query is after its end. */
export function reversedRange(start: string, end: string): Refusal {
  const message = `must not be before query.${start}.`;
  return new Refusal('validation_failed', `The request is not valid: query.${end} ${message}`, {
    fields: [{ path: `query.${end}`, code: 'range_not_possible', message }],
  });
}
