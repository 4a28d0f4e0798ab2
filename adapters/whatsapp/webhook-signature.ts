import { createHmac, timingSafeEqual } from 'node:crypto';

/** Value of `X-Hub-Signature-256` over exactly these bytes. */
export function signWebhook(rawBody: Uint8Array, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`;
}

/**
 * Whether the header signs these bytes, compared in constant time. The bytes must be those received: Meta escapes
 * non-ASCII characters, so a body that was parsed and serialised again never matches.
 */
export function verifyWebhookSignature(
  rawBody: Uint8Array,
  header: string | undefined,
  appSecret: string,
): boolean {
  if (header === undefined || !/^sha256=[0-9a-f]{64}$/i.test(header)) return false;
  const given = Buffer.from(header.slice('sha256='.length), 'hex');
  return timingSafeEqual(given, createHmac('sha256', appSecret).update(rawBody).digest());
}
