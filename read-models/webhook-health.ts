/** How the calls to each webhook endpoint go: operational records outside the event history. */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type WebhookHealthDoc = {
  readonly endpoint_uuid: string;
  readonly integration_uuid: string;
  readonly company_uuid: CompanyUuid;
  /** 1 when the last attempt failed. */
  readonly failing: 0 | 1;
  /** At most a minute old while attempts succeed. */
  readonly last_success_at: string | null;
  /** At most ten seconds old while attempts fail. */
  readonly last_failure_at: string | null;
  /** Class of the last failure, such as `timeout` or `status 500`. */
  readonly last_failure: string | null;
  /** First failure since the last success; null when the last attempt succeeded. */
  readonly failing_since: string | null;
  /** The next attempt is made then, because nothing answered; in the past when it was made since. */
  readonly resting_until: string | null;
};

export const webhookHealth = collection<WebhookHealthDoc>()({
  name: 'webhook_health',
  version: 1,
  indexes: { by_state: ['failing', 'failing_since'] },
  forgets: true,
});
