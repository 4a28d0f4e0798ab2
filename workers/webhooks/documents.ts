/**
 * The documents of the webhook worker: one per delivery, one per attempt, the health of each
 * endpoint, and replays. They are operational records outside the
 * event history. The due-time store holds one row per delivery that is still to be made.
 */
import type { CollectionSpec } from '../../ports/read-models.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { eventEnvelopes, eventFeed, eventGaps } from '../../read-models/event-envelopes.js';
import { webhookHealth } from '../../read-models/webhook-health.js';
import { webhookJobs } from '../../read-models/webhook-jobs.js';

/** Queue of the due-time store. The lane is the endpoint's uuid, the id is the delivery's. */
export const DELIVERY_QUEUE = 'webhook';

export const webhookCollections: readonly CollectionSpec[] = [
  deliveries,
  deliveryAttempts,
  webhookHealth,
  webhookJobs,
  eventEnvelopes,
  eventGaps,
  eventFeed,
];

/** The version of a delivery counts its changes; strings of one length compare like the numbers. */
export const FIRST_VERSION = '0000000001';
export const nextVersion = (version: string): string => String(Number(version) + 1).padStart(10, '0');
