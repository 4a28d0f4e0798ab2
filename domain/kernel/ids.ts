/** Deterministic identifiers: the same inputs give the same UUID, so that a repeated reaction is recognised. */
import { createHash, createHmac } from 'node:crypto';

const NAMESPACE = Buffer.from('6f0c3a7e5b1d4c2f9a8e7d6c5b4a3f21', 'hex');

/** UUID version 5 of the parts. They are joined so that different lists of parts can't collide. */
export function deriveId(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE);
  for (const part of parts) {
    const text = String(part);
    hash.update(`${text.length}:${text}`);
  }
  return formatUuid(hash.digest(), 0x50);
}

/**
 * Like deriveId, but not computable without the deployment's secret. For ids made from personal data (a phone): the
 * plain hash of a phone number can be found by trying all numbers.
 */
export function deriveSecretId(secret: Uint8Array, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${part.length}:${part}`);
  return formatUuid(hmac.digest(), 0x80);
}

/** Of the first 16 bytes, with the bits that say which version and variant it is. */
function formatUuid(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | version;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
