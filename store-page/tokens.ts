/**
 * Signatures of the page, under a key of its own. Each says what it is for and which store it belongs to, so that none
 * can stand in for another.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveSecretId } from '../domain/kernel/ids.js';

/** 128 bits: nobody finds one by trying. */
const MAC_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{22}$/;

export function signature(secret: Uint8Array, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${part.length}:${part}`);
  return hmac.digest().subarray(0, MAC_BYTES).toString('base64url');
}

/** In time that does not depend on where the first difference is. */
export function matches(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

export const randomId = (): string => randomBytes(MAC_BYTES).toString('base64url');
export const isRandomId = (text: string): boolean => ID.test(text);

export interface CheckoutToken {
  /** The order that this form makes, however often it is sent. */
  readonly orderUuid: string;
  readonly issuedAt: number;
}

interface Form {
  readonly storeUuid: string;
  /** Of the visitor's cart cookie: a form sent from elsewhere comes without it. */
  readonly session: string;
}

/** For the checkout form. @param now milliseconds */
export function makeCheckoutToken(secret: Uint8Array, form: Form, now: number): string {
  const body = `${randomId()}.${now.toString(36)}`;
  return `${body}.${checkoutMac(secret, form, body)}`;
}

/** Null when it was not made here, for this store and this visitor. Its age is the caller's to judge. */
export function readCheckoutToken(secret: Uint8Array, form: Form, token: string): CheckoutToken | null {
  const [nonce = '', issued = '', mac = '', ...more] = token.split('.');
  if (more.length > 0 || !isRandomId(nonce) || !/^[0-9a-z]{1,11}$/.test(issued)) return null;
  if (!matches(mac, checkoutMac(secret, form, `${nonce}.${issued}`))) return null;
  return {
    orderUuid: deriveSecretId(secret, 'checkout-order', form.storeUuid, form.session, nonce),
    issuedAt: parseInt(issued, 36),
  };
}

const checkoutMac = (secret: Uint8Array, { storeUuid, session }: Form, body: string): string =>
  signature(secret, 'checkout', storeUuid, session, body);

/** The part of a confirmation page's address that nobody can guess. */
export const orderKey = (secret: Uint8Array, storeUuid: string, orderUuid: string): string =>
  signature(secret, 'order-page', storeUuid, orderUuid);
