import { Type } from '@sinclair/typebox';
import { defineEvent, personal, uuid, type EventOf } from '../kernel/event.js';

export const teamEvents = [
  defineEvent(
    'TeamMemberAdded',
    1,
    'An agent or a group was added, and conversations of the company can be assigned to it.',
    {
      company_uuid: uuid(),
      member_uuid: uuid(),
      /** A person, or a group of people who share the work. */
      kind: Type.Union([Type.Literal('agent'), Type.Literal('group')]),
      name: personal(Type.String()),
    },
  ),
  defineEvent('TeamMemberRenamed', 1, 'An agent or a group was renamed.', {
    member_uuid: uuid(),
    name: personal(Type.String()),
  }),
  defineEvent(
    'TeamMemberRemoved',
    1,
    'Conversations can no longer be assigned to this agent or group. Existing assignments stay until they are changed.',
    { member_uuid: uuid() },
  ),
  defineEvent('TeamAccessGranted', 1, 'A person of the team may sign in to the console, in this role.', {
    member_uuid: uuid(),
    role: Type.Union([Type.Literal('viewer'), Type.Literal('agent'), Type.Literal('owner')]),
    email: personal(Type.String()),
  }),
  defineEvent('TeamAccessRevoked', 1, 'The person may no longer sign in. The member stays in the team.', {
    member_uuid: uuid(),
  }),
] as const;

export type TeamEvent = EventOf<typeof teamEvents>;
