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
