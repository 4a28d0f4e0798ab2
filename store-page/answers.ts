/** How pages are sent: security headers, and who may cache a page for how long. */
import type { Response } from 'express';
import { stringifySetCookie } from 'cookie';
import { etagOf, sendText } from '../api/content-coding.js';
import { unitsIn, writeCart, type Cart } from './cart.js';
import { CART_COOKIE, UNITS_COOKIE, type StorePageDeps, type Visit } from './visit.js';

/** Only content of this host, nothing inline: markup that slips through escaping still can't run. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** How long a page that is the same for all visitors may be cached; an order checks the prices again. */
const SHARED_SECONDS = 30;
const CART_SECONDS = 30 * 24 * 3600;

function secure(res: Response): void {
  res.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    // An order's address is a secret, so other sites never receive it. Our own forms still send their origin.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  });
}

/** Sends a page that is the same for all visitors. */
export function sendShared(res: Response, body: string, type = 'html', seconds = SHARED_SECONDS): void {
  secure(res);
  res.set({ ETag: etagOf(body), 'Cache-Control': `public, max-age=${seconds}` });
  sendText(res.type(type), body);
}

/** Sends a page for this visitor only; it is never cached. */
export function sendPrivate(res: Response, status: number, page: string): void {
  secure(res);
  res.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
  sendText(res.status(status).type('html'), page);
}

/**
 * Redirects after a form, or to the current address of a page.
 * @param address relative, within this store: never built from user input
 */
export function sendOn(res: Response, status: 301 | 303 | 308, address: string): void {
  secure(res);
  res.set('Cache-Control', status === 303 ? 'private, no-store' : 'public, max-age=300');
  res.redirect(status, address);
}

/** Lax: browsers don't send the cookie with forms of other sites. */
export function setCart(res: Response, { secret }: StorePageDeps, visit: Visit, cart: Cart): void {
  const common = {
    path: visit.home,
    maxAge: CART_SECONDS,
    sameSite: 'lax',
    secure: visit.origin.startsWith('https:'),
  } as const;
  const value = writeCart(secret, visit.store.uuid, cart);
  res.append('Set-Cookie', stringifySetCookie({ ...common, name: CART_COOKIE, value, httpOnly: true }));
  const units = String(unitsIn(cart));
  res.append('Set-Cookie', stringifySetCookie({ ...common, name: UNITS_COOKIE, value: units }));
}
