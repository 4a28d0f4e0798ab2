import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type ApiKeyDoc = {
  readonly key_id: string;
  readonly integration_uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly label: string;
  readonly scopes: readonly string[];
  /** Hex SHA-256 of the key's secret part. */
  readonly secret_hash: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
};

export const apiKeys = collection<ApiKeyDoc>()({
  name: 'api_keys',
  version: 1,
  indexes: { by_integration: ['integration_uuid', 'created_at'] },
});
