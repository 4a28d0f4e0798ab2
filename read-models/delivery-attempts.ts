import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { HttpFailure } from '../ports/http-sender.js';
import { collection } from './collection.js';
import type { DeliveryTrigger, WebhookRequest } from './deliveries.js';

/** An attempt that failed; also one that succeeded, where another holder's record of the delivery was first. */
export type DeliveryAttemptDoc = WebhookRequest & {
  readonly delivery_id: string;
  readonly company_uuid: CompanyUuid;
  readonly integration_uuid: string;
  readonly endpoint_uuid: string;
  readonly event_id: string;
  readonly number: number;
  readonly trigger: DeliveryTrigger;
  /** `http_status` for an answer that is not 2xx; null on success. */
  readonly failure: HttpFailure | 'http_status' | null;
  readonly message: string | null;
  readonly next_attempt_at: string | null;
};

export const deliveryAttempts = collection<DeliveryAttemptDoc>()({
  name: 'delivery_attempts',
  version: 1,
  // By their ids, which begin with the delivery's: application/queries/delivery-attempts.ts.
  indexes: {},
  forgets: true,
  packed: true,
});
