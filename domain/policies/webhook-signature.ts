/**
 * Signatures of webhook deliveries: those of spec §6, and those of Standard Webhooks 1.0. Receivers may thus verify by
 * the recipe of the spec, with Stripe's library, or with any Standard Webhooks library.
 *
 * One secret serves both: `whsec_` and the base64 of 32 random bytes.
 * - `Service-Signature`: the key is the whole secret as text (its UTF-8 bytes, prefix included). This is the plain
 *   reading of the spec, and the way of Stripe's `constructEvent`.
 * - `webhook-signature`: the key is the decoded base64 after `whsec_`, as Standard Webhooks specifies.
 */
import {
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret prepared for signing. That costs more than a signature, so callers keep the result. */
export interface SigningKey {
  readonly text: KeyObject;
  readonly decoded: KeyObject;
}

export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Identifies a secret in logs and attempt records without revealing it: 12 hex characters of its SHA-256. */
export const secretFingerprint = (secret: string): string =>
  createHash('sha256').update(secret, 'utf8').digest('hex').slice(0, 12);

/** A secret without the prefix (chosen by an integrator) is its own key under both schemes. */
export function signingKey(secret: string): SigningKey {
  const text = createSecretKey(Buffer.from(secret, 'utf8'));
  if (!secret.startsWith(SECRET_PREFIX)) return { text, decoded: text };
  return { text, decoded: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')) };
}

type Secret = string | SigningKey;
const keyOf = (secret: Secret): SigningKey => (typeof secret === 'string' ? signingKey(secret) : secret);

/**
 * `v1=<64 lower-case hex>`, one entry for each secret in the order given (current first, then the previous one during
 * its 24-hour overlap). Signed text: `{timestamp}.{rawBody}`.
 */
export function serviceSignature(input: {
  /** Unix seconds, as sent in `Service-Timestamp`. */
  readonly timestamp: number | string;
  readonly rawBody: Uint8Array | string;
  readonly secrets: readonly Secret[];
}): string {
  const head = `${input.timestamp}.`;
  return input.secrets
    .map((secret) => {
      const hmac = createHmac('sha256', keyOf(secret).text).update(head);
      return `v1=${hmac.update(input.rawBody).digest('hex')}`;
    })
    .join(',');
}

/** `v1,<base64>`, space-separated, one entry for each secret. Signed text: `{id}.{timestamp}.{rawBody}`. */
export function standardWebhooksSignature(input: {
  readonly id: string;
  readonly timestamp: number | string;
  readonly rawBody: Uint8Array | string;
  readonly secrets: readonly Secret[];
}): string {
  const head = `${input.id}.${input.timestamp}.`;
  return input.secrets
    .map((secret) => {
      const hmac = createHmac('sha256', keyOf(secret).decoded).update(head);
      return `v1,${hmac.update(input.rawBody).digest('base64')}`;
    })
    .join(' ');
}

/**
 * How old (or how far ahead) a timestamp may be, in seconds; the same as in the libraries of Stripe and Standard
 * Webhooks.
 */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

export type Verification = 'valid' | 'malformed' | 'mismatch' | 'stale';

/** The receiver's side of spec §6: accepts any `v1` entry made with any of the secrets. Compares in constant time. */
export function verifyServiceSignature(input: {
  readonly timestamp: string;
  readonly signature: string;
  readonly rawBody: Uint8Array | string;
  readonly secrets: readonly Secret[];
  /** Unix seconds. */
  readonly now: number;
}): Verification {
  const wellFormed = /^v1=[a-f0-9]{64}(,v1=[a-f0-9]{64})?$/.test(input.signature);
  if (!wellFormed || !/^[0-9]+$/.test(input.timestamp)) return 'malformed';
  const given = input.signature.split(',').map((entry) => Buffer.from(entry));
  const matches = input.secrets.some((secret) => {
    const expected = Buffer.from(serviceSignature({ ...input, secrets: [secret] }));
    return given.some((entry) => timingSafeEqual(entry, expected));
  });
  if (!matches) return 'mismatch';
  return Math.abs(input.now - Number(input.timestamp)) > TIMESTAMP_TOLERANCE_SECONDS ? 'stale' : 'valid';
}
