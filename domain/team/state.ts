import type { CompanyRole } from '../policies/roles.js';
import type { TeamEvent } from './events.js';

export type TeamKind = 'agent' | 'group';

export interface TeamMember {
  readonly kind: TeamKind;
  /** Null when it was erased. */
  readonly name: string | null;
  /** What the person may do in the console; null for groups, and for those who can't sign in. */
  readonly access: TeamAccess | null;
}

export interface TeamAccess {
  readonly role: CompanyRole;
  /** Null when it was erased. */
  readonly email: string | null;
}

/** The members to whom a company's conversations can be assigned, by uuid. Removed members are not included. */
export interface Team {
  readonly members: ReadonlyMap<string, TeamMember>;
}

export const initialTeam: Team = { members: new Map() };

export function evolveTeam(state: Team, event: TeamEvent): Team {
  const members = new Map(state.members);
  switch (event.type) {
    case 'TeamMemberAdded':
      members.set(event.data.member_uuid, { kind: event.data.kind, name: event.data.name, access: null });
      return { members };
    case 'TeamMemberRenamed': {
      const member = members.get(event.data.member_uuid);
      if (!member) return state;
      members.set(event.data.member_uuid, { ...member, name: event.data.name });
      return { members };
    }
    case 'TeamAccessGranted': {
      const { member_uuid: uuid, role, email } = event.data;
      const member = members.get(uuid);
      if (!member) return state;
      members.set(uuid, { ...member, access: { role, email } });
      return { members };
    }
    case 'TeamAccessRevoked': {
      const member = members.get(event.data.member_uuid);
      if (!member) return state;
      members.set(event.data.member_uuid, { ...member, access: null });
      return { members };
    }
    case 'TeamMemberRemoved':
      members.delete(event.data.member_uuid);
      return { members };
    default:
      return state;
  }
}
