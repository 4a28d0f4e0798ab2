/** Limits of the fields that callers write on a contact (spec §2, ContactWrite; §8). */
import { longerThan } from './text-length.js';
import { Refusal } from '../kernel/refusal.js';

export interface ContactDetails {
  /** Null clears it. */
  readonly name?: string | null;
  readonly email?: string | null;
  /** Replaces the list. */
  readonly tags?: readonly string[];
  /** Merged key by key; null overwrites with null. */
  readonly custom_fields?: Readonly<Record<string, unknown>>;
}

export const LIMITS = {
  nameLength: 220,
  emailLength: 254,
  tags: 50,
  tagLength: 200,
  fieldKeys: 200,
  fieldKeyLength: 128,
  fieldDepth: 5,
  /** Bytes of all custom fields together, as JSON. */
  fieldBytes: 32_768,
} as const;

/** A local part, an @, a domain with a dot; the mail server decides whether it can deliver. */
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

export const isEmail = (text: string): boolean => text.length <= LIMITS.emailLength && EMAIL.test(text);

/**
 * The details as they are stored, with duplicate tags removed.
 *
 * @param current custom fields that the new ones are merged into
 * @throws Refusal `validation_failed`, with every field at fault
 */
export function checkDetails(
  details: ContactDetails,
  current: Readonly<Record<string, unknown>> = {},
): ContactDetails {
  const faults: Fault[] = [];
  const { name, email, tags, custom_fields: fields } = details;
  if (typeof name === 'string' && longerThan(name, LIMITS.nameLength)) {
    faults.push(fault('name', 'too_long', `has more than ${LIMITS.nameLength} characters.`));
  }
  if (typeof email === 'string' && !isEmail(email)) {
    faults.push(fault('email', 'email_invalid', 'is not an e-mail address.'));
  }
  if (tags !== undefined) faults.push(...tagFaults(tags));
  if (fields !== undefined) faults.push(...fieldFaults(fields, current));
  const [first] = faults;
  if (first) {
    throw new Refusal('validation_failed', `The contact is not valid: ${first.path} ${first.message}`, {
      fields: faults,
    });
  }
  return tags === undefined ? details : { ...details, tags: [...new Set(tags)] };
}

interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const fault = (path: string, code: string, message: string): Fault => ({ path, code, message });

function tagFaults(tags: readonly string[]): Fault[] {
  if (tags.length > LIMITS.tags) {
    return [fault('tags', 'too_many', `has more than ${LIMITS.tags} entries.`)];
  }
  return tags.flatMap((tag, index) => {
    const wrong = tag.trim() === '' ? 'is blank.' : longerThan(tag, LIMITS.tagLength) ? 'is too long.' : null;
    return wrong === null ? [] : [fault(`tags[${index}]`, 'tag_invalid', wrong)];
  });
}

function fieldFaults(
  fields: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): Fault[] {
  const merged = { ...current, ...fields };
  const longKey = Object.keys(fields).find((key) => key === '' || key.length > LIMITS.fieldKeyLength);
  if (longKey !== undefined) {
    const message = `has a key that is empty or longer than ${LIMITS.fieldKeyLength} characters.`;
    return [fault('custom_fields', 'key_invalid', message)];
  }
  if (Object.keys(merged).length > LIMITS.fieldKeys) {
    const message = `would hold more than ${LIMITS.fieldKeys} keys.`;
    return [fault('custom_fields', 'too_many', message)];
  }
  const deep = Object.keys(fields).find((key) => depthOf(fields[key], LIMITS.fieldDepth) > LIMITS.fieldDepth);
  if (deep !== undefined) {
    const message = `is nested deeper than ${LIMITS.fieldDepth} levels.`;
    return [fault(`custom_fields.${deep}`, 'too_deep', message)];
  }
  if (Buffer.byteLength(JSON.stringify(merged)) > LIMITS.fieldBytes) {
    const message = `would be larger than ${LIMITS.fieldBytes} bytes.`;
    return [fault('custom_fields', 'too_large', message)];
  }
  return [];
}

/** Depth of nested objects and lists; descends no further than one level past the limit. */
function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit === 0) return 1;
  // No spread: a list of a hundred thousand values is more arguments than a call takes.
  let deepest = 0;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1));
  return 1 + deepest;
}
