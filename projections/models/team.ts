import type { TeamEvent } from '../../domain/team/events.js';
import { defineProjection } from '../projection.js';

export type TeamMemberDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly kind: 'agent' | 'group';
  /** Null when it was erased. */
  readonly name: string | null;
  /** `active` or `removed`: who was removed keeps the name that old assignments show. */
  readonly status: 'active' | 'removed';
  readonly created_at: string;
};

export const team = defineProjection<TeamMemberDoc, TeamEvent>({
  name: 'team',
  version: 1,
  indexes: { by_company: ['company_uuid', 'status', 'created_at'] },
  handles: ['TeamMemberAdded', 'TeamMemberRenamed', 'TeamMemberRemoved'],
  documentId: ({ event }) => event.data.member_uuid,
  evolve: (doc, { event, record }) => {
    switch (event.type) {
      case 'TeamMemberAdded': {
        const { company_uuid, member_uuid, kind, name } = event.data;
        const created_at = record.meta.occurred_at;
        return { uuid: member_uuid, company_uuid, kind, name, status: 'active', created_at };
      }
      case 'TeamMemberRenamed':
        return doc ? { ...doc, name: event.data.name } : null;
      case 'TeamMemberRemoved':
        return doc ? { ...doc, status: 'removed' } : null;
      default:
        return doc ?? null;
    }
  },
});
