/**
 * Positions of the history are 20 digits (EventStoreDB: two of them, joined by a dash), so that they sort as texts.
 * People see and type them as `@12345`, without the zeros. The sign distinguishes them from dates and from typos such
 * as `--from 41`.
 */
const DIGITS = 20;
const WHOLE = new RegExp(`^\\d{${DIGITS}}(?:-\\d{${DIGITS}})?$`);
const SHORT = new RegExp(`^@\\d{1,${DIGITS}}(?:-\\d{1,${DIGITS}})?$`);

/** Returns any other text unchanged. */
export function shortPosition(text: string): string {
  if (!WHOLE.test(text)) return text;
  const parts = text.split('-').map((part) => part.replace(/^0+(?=\d)/, ''));
  return `@${parts.join('-')}`;
}

/** Parses an option that takes a place in the history: adds the zeros. The server checks anything else. */
export function place(text: string): string {
  if (!SHORT.test(text)) return text;
  const parts = text.slice(1).split('-');
  return parts.map((part) => part.padStart(DIGITS, '0')).join('-');
}
