/** Readers for unchecked JSON: each returns a value of the wanted type or null, and none throws. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function record(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Maximum length of an id; Meta's are well below 200 characters. */
const MAX_ID = 512;

/** Ids arrive as strings in messages and as numbers in template webhooks. */
export function id(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID && !value.includes('\0')
    ? value
    : null;
}

/** Digits of a WhatsApp id or phone, with or without a leading `+`; E.164 has at most 15 of them. */
export function digits(value: unknown): string | null {
  const found = /^\+?([1-9]\d{4,14})$/.exec(id(value) ?? '');
  return found?.[1] ?? null;
}

/** An enumeration value, in upper case, as Meta adds new ones over time; null for anything else. */
export function word(value: unknown): string | null {
  const found = text(value);
  return found !== null && /^\w{1,64}$/.test(found) ? found.toUpperCase() : null;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function number(value: unknown): number | null {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : null;
}

/** End of the year 9999, after which ISO 8601 needs a sign. */
const LAST_SECOND = 253_402_300_799;

/** Seconds since the epoch, a string in `messages` and a number in other fields, as ISO 8601. */
export function instant(value: unknown): string | null {
  const seconds = number(value);
  if (seconds === null || seconds < 0 || seconds > LAST_SECOND) return null;
  return new Date(seconds * 1000).toISOString();
}

const MAX_DEPTH = 20;

/** A part in its original form. Anything nested deeper than Meta documents is cut, so that it can be serialised. */
export function asCame(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => asCame(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asCame(item, depth + 1)]));
}

export const recordAsCame = (value: unknown): JsonRecord | null => record(asCame(record(value)));

/** The entry only when the value is not null, for optional properties under exactOptionalPropertyTypes. */
export function optional<K extends string, V>(key: K, value: V | null): { readonly [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { readonly [P in K]?: V };
}
