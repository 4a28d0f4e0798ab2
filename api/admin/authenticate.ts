/**
 * Who calls the admin API: a program with the admin token, or a browser with the cookie of a console session. A call
 * with a cookie must come from the console's own page, under a name of this server.
 */
import type { Request } from 'express';
import { parseCookie } from 'cookie';
import { oidcOff, type OidcSignIn } from '../../application/console/oidc.js';
import type { People } from '../../application/console/people.js';
import type { Sessions } from '../../application/console/sessions.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import type { Call } from '../middleware/call.js';
import { isSecret } from '../secret-text.js';
import type { RoleCaller } from './access.js';

export const SESSION_COOKIE = 'recado_session';
/** The page sends it with every call. Foreign pages can't: a browser asks the server first, which never agrees. */
export const CONSOLE_HEADER = 'x-recado-console';

/** The console of a process; null where it is switched off. */
export interface ConsoleDoor {
  readonly sessions: Sessions;
  readonly people: People;
  /** Null where no identity provider is set up. */
  readonly oidc: OidcSignIn | null;
  /** Names of this server, without ports, as browsers send them. */
  readonly hosts: ReadonlySet<string>;
}

const OPERATOR: RoleCaller = { actor: 'admin', company: null, scopes: ['admin'], role: 'operator' };
/** May sign in, and nothing else. */
const VISITOR: RoleCaller = {
  actor: 'visitor',
  company: null,
  scopes: ['console:open'],
  role: 'visitor',
};
const SIGN_IN: ReadonlySet<string> = new Set([
  '/session',
  '/session/password',
  '/session/invitation',
  '/session/oidc',
  '/session/oidc/answer',
]);
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export type ConsoleCaller = RoleCaller;

/** @throws Refusal unauthenticated, host_not_allowed, cross_site_request */
export function authenticator(
  adminToken: string,
  door: ConsoleDoor | null,
): (req: Request) => Promise<ConsoleCaller> {
  const isToken = isSecret(adminToken);
  return async (req) => {
    const given = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
    if (given !== undefined && isToken(given)) return OPERATOR;
    if (given === undefined && door !== null) {
      if (req.method === 'POST' && SIGN_IN.has(req.path)) {
        requireOwnPage(req, door);
        return VISITOR;
      }
      const cookie = parseCookie(req.headers.cookie ?? '')[SESSION_COOKIE];
      if (cookie !== undefined) return bySession(req, door, cookie);
    }
    throw new Refusal('unauthenticated', 'Send the admin token as "Authorization: Bearer <ADMIN_TOKEN>".');
  };
}

async function bySession(req: Request, door: ConsoleDoor, cookie: string): Promise<ConsoleCaller> {
  requireOwnPage(req, door);
  const session = await door.sessions.find(cookie);
  if (session === null) {
    throw new Refusal('unauthenticated', 'The session has ended. Sign in again.');
  }
  const { actor, role, company_uuid: company, member_uuid: member, proved_at: provedAt } = session;
  const caller = { actor, company, role, scopes: OPERATOR.scopes, session };
  return member === null ? caller : { ...caller, provedAt };
}

function requireOwnPage(req: Request, { hosts }: ConsoleDoor): void {
  const host = hostName(req.headers.host ?? '');
  if (!hosts.has(host)) {
    throw new Refusal(
      'host_not_allowed',
      `The console is not served under the name ${JSON.stringify(host.slice(0, 100))}. Add it to CONSOLE_HOSTS if it is yours.`,
    );
  }
  const from = req.headers['sec-fetch-site'];
  const foreign = from !== undefined && from !== 'same-origin' && from !== 'none';
  if (foreign || (!SAFE.has(req.method) && req.headers[CONSOLE_HEADER] === undefined)) {
    throw new Refusal(
      'cross_site_request',
      `A call with a session must come from the console's own page, with the header ${CONSOLE_HEADER}. Programs use the admin token.`,
    );
  }
}

/** The caller of an operation of the admin API, which all go through `authenticateAdmin`. */
export const consoleCaller = ({ caller }: Pick<Call, 'caller'>): ConsoleCaller => caller as ConsoleCaller;

/** Undefined for a program with the admin token. */
export const sessionOf = (call: Pick<Call, 'caller'>): ConsoleSessionDoc | undefined =>
  consoleCaller(call).session;

/** @throws Refusal console_off */
export function opened(door: ConsoleDoor | null): ConsoleDoor {
  if (door !== null) return door;
  throw new Refusal('console_off', 'The console is switched off. Start the server with CONSOLE=on.');
}

/** @throws Refusal console_off, oidc_off */
export function openedOidc(door: ConsoleDoor | null): OidcSignIn {
  const { oidc } = opened(door);
  if (oidc === null) throw oidcOff();
  return oidc;
}

/** Without the port, in lower case. */
export const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');
