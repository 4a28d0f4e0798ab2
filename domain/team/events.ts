import { Type } from '@sinclair/typebox';
import { defineEvent, personal, uuid, type EventOf } from '../kernel/event.js';

export const teamEvents = [
  defineEvent('TeamMemberAdded', 1, 'Conversations of the company can be assigned to one more.', {
    company_uuid: uuid(),
    member_uuid: uuid(),
    /** A person, or a group of people who share the work. */
    kind: Type.Union([Type.Literal('agent'), Type.Literal('group')]),
    name: personal(Type.String()),
  }),
  defineEvent('TeamMemberRenamed', 1, 'An agent or a group has another name.', {
    member_uuid: uuid(),
    name: personal(Type.String()),
  }),
  defineEvent(
    'TeamMemberRemoved',
    1,
    'Nothing is assigned to this agent or group any more; what was, stays until it is assigned anew.',
    { member_uuid: uuid() },
  ),
] as const;

export type TeamEvent = EventOf<typeof teamEvents>;
