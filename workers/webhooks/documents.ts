/**
 * The documents of the webhook worker: one per delivery, one per attempt, and the health of each endpoint. They are operational records outside the
 * event history. The due-time store holds one row per delivery that is still to be made.
 */
import type { CollectionSpec } from '../../ports/read-models.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { eventEnvelopes, eventFeed, eventGaps } from '../../read-models/event-envelopes.js';
import { webhookHealth } from '../../read-models/webhook-health.js';

/** Queue of the due-time store. The lane is the endpoint's uuid, the id is the delivery's. */
export const DELIVERY_QUEUE = 'webhook';

export const webhookCollections: readonly CollectionSpec[] = [
  deliveries,
  deliveryAttempts,
  webhookHealth,
  eventEnvelopes,
  eventGaps,
  eventFeed,
];

/** The version of a delivery counts its changes; strings of one length compare like the numbers. */
export const FIRST_VERSION = '0000000001';
export const nextVersion = (version: string): string => String(Number(version) + 1).padStart(10, '0');

/** Two holders that both sent (the first one's lease expired) leave two records: the fence distinguishes them. */
export const attemptId = (deliveryId: string, number: number, fence: number): string =>
  `${deliveryId}:${String(number).padStart(4, '0')}:${fence}`;
