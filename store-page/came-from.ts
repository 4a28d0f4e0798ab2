/**
 * Attribution of a visitor: the parameters of the address they first opened, which the script stores in a cookie. They
 * are recorded with the order, under the keys of the tracking convention (spec §2, ContactWrite); other keys are
 * ignored.
 */
import type { Request } from 'express';
import { parseCookie } from 'cookie';
import { trackingOf } from '../domain/policies/tracking.js';

const COOKIE = 'recado_from';
const MAX_VALUE = 200;

export function cameFrom(req: Pick<Request, 'get'>): Readonly<Record<string, string>> {
  const said = parseCookie(req.get('cookie') ?? '')[COOKIE];
  if (said === undefined) return {};
  const fields = Object.fromEntries(
    [...new URLSearchParams(said)].map(([key, value]) => [
      key,
      Array.from(value).slice(0, MAX_VALUE).join(''),
    ]),
  );
  return (trackingOf(fields) ?? {}) as Readonly<Record<string, string>>;
}
