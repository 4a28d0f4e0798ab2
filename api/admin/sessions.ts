/** Sign-in to the console, and who is signed in. */
import { stringifySetCookie } from 'cookie';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import { pathParam, type Call } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import { hostName, SESSION_COOKIE, type ConsoleCaller, type ConsoleDoor } from './authenticate.js';
import { created, nothing, unpaged, type AdminHandlers } from './support.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const present = (doc: ConsoleSessionDoc) => ({
  uuid: doc.session_uuid,
  actor: doc.actor,
  role: doc.role,
  company_uuid: doc.company_uuid,
  created_at: doc.created_at,
  seen_at: doc.seen_at,
  expires_at: doc.expires_at,
});

export function sessionRoutes(door: ConsoleDoor | null): AdminHandlers {
  const opened = (): ConsoleDoor => {
    if (door !== null) return door;
    throw new Refusal('console_off', 'The console is switched off. Start the server with CONSOLE=on.');
  };
  const own = ({ caller }: Call): ConsoleSessionDoc | undefined => (caller as ConsoleCaller).session;

  return {
    makeSignInLink: async () => {
      const { token, expiresAt } = await opened().sessions.makeLink();
      return created({ token, expires_at: expiresAt });
    },

    signIn: async (call, { link_token }: { readonly link_token: string }) => {
      const { token, session } = await opened().sessions.signIn(link_token);
      const expires = new Date(session.expires_at);
      return { ...created(present(session)), headers: { 'Set-Cookie': cookie(call, token, expires) } };
    },

    getSession: async (call) => {
      const session = own(call);
      if (session !== undefined) return one(present(session));
      const { actor, role, company } = call.caller as ConsoleCaller;
      return one({ uuid: null, actor, role, company_uuid: company });
    },

    signOut: async (call) => {
      const session = own(call);
      if (session !== undefined) await opened().sessions.end(session.session_uuid);
      return { ...nothing, headers: { 'Set-Cookie': cookie(call, '', new Date(0)) } };
    },

    listSessions: async () => unpaged((await opened().sessions.list()).map(present)),

    endSession: async ({ params }) => {
      await opened().sessions.end(pathParam(params, 'session_uuid'));
      return nothing;
    },
  };
}

/** Without https a browser keeps it only of this machine: a password of a network would be read by everybody in it. */
const cookie = ({ headers }: Call, value: string, expires: Date): string =>
  stringifySetCookie({
    name: SESSION_COOKIE,
    value,
    expires,
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    secure: !LOOPBACK.has(hostName(headers.host ?? '')),
  });
