/**
 * Milliseconds of a time that begins with its date (`2026-11-30…`); NaN if there is none. `Date.parse` alone takes
 * February 30 for March 2, which nobody named.
 */
export function parseInstant(text: string): number {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return exists ? Date.parse(text) : NaN;
}
