import type { Aggregate } from '../kernel/decider.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import type { CompanyRole } from '../policies/roles.js';
import { teamStream } from '../streams.js';
import { teamEvents, type TeamEvent } from './events.js';
import { evolveTeam, initialTeam, type Team, type TeamKind } from './state.js';

/** Limit of agents and groups of one company: each assignment reads the whole stream. */
export const MAX_TEAM = 1_000;

export type TeamCommand =
  | {
      readonly type: 'AddTeamMember';
      readonly companyUuid: CompanyUuid;
      readonly memberUuid: string;
      readonly kind: TeamKind;
      readonly name: string;
    }
  | { readonly type: 'RenameTeamMember'; readonly memberUuid: string; readonly name: string }
  | { readonly type: 'RemoveTeamMember'; readonly memberUuid: string }
  | {
      readonly type: 'GrantTeamAccess';
      readonly memberUuid: string;
      readonly role: CompanyRole;
      /** In lower case. */
      readonly email: string;
    }
  | { readonly type: 'RevokeTeamAccess'; readonly memberUuid: string };

export function decideTeam(command: TeamCommand, state: Team): readonly TeamEvent[] {
  const known = state.members.get(command.memberUuid);
  switch (command.type) {
    case 'AddTeamMember': {
      if (known) return [];
      if (state.members.size >= MAX_TEAM) {
        throw new Refusal('team_full', `A company has at most ${MAX_TEAM} agents and groups.`, {
          limit: MAX_TEAM,
        });
      }
      const { companyUuid, memberUuid, kind, name } = command;
      return [
        {
          type: 'TeamMemberAdded',
          data: { company_uuid: companyUuid, member_uuid: memberUuid, kind, name },
        },
      ];
    }
    case 'RenameTeamMember':
      if (!known) throw unknown();
      if (known.name === command.name) return [];
      return [{ type: 'TeamMemberRenamed', data: { member_uuid: command.memberUuid, name: command.name } }];
    case 'RemoveTeamMember':
      if (!known) return [];
      requireOtherOwner(state, command.memberUuid);
      return [{ type: 'TeamMemberRemoved', data: { member_uuid: command.memberUuid } }];
    case 'GrantTeamAccess': {
      const { memberUuid, role, email } = command;
      if (!known) throw unknown();
      if (known.kind !== 'agent') {
        throw new Refusal('not_a_person', 'A group can not sign in. Give access to its people, one by one.');
      }
      if (known.access?.role === role && known.access.email === email) return [];
      if (role !== 'owner') requireOtherOwner(state, memberUuid);
      return [{ type: 'TeamAccessGranted', data: { member_uuid: memberUuid, role, email } }];
    }
    case 'RevokeTeamAccess':
      if (!known) throw unknown();
      if (known.access === null) return [];
      requireOtherOwner(state, command.memberUuid);
      return [{ type: 'TeamAccessRevoked', data: { member_uuid: command.memberUuid } }];
    default:
      return command satisfies never;
  }
}

/** A company whose people sign in keeps somebody who can let others in. @throws Refusal last_owner */
function requireOtherOwner({ members }: Team, memberUuid: string): void {
  if (members.get(memberUuid)?.access?.role !== 'owner') return;
  for (const [uuid, { access }] of members) if (uuid !== memberUuid && access?.role === 'owner') return;
  throw new Refusal(
    'last_owner',
    'This is the only owner of the company. Make somebody else an owner first.',
  );
}

const unknown = (): Refusal =>
  new Refusal('not_found', 'There is no such agent or group.', { resource: 'team_member' });

export const teamAggregate: Aggregate<Team, TeamCommand, TeamEvent, 'company'> = {
  stream: teamStream,
  events: teamEvents,
  initial: initialTeam,
  decide: decideTeam,
  evolve: evolveTeam,
};
