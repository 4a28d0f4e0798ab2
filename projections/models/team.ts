import type { TeamEvent } from '../../domain/team/events.js';
import { team as collection, type TeamMemberDoc } from '../../read-models/team.js';
import { defineProjection } from '../projection.js';

export const team = defineProjection<TeamMemberDoc, TeamEvent>({
  collection,
  handles: [
    'TeamMemberAdded',
    'TeamMemberRenamed',
    'TeamMemberRemoved',
    'TeamAccessGranted',
    'TeamAccessRevoked',
  ],
  documentId: ({ event }) => event.data.member_uuid,
  evolve: (doc, { event, record }) => {
    switch (event.type) {
      case 'TeamMemberAdded': {
        const { company_uuid, member_uuid, kind, name } = event.data;
        const created_at = record.meta.occurred_at;
        return {
          uuid: member_uuid,
          company_uuid,
          kind,
          name,
          status: 'active',
          role: null,
          email: null,
          created_at,
        };
      }
      case 'TeamMemberRenamed':
        return doc ? { ...doc, name: event.data.name } : null;
      case 'TeamMemberRemoved':
        return doc ? { ...doc, status: 'removed', role: null, email: null } : null;
      case 'TeamAccessGranted':
        return doc ? { ...doc, role: event.data.role, email: event.data.email } : null;
      case 'TeamAccessRevoked':
        return doc ? { ...doc, role: null, email: null } : null;
      default:
        return doc ?? null;
    }
  },
});
