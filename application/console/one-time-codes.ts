/** The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for who has lost it. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** For the app; in base 32. */
export const newSecret = (): string => base32(randomBytes(SECRET_BYTES));

/** What the QR code of an app has. */
export function enrolmentUri(secret: string, account: string): string {
  const label = `Recado:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=Recado&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

/**
 * The time step of a right code, null for a wrong one. The step before and the one after count too, because clocks
 * differ.
 * @param after the step of the last code that was used: no code works twice
 */
export function stepOf(secret: string, code: string, now: number, after: number): number | null {
  const current = Math.floor(now / STEP_MS);
  const given = Buffer.from(code.replaceAll(/\s/g, ''));
  for (const step of [current, current - 1, current + 1]) {
    const right = Buffer.from(codeAt(secret, step));
    if (step > after && given.length === right.length && timingSafeEqual(given, right)) return step;
  }
  return null;
}

/** The code of an app at a time. */
export const codeOf = (secret: string, now: number): string => codeAt(secret, Math.floor(now / STEP_MS));

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac[mac.length - 1] ?? 0) & 0x0f) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Such as `k3vq-7m2x-pa4c-zz5n`: 80 random bits each. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES))
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );

/** Lower-case hex. They are random enough for one quick hash. */
export const recoveryDigest = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
    .digest('hex');

function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.replace(/.{1,5}/g, (five) => BASE32[parseInt(five.padEnd(5, '0'), 2)] ?? '');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)));
}
