/** Sign-in to the console, and who is signed in. */
import { stringifySetCookie } from 'cookie';
import type { Reveals } from '../../application/console/reveals.js';
import type { SignedIn } from '../../application/console/sessions.js';
import type { App } from '../../application/app.js';
import type { Position } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
import { companies } from '../../read-models/companies.js';
import type { ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import { team } from '../../read-models/team.js';
import { pathParam, type Call, type Reply } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import {
  hostName,
  opened,
  SESSION_COOKIE,
  sessionOf,
  consoleCaller,
  type ConsoleDoor,
} from './authenticate.js';
import { presentReveal } from './reveals.js';
import { created, nothing, unpaged, type AdminHandlers } from './support.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export async function presentSession(readModels: ReadModels, doc: ConsoleSessionDoc) {
  const [person, company] = await Promise.all([
    doc.member_uuid === null ? undefined : readModels.get(team.name, doc.member_uuid),
    doc.company_uuid === null ? undefined : readModels.get(companies.name, doc.company_uuid),
  ]);
  return {
    uuid: doc.session_uuid,
    actor: doc.actor,
    role: doc.role,
    company_uuid: doc.company_uuid,
    company_name: company?.doc.name ?? null,
    member_uuid: doc.member_uuid,
    name: person?.doc.name ?? null,
    created_at: doc.created_at,
    seen_at: doc.seen_at,
    proved_at: doc.proved_at,
    expires_at: doc.expires_at,
    signed_in_by: doc.signed_in_by ?? null,
  };
}

export const presentSessions = (readModels: ReadModels, docs: readonly ConsoleSessionDoc[]) =>
  Promise.all(docs.map((doc) => presentSession(readModels, doc)));

/** Waits no longer for read models before it tells a page from where it follows them. */
const SHOWN_WITHIN_MS = 250;

/** What a page of the console needs besides, once. */
export type PageFacts = () => Promise<{ readonly api_url: string; readonly live_after: Position | null }>;

export function pageFacts(
  { store, readModelsReached, publicUrl }: Pick<App, 'store' | 'readModelsReached' | 'publicUrl'>,
  inStep: () => Promise<boolean>,
): PageFacts {
  return async () => {
    const head = await store.head();
    const shown = (await readModelsReached(head, SHOWN_WITHIN_MS)) && (await inStep());
    return { api_url: `${publicUrl()}/api/v1`, live_after: shown ? head : null };
  };
}

export async function signedInReply(
  readModels: ReadModels,
  ofPage: PageFacts,
  call: Call,
  { token, session }: SignedIn,
): Promise<Reply> {
  const expires = new Date(session.expires_at);
  const shown = created({ ...(await presentSession(readModels, session)), ...(await ofPage()) });
  return { ...shown, headers: { 'Set-Cookie': cookie(call, token, expires) } };
}

export function sessionRoutes(
  readModels: ReadModels,
  door: ConsoleDoor | null,
  reveals: Pick<Reveals, 'listOf'>,
  ofPage: PageFacts,
): AdminHandlers {
  return {
    makeSignInLink: async () => {
      const { token, expiresAt } = await opened(door).sessions.makeLink();
      return created({ token, expires_at: expiresAt });
    },

    signIn: async (call, { link_token }: { readonly link_token: string }) =>
      signedInReply(readModels, ofPage, call, await opened(door).sessions.signIn(link_token)),

    getSession: async (call) => {
      const session = sessionOf(call);
      if (session !== undefined) {
        const shown = session.role === 'viewer' ? await reveals.listOf(session.session_uuid) : [];
        return one({
          ...(await presentSession(readModels, session)),
          ...(await ofPage()),
          reveals: shown.map(presentReveal),
        });
      }
      const { actor, role, company } = consoleCaller(call);
      return one({ uuid: null, actor, role, company_uuid: company, ...(await ofPage()) });
    },

    signOut: async (call) => {
      const session = sessionOf(call);
      if (session !== undefined) await opened(door).sessions.end(session.session_uuid);
      return { ...nothing, headers: { 'Set-Cookie': cookie(call, '', new Date(0)) } };
    },

    listSessions: async () => unpaged(await presentSessions(readModels, await opened(door).sessions.list())),

    endSession: async ({ params }) => {
      await opened(door).sessions.end(pathParam(params, 'session_uuid'));
      return nothing;
    },
  };
}

/** Of the session. */
export const cookie = (call: Call, value: string, expires: Date): string =>
  ownCookie(call, { name: SESSION_COOKIE, path: '/' }, value, expires);

/**
 * Without https a browser keeps it only of this machine: a password of a network would be read by everybody in it.
 */
export const ownCookie = (
  { headers }: Call,
  { name, path }: { readonly name: string; readonly path: string },
  value: string,
  expires: Date,
): string =>
  stringifySetCookie({
    name,
    value,
    expires,
    httpOnly: true,
    sameSite: 'strict',
    path,
    secure: !LOOPBACK.has(hostName(headers.host ?? '')),
  });
