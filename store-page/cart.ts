/**
 * The cart: a signed cookie, with nothing on the server and no personal data. Each line stores the price that the
 * visitor saw, so that a change can be pointed out.
 */
import { isRandomId, matches, randomId, signature } from './tokens.js';

export interface CartLine {
  readonly productUuid: string;
  readonly variantUuid: string | null;
  readonly quantity: number;
  /** Cents per unit, as the visitor last saw it. */
  readonly seenCents: number;
}

export interface Cart {
  /** Random; forms are bound to it. */
  readonly session: string;
  readonly lines: readonly CartLine[];
}

/** Keeps the cookie well below the 4 KB that browsers store (RFC 6265 §6.1). */
export const MAX_LINES = 40;
/** Limit of one line. */
export const MAX_QUANTITY = 999;

const VERSION = '1';

export const emptyCart = (): Cart => ({ session: randomId(), lines: [] });

/** Identifies a line in forms; equal for the same product and variant. */
export const lineKey = (line: Pick<CartLine, 'productUuid' | 'variantUuid'>): string =>
  line.variantUuid ?? line.productUuid;

/** Uses only characters that need no escaping in a cookie or by `encodeURIComponent`. */
export function writeCart(secret: Uint8Array, storeUuid: string, cart: Cart): string {
  const lines = cart.lines
    .map(({ productUuid, variantUuid, quantity, seenCents }) =>
      [
        shorten(productUuid),
        variantUuid === null ? '' : shorten(variantUuid),
        base36(quantity),
        base36(seenCents),
      ].join('!'),
    )
    .join('~');
  const body = `${VERSION}.${cart.session}.${lines}`;
  return `${body}.${signature(secret, 'cart', storeUuid, body)}`;
}

/** Null for a cookie that was not written here for this store. */
export function readCart(secret: Uint8Array, storeUuid: string, cookie: string): Cart | null {
  const end = cookie.lastIndexOf('.');
  const body = cookie.slice(0, Math.max(0, end));
  if (!matches(cookie.slice(end + 1), signature(secret, 'cart', storeUuid, body))) return null;
  const [version, session = '', lines = ''] = body.split('.');
  if (version !== VERSION || !isRandomId(session)) return null;
  return { session, lines: lines === '' ? [] : lines.split('~').map(readLine) };
}

function readLine(text: string): CartLine {
  const [product = '', variant = '', quantity = '', seen = ''] = text.split('!');
  return {
    productUuid: lengthen(product),
    variantUuid: variant === '' ? null : lengthen(variant),
    quantity: parseInt(quantity, 36),
    seenCents: parseInt(seen, 36),
  };
}

const base36 = (number: number): string => number.toString(36);
const shorten = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
const lengthen = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Adds to the line of the same goods, or adds a new line. Null when the cart has no room for another line. */
export function addLine(cart: Cart, added: CartLine): Cart | null {
  const key = lineKey(added);
  const known = cart.lines.find((line) => lineKey(line) === key);
  if (!known) {
    return cart.lines.length >= MAX_LINES ? null : { ...cart, lines: [...cart.lines, added] };
  }
  const quantity = Math.min(MAX_QUANTITY, known.quantity + added.quantity);
  return {
    ...cart,
    lines: cart.lines.map((line) => (line === known ? { ...added, quantity } : line)),
  };
}

/** Sets new quantities by key; 0 removes the line, and lines without a new quantity stay. */
export function withQuantities(cart: Cart, quantities: ReadonlyMap<string, number>): Cart {
  const lines = cart.lines
    .map((line) => ({ ...line, quantity: quantities.get(lineKey(line)) ?? line.quantity }))
    .filter(({ quantity }) => quantity > 0);
  return { ...cart, lines };
}

/** A whole number from `least` to MAX_QUANTITY, larger ones cut to it; null for anything else. */
export function readQuantity(text: unknown, least: 0 | 1): number | null {
  if (typeof text !== 'string' || !/^\s*\d{1,15}\s*$/.test(text)) return null;
  const quantity = Number(text);
  return quantity < least ? null : Math.min(quantity, MAX_QUANTITY);
}

export const unitsIn = ({ lines }: Cart): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);
