import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type IntegrationDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly name: string;
  /** Sealed under the master key. */
  readonly webhook_secret_sealed: string;
  readonly previous_secret_sealed: string | null;
  readonly previous_expires_at: string | null;
  /**
   * Secrets that were replaced before the previous one, newest first. Some may have expired. Absent if there are none.
   */
  readonly earlier_secrets?: readonly { readonly sealed: string; readonly expires_at: string }[];
  readonly created_at: string;
};

export const integrations = collection<IntegrationDoc>()({
  name: 'integrations',
  version: 1,
  indexes: { by_company: ['company_uuid', 'created_at'] },
});
