import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type FlowDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly name: string;
  readonly status: 'draft' | 'active';
  /** The version that is published now; null for a draft. */
  readonly version: number | null;
  readonly published_digest: string | null;
  readonly draft_digest: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export const flows = collection<FlowDoc>()({
  name: 'flows',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_status: ['company_uuid', 'status', 'created_at'],
  },
});
