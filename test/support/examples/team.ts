import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { TeamCommand } from '../../../domain/team/decide.js';
import type { TeamEvent } from '../../../domain/team/events.js';

const ana = deriveId('example', 'team member');

export const teamEventExamples = {
  added: {
    type: 'TeamMemberAdded',
    data: { company_uuid: exampleIds.company, member_uuid: ana, kind: 'agent', name: 'Ana' },
  },
  renamed: { type: 'TeamMemberRenamed', data: { member_uuid: ana, name: 'Ana Lima' } },
  removed: { type: 'TeamMemberRemoved', data: { member_uuid: ana } },
  accessGranted: {
    type: 'TeamAccessGranted',
    data: { member_uuid: ana, role: 'agent', email: 'ana@loja.example' },
  },
  accessRevoked: { type: 'TeamAccessRevoked', data: { member_uuid: ana } },
} satisfies EventExamples<TeamEvent>;

export const teamCommandExamples = {
  add: {
    given: [],
    command: {
      type: 'AddTeamMember',
      companyUuid: exampleIds.company,
      memberUuid: ana,
      kind: 'agent',
      name: 'Ana',
    },
  },
  rename: {
    given: [teamEventExamples.added],
    command: { type: 'RenameTeamMember', memberUuid: ana, name: 'Ana Lima' },
  },
  remove: { given: [teamEventExamples.added], command: { type: 'RemoveTeamMember', memberUuid: ana } },
  grantAccess: {
    given: [teamEventExamples.added],
    command: { type: 'GrantTeamAccess', memberUuid: ana, role: 'agent', email: 'ana@loja.example' },
  },
  revokeAccess: {
    given: [teamEventExamples.added, teamEventExamples.accessGranted],
    command: { type: 'RevokeTeamAccess', memberUuid: ana },
  },
} satisfies CommandExamples<TeamEvent, TeamCommand>;
