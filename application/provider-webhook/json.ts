/** Readers for JSON nobody has checked: each gives a value of the wanted type or null, and none throws. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function record(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Ids arrive as strings in messages and as numbers in template webhooks. */
export function id(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function number(value: unknown): number | null {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : null;
}

/** Seconds since the epoch, a string in `messages` and a number in other fields, as ISO 8601. */
export function instant(value: unknown): string | null {
  const seconds = number(value);
  if (seconds === null || Math.abs(seconds) > 8_640_000_000_000) return null;
  return new Date(seconds * 1000).toISOString();
}

/** The entry only when there is a value, for optional properties under exactOptionalPropertyTypes. */
export function optional<K extends string, V>(key: K, value: V | null): { readonly [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { readonly [P in K]?: V };
}
