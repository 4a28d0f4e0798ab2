/**
 * Access control of the demo's inbox, which shows messages in plain text. Allowed are browsers on this machine, under
 * one of its own names (so that a foreign page can't point its own name here), and callers with the admin token.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { parseCookie } from 'cookie';

const COOKIE = 'recado_inbox';
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** @param token the admin token */
export function admitToInbox(token: string): RequestHandler {
  // The cookie gives access to the inbox only.
  const pass = createHmac('sha256', token).update('inbox').digest('base64url');
  return (request, response, next) => {
    const given = request.query['token'];
    if (typeof given === 'string' && same(given, token)) {
      response.cookie(COOKIE, pass, { httpOnly: true, sameSite: 'strict', path: request.baseUrl || '/' });
      // The redirect removes the token from the address bar.
      return response.redirect(303, request.baseUrl + request.path);
    }
    if (isFromHere(request) || same(parseCookie(request.get('cookie') ?? '')[COOKIE] ?? '', pass))
      return next();
    refuse(response);
  };
}

function isFromHere(request: Request): boolean {
  // A proxy on this machine forwards requests of others.
  if (request.get('x-forwarded-for') !== undefined || request.get('forwarded') !== undefined) return false;
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const name = (request.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') && OWN_NAMES.has(name);
}

function refuse(response: Response): void {
  response
    .status(403)
    .type('text/plain')
    .send(
      'The inbox shows messages, so it opens on the machine that Recado runs on, as http://127.0.0.1:<port>/inbox. ' +
        'From elsewhere open /inbox?token=<admin_token>, with the admin_token of credentials.json in the data folder.\n',
    );
}

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};
