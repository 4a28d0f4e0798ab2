/** What people do about their own account: sign in, password, second factor, sessions. */
import { noAccount, type Own } from '../../application/console/own-account.js';
import type { People } from '../../application/console/people.js';
import type { Proof } from '../../application/console/proof.js';
import { notFound } from '../../application/provisioning/common.js';
import type { ReadModels } from '../../ports/read-models.js';
import { pathParam, type Call } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import { opened, sessionOf, type ConsoleDoor } from './authenticate.js';
import { presentSessions, signedInReply, type PageFacts } from './sessions.js';
import { created, nothing, unpaged, type AdminHandlers } from './support.js';

/** @throws Refusal no_account: programs and operators by link have no password */
export function ownOf(call: Call): Own {
  const session = sessionOf(call);
  if (session === undefined || session.member_uuid === null) throw noAccount();
  return {
    memberUuid: session.member_uuid,
    sessionUuid: session.session_uuid,
    address: call.address,
  };
}

export function accountRoutes(
  readModels: ReadModels,
  door: ConsoleDoor | null,
  ofPage: PageFacts,
): AdminHandlers {
  const people = (): People => opened(door).people;

  return {
    signInByPassword: async (call, proof: Proof & { readonly email: string }) =>
      signedInReply(readModels, ofPage, call, await people().signIn(proof, call.address)),

    acceptInvitation: async (
      call,
      { token, password }: { readonly token: string; readonly password: string },
    ) => signedInReply(readModels, ofPage, call, await people().accept(token, password, call.address)),

    confirmSession: async (call, proof: Proof) => {
      await people().confirm(ownOf(call), proof);
      return nothing;
    },

    getOwnAccount: async (call) => one(await people().own(ownOf(call).memberUuid)),

    changeOwnPassword: async (
      call,
      { present, password }: { readonly present: Proof; readonly password: string },
    ) => {
      await people().changePassword(ownOf(call), present, password);
      return nothing;
    },

    enrolTotp: async (call) => created(await people().enrolTotp(ownOf(call))),

    confirmTotp: async (call, { code }: { readonly code: string }) =>
      one({ recovery_codes: await people().confirmTotp(ownOf(call), code) }),

    removeTotp: async (call) => {
      await people().removeTotp(ownOf(call));
      return nothing;
    },

    listOwnSessions: async (call) => {
      const found = await opened(door).sessions.listOf(ownOf(call).memberUuid);
      return unpaged(await presentSessions(readModels, found));
    },

    endOwnSession: async (call) => {
      const { memberUuid } = ownOf(call);
      const { sessions } = opened(door);
      const uuid = pathParam(call.params, 'session_uuid');
      const open = await sessions.listOf(memberUuid);
      if (!open.some((session) => session.session_uuid === uuid)) throw notFound('session', 'session');
      await sessions.end(uuid);
      return nothing;
    },
  };
}
