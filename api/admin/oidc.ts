/** Sign-in at the identity provider: its begin, and the answer with which the browser comes back. */
import { parseCookie } from 'cookie';
import type { Begun } from '../../application/console/oidc.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { Call, Reply } from '../middleware/call.js';
import { ownOf } from './account.js';
import { hostName, opened, openedOidc, type ConsoleDoor } from './authenticate.js';
import { cookie, ownCookie, presentSession } from './sessions.js';
import { ADMIN_PATH, created, nothing, type AdminHandlers } from './support.js';

/** Sent to the answer's operation only. It needs no `Lax`: the page that the provider leads to makes a call of its own. */
const ATTEMPT_COOKIE = { name: 'recado_oidc', path: `${ADMIN_PATH}/session/oidc` };

const begunReply = (call: Call, { url, attempt, expiresAt }: Begun): Reply => ({
  ...created({ url, expires_at: expiresAt }),
  headers: { 'Set-Cookie': ownCookie(call, ATTEMPT_COOKIE, attempt, new Date(expiresAt)) },
});

export function oidcRoutes(readModels: ReadModels, door: ConsoleDoor | null): AdminHandlers {
  /** @throws Refusal console_off, oidc_off, host_not_allowed: the browser would come back without its cookie */
  const atHome = ({ headers }: Call) => {
    const oidc = openedOidc(door);
    const { host, address } = oidc.home();
    if (hostName(headers.host ?? '') === host) return oidc;
    throw new Refusal(
      'host_not_allowed',
      `${oidc.name} sends browsers back to ${address}. Open the console under this address, and sign in there.`,
    );
  };

  return {
    beginOidcSignIn: async (call, { invitation }: { readonly invitation?: string }) =>
      begunReply(call, await atHome(call).begin(invitation, call.address)),

    answerOidc: async (call, { answer }: { readonly answer: string }) => {
      const attempt = parseCookie(call.headers.cookie ?? '')[ATTEMPT_COOKIE.name] ?? '';
      const done = await openedOidc(door).finish(attempt, answer, call.address);
      const { purpose, signedIn, session } = done;
      const reply = created({ purpose, session: await presentSession(readModels, session) });
      if (signedIn === null) return reply;
      const expires = new Date(session.expires_at);
      return { ...reply, headers: { 'Set-Cookie': cookie(call, signedIn.token, expires) } };
    },

    linkOidc: async (call) =>
      begunReply(call, await atHome(call).beginLink(ownOf(call).sessionUuid, call.address)),

    confirmSessionByOidc: async (call) =>
      begunReply(call, await atHome(call).beginConfirmation(ownOf(call).sessionUuid, call.address)),

    unlinkOidc: async (call) => {
      await opened(door).people.unlinkSubject(ownOf(call).memberUuid);
      return nothing;
    },
  };
}
