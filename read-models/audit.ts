import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { AuditKind } from '../domain/policies/audit.js';
import { collection } from './collection.js';

export type AuditDoc = {
  readonly event_id: string;
  readonly company_uuid: CompanyUuid;
  readonly kind: AuditKind;
  readonly type: string;
  /** As recorded with the event. Names are looked up when somebody reads. */
  readonly actor: string;
  readonly stream: string;
  readonly position: string;
  readonly occurred_at: string;
  /** Fields of the event that say more of what was done; none of them is personal. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
};

export const audit = collection<AuditDoc>()({
  name: 'audit',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'position'],
    by_actor: ['company_uuid', 'actor', 'position'],
    by_kind: ['company_uuid', 'kind', 'position'],
    by_actor_kind: ['company_uuid', 'actor', 'kind', 'position'],
  },
});
