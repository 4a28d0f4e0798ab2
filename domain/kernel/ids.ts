/** Deterministic identifiers: the same inputs give the same UUID, so that a repeated reaction is recognised. */
import { createHmac, hash } from 'node:crypto';

declare const KIND: unique symbol;

/**
 * A uuid of one kind. The compiler takes a plain string for it, as requests and events hold them, but no id of another
 * kind. Exists in types only.
 */
export type Id<Kind extends string> = string & { readonly [KIND]?: Kind };

export type CompanyUuid = Id<'company'>;
export type ChannelUuid = Id<'channel'>;
export type ContactUuid = Id<'contact'>;
export type ConversationUuid = Id<'conversation'>;
export type OperationUuid = Id<'operation'>;

const NAMESPACE = Buffer.from('6f0c3a7e5b1d4c2f9a8e7d6c5b4a3f21', 'hex');
/** The namespace, and room for parts after it. Longer ones get memory of their own. */
const scratch = Buffer.alloc(1_024);
NAMESPACE.copy(scratch);
/** Bytes of UTF-8 for a code unit, at most. */
const WIDEST = 3;

/** UUID version 5 of the parts. They are joined so that different lists of parts can't collide. */
export function deriveId(...parts: readonly (string | number)[]): string {
  let joined = '';
  for (const part of parts) {
    const text = String(part);
    joined += `${text.length}:${text}`;
  }
  // One call takes half the time of a Hash object, and every event has such an id.
  return formatUuid(hash('sha1', named(joined), 'hex'), VERSION_5);
}

/** The id with another beginning. Ids that begin alike are neighbours in an index. */
export const beginningWith = (head: string, id: string): string => head + id.slice(head.length);

/** The namespace and the name after it; valid until the next call. */
function named(name: string): Uint8Array {
  if (NAMESPACE.length + name.length * WIDEST > scratch.length)
    return Buffer.concat([NAMESPACE, Buffer.from(name)]);
  return scratch.subarray(0, NAMESPACE.length + scratch.write(name, NAMESPACE.length));
}

/**
 * Like deriveId, but not computable without the deployment's secret. For ids made from personal data (a phone): the
 * plain hash of a phone number can be found by trying all numbers.
 */
export function deriveSecretId(secret: Uint8Array, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${part.length}:${part}`);
  return formatUuid(hmac.digest('hex'), VERSION_8);
}

const VERSION_5 = '5'.charCodeAt(0);
const VERSION_8 = '8'.charCodeAt(0);
const VARIANTS = Buffer.from('89ab');
const VERSION_AT = 14;
const VARIANT_AT = 19;
const FORM = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
/** Where each of the 32 digits goes. */
const PLACES = [...FORM].flatMap((sign, place) => (sign === '-' ? [] : [place]));
const uuid = Buffer.from(FORM);

/**
 * Of the first 32 digits, with those that say which version and variant it is. One piece of memory: a text put together
 * from slices stays a tree of them, and caches would keep that.
 */
function formatUuid(hex: string, version: number): string {
  for (let digit = 0; digit < PLACES.length; digit += 1) uuid[PLACES[digit]!] = hex.charCodeAt(digit);
  uuid[VARIANT_AT] = VARIANTS[parseInt(hex.charAt(16), 16) & 0x3]!;
  uuid[VERSION_AT] = version;
  return uuid.toString('latin1');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
