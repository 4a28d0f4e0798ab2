import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { CompanyRole } from '../domain/policies/roles.js';
import { collection } from './collection.js';

export type TeamMemberDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly kind: 'agent' | 'group';
  /** Null after erasure. */
  readonly name: string | null;
  /** `active` or `removed`: a removed member keeps its name, because old assignments show it. */
  readonly status: 'active' | 'removed';
  /** Null for those who can't sign in. */
  readonly role: CompanyRole | null;
  readonly email: string | null;
  readonly created_at: string;
};

export const team = collection<TeamMemberDoc>()({
  name: 'team',
  version: 2,
  indexes: { by_company: ['company_uuid', 'status', 'created_at'] },
});
