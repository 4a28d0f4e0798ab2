/** How pages go out: what browsers may do with them, who may keep them, and for how long. */
import type { Response } from 'express';
import { stringifySetCookie } from 'cookie';
import { etagOf, sendText } from '../api/content-coding.js';
import { unitsIn, writeCart, type Cart } from './cart.js';
import { CART_COOKIE, UNITS_COOKIE, type StorePageDeps, type Visit } from './visit.js';

/** Everything from this host, nothing inline: what slips through escaping still does not run. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** How long a page that is the same for everybody may be shown without asking; prices are checked again on ordering. */
const SHARED_SECONDS = 30;
const CART_SECONDS = 30 * 24 * 3600;

function secure(res: Response): void {
  res.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    // An order's address is a secret: it goes to nobody else. Forms of ours still say where they come from.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  });
}

/** The same for everybody who asks for this address. */
export function sendShared(res: Response, body: string, type = 'html', seconds = SHARED_SECONDS): void {
  secure(res);
  res.set({ ETag: etagOf(body), 'Cache-Control': `public, max-age=${seconds}` });
  sendText(res.type(type), body);
}

/** For this visitor alone, now. */
export function sendPrivate(res: Response, status: number, page: string): void {
  secure(res);
  res.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
  sendText(res.status(status).type('html'), page);
}

/** After a form, or to where a page is now. @param address relative, of this store: never made from what was sent */
export function sendOn(res: Response, status: 301 | 303 | 308, address: string): void {
  secure(res);
  res.set('Cache-Control', status === 303 ? 'private, no-store' : 'public, max-age=300');
  res.redirect(status, address);
}

/** Lax: the cookie stays away from forms that other sites send here. */
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
