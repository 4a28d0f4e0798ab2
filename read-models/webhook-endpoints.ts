import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type WebhookEndpointDoc = {
  readonly endpoint_uuid: string;
  readonly integration_uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly url: string;
  /** null: all types. */
  readonly event_types: readonly string[] | null;
  readonly enabled: boolean;
  /** Why Recado disabled it automatically; null when an operator did, or when it is enabled. */
  readonly disabled_reason: string | null;
  /** Who made the last change, as recorded: `admin`, `key:<id>`. */
  readonly changed_by: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export const webhookEndpoints = collection<WebhookEndpointDoc>()({
  name: 'webhook_endpoints',
  version: 2,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_integration: ['integration_uuid', 'created_at'],
  },
});
