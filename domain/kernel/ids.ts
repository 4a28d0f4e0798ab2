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

/** UUID version 5 of the parts. They are joined so that different lists of parts can't collide. */
export function deriveId(...parts: readonly (string | number)[]): string {
  let joined = '';
  for (const part of parts) {
    const text = String(part);
    joined += `${text.length}:${text}`;
  }
  // One call takes half the time of a Hash object, and every event has such an id.
  return formatUuid(hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(joined)]), 'hex'), '5');
}

/**
 * Like deriveId, but not computable without the deployment's secret. For ids made from personal data (a phone): the
 * plain hash of a phone number can be found by trying all numbers.
 */
export function deriveSecretId(secret: Uint8Array, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${part.length}:${part}`);
  return formatUuid(hmac.digest('hex'), '8');
}

/** Of the first 32 digits, with those that say which version and variant it is. */
function formatUuid(hex: string, version: string): string {
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
