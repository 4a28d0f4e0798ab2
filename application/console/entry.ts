/** The last step of every sign-in of a person: whether the history lets him in, and the session that he then gets. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { CompanyRole } from '../../domain/policies/roles.js';
import { team, type TeamMemberDoc } from '../../read-models/team.js';
import type { App } from '../app.js';
import { recordAct } from './account-acts.js';
import type { Sessions, SignedIn, SignInWay } from './sessions.js';

/** Of whom something has proved who he is. */
export interface Proven {
  readonly member_uuid: string;
  readonly company_uuid: CompanyUuid;
}

export interface Entry {
  /** Undefined for who may no longer sign in. */
  member(uuid: string): Promise<(TeamMemberDoc & { readonly role: CompanyRole }) | undefined>;
  /** Null for who may no longer sign in. @param shownAt when he last showed who he is; left out: now */
  begin(person: Proven, way: SignInWay, shownAt?: number): Promise<SignedIn | null>;
}

export function createEntry(
  app: Pick<App, 'readModels' | 'logger' | 'executor' | 'clock' | 'newId'>,
  sessions: Pick<Sessions, 'begin'>,
): Entry {
  const { readModels, logger } = app;
  const entry: Entry = {
    async member(uuid) {
      const doc = (await readModels.get(team.name, uuid))?.doc;
      if (doc === undefined || doc.status !== 'active' || doc.role === null) return undefined;
      return { ...doc, role: doc.role };
    },

    async begin({ member_uuid: member, company_uuid: company }, way, shownAt) {
      const person = await entry.member(member);
      if (person?.company_uuid !== company) return null;
      const { role } = person;
      const signedIn = await sessions.begin(
        { actor: actorOfMember(member), role, company, member },
        way,
        shownAt,
      );
      // Before the cookie is given out: nobody is in without a record.
      const { session_uuid } = signedIn.session;
      await recordAct(
        app,
        { company, member, actor: actorOfMember(member) },
        {
          type: 'SignedIn',
          data: { member_uuid: member, session_uuid, by: way === 'oidc' ? 'oidc' : 'password' },
        },
      );
      logger.info({ member, way, session: signedIn.session.session_uuid }, 'a person signed in');
      return signedIn;
    },
  };
  return entry;
}

export const actorOfMember = (uuid: string): string => `user:${uuid}`;
