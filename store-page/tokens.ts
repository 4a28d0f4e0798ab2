/**
 * Signatures of the page, with a key of its own. Each covers its purpose and its store, so that one can't be used in
 * place of another.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveSecretId } from '../domain/kernel/ids.js';

/** 128 bits: can't be found by trial. */
const MAC_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{22}$/;

export function signature(secret: Uint8Array, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${part.length}:${part}`);
  return hmac.digest().subarray(0, MAC_BYTES).toString('base64url');
}

/** Compares in constant time. */
export function matches(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

export const randomId = (): string => randomBytes(MAC_BYTES).toString('base64url');
export const isRandomId = (text: string): boolean => ID.test(text);

export interface CheckoutToken {
  /** The order that this form places; sending the form again gives the same order. */
  readonly orderUuid: string;
  readonly issuedAt: number;
}

interface Form {
  readonly storeUuid: string;
  /** Session of the visitor's cart cookie: a form that another site sends comes without the cookie. */
  readonly session: string;
}

/**
 * Makes the token of the checkout form.
 * @param now milliseconds
 */
export function makeCheckoutToken(secret: Uint8Array, form: Form, now: number): string {
  const body = `${randomId()}.${now.toString(36)}`;
  return `${body}.${checkoutMac(secret, form, body)}`;
}

/** Null when the token was not made here, for this store and this visitor. The caller checks its age. */
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

/** The unguessable part of a confirmation page's address. */
export const orderKey = (secret: Uint8Array, storeUuid: string, orderUuid: string): string =>
  signature(secret, 'order-page', storeUuid, orderUuid);
