/**
 * What a viewer does not see: phones, e-mails, addresses and texts of customers. Names stay, so that a viewer can follow
 * what happens. It is done here for every answer, not in each route (docs/adr/0052).
 */
const MASK = '•••';
/** The last digits are enough to tell two numbers apart. */
const SHOWN_DIGITS = 2;
/** Alone, or within a title; within other texts it needs its sign, since ids have digits too. */
const PHONE = /^\d{8,15}$|\+\d{8,15}/g;

/** Replaced as a whole: what is in them follows the kind of message, and media have links in them. */
const CONTENTS: ReadonlySet<string> = new Set(['content', 'context', 'referral']);
/** Every text in them is replaced, at any depth. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['text', 'note', 'email', 'document', 'address', 'body', 'external_id', 'cancel_reason'],
  ...['custom_fields', 'metadata', 'answers', 'variables', 'values', 'link'],
]);

/** A copy of an answer's body. */
export function maskPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskPeople);
  if (typeof value === 'string') return value.replace(PHONE, maskPhone);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskMember(name, part)]));
}

function maskMember(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (CONTENTS.has(name)) return { text: MASK };
  if (TEXTS.has(name)) return maskTexts(value);
  return maskPeople(value);
}

function maskTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskTexts);
  if (typeof value !== 'object' || value === null) return value === null ? null : MASK;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskTexts(part)]));
}

const maskPhone = (phone: string): string =>
  phone.slice(0, -SHOWN_DIGITS).replace(/\d/g, '•') + phone.slice(-SHOWN_DIGITS);
