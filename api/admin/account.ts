/** What people do about their own account: sign in, password, second factor, sessions. */
import { noAccount, type Own, type People, type Proof } from '../../application/console/people.js';
import { notFound } from '../../application/provisioning/common.js';
import type { ReadModels } from '../../ports/read-models.js';
import { pathParam, type Call } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import { opened, sessionOf, type ConsoleDoor } from './authenticate.js';
import { presentSessions, signedInReply } from './sessions.js';
import { created, nothing, unpaged, type AdminHandlers } from './support.js';

export function accountRoutes(readModels: ReadModels, door: ConsoleDoor | null): AdminHandlers {
  const people = (): People => opened(door).people;

  /** @throws Refusal no_account: programs and operators by link have no password */
  const own = (call: Call): Own => {
    const session = sessionOf(call);
    if (session === undefined || session.member_uuid === null) throw noAccount();
    return {
      memberUuid: session.member_uuid,
      sessionUuid: session.session_uuid,
      address: call.address,
    };
  };

  return {
    signInByPassword: async (call, proof: Proof & { readonly email: string }) =>
      signedInReply(readModels, call, await people().signIn(proof, call.address)),

    acceptInvitation: async (
      call,
      { token, password }: { readonly token: string; readonly password: string },
    ) => signedInReply(readModels, call, await people().accept(token, password, call.address)),

    confirmSession: async (call, proof: Proof) => {
      await people().confirm(own(call), proof);
      return nothing;
    },

    getOwnAccount: async (call) => one(await people().own(own(call).memberUuid)),

    changeOwnPassword: async (
      call,
      { present, password }: { readonly present: Proof; readonly password: string },
    ) => {
      await people().changePassword(own(call), present, password);
      return nothing;
    },

    enrolTotp: async (call) => created(await people().enrolTotp(own(call))),

    confirmTotp: async (call, { code }: { readonly code: string }) =>
      one({ recovery_codes: await people().confirmTotp(own(call), code) }),

    removeTotp: async (call) => {
      await people().removeTotp(own(call));
      return nothing;
    },

    listOwnSessions: async (call) => {
      const found = await opened(door).sessions.listOf(own(call).memberUuid);
      return unpaged(await presentSessions(readModels, found));
    },

    endOwnSession: async (call) => {
      const { memberUuid } = own(call);
      const { sessions } = opened(door);
      const uuid = pathParam(call.params, 'session_uuid');
      const open = await sessions.listOf(memberUuid);
      if (!open.some((session) => session.session_uuid === uuid)) throw notFound('session', 'session');
      await sessions.end(uuid);
      return nothing;
    },
  };
}
