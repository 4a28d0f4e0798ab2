/** The personal fields of an event, sealed together in one box beside its plain fields. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { DomainEvent } from '../domain/kernel/event.js';
import type { PersonalKey } from '../ports/personal-keys.js';
import { drawRandomBytes } from '../ports/random-bytes.js';

export interface Sealed {
  readonly key: string;
  readonly box: string;
}

/** The event's data, with these fields in a box. */
export function seal(
  event: DomainEvent,
  fields: readonly string[],
  eventId: string,
  key: PersonalKey,
): object {
  const plain: Record<string, unknown> = {};
  const secret: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event.data)) {
    if (fields.includes(name)) secret[name] = value;
    else plain[name] = value;
  }
  plain['sealed'] = {
    key: key.keyId,
    box: encrypt(key.key, JSON.stringify(secret), eventId),
  } satisfies Sealed;
  return plain;
}

export function sealedPart(record: { readonly data: Readonly<Record<string, unknown>> }): Sealed | undefined {
  return record.data['sealed'] as Sealed | undefined;
}

/** A copy that may be modified. Uses a loop: destructuring costs as much as the rest of opening an event. */
export function withoutSealed(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(data)) if (name !== 'sealed') plain[name] = data[name];
  return plain;
}

const IV = 12;
const TAG = 16;

/** The event id is authenticated with the box (AAD), so that a box cannot be moved to another event. */
function encrypt(key: Uint8Array, text: string, eventId: string): string {
  const iv = drawRandomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(eventId));
  const body = cipher.update(text, 'utf8');
  const rest = cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), body, rest]).toString('base64');
}

export function decrypt(key: Uint8Array, box: string, eventId: string): Record<string, unknown> {
  const bytes = Buffer.from(box, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV));
  decipher.setAAD(Buffer.from(eventId));
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  const text = decipher.update(bytes.subarray(IV + TAG), undefined, 'utf8') + decipher.final('utf8');
  return JSON.parse(text) as Record<string, unknown>;
}
