/**
 * Ids of deliveries begin like the id of their event. So the deliveries of an event are neighbours, and a store can find
 * them by their ids (`idsBegin` of the collection).
 */
import { beginningWith, deriveId } from '../../domain/kernel/ids.js';
import type { Position } from '../../ports/event-store.js';
import { EVENT_IN_ID } from '../../read-models/deliveries.js';
import type { App } from '../app.js';
import type { FeedEvent } from '../event-feed/envelopes.js';

/**
 * Id of the one ordinary (not replayed) delivery of an event to an endpoint.
 *
 * @param nearAfter `App.deliveriesNearAfter`
 */
export function deliveryIdOf(
  { eventId, sequence }: FeedEvent,
  endpointUuid: string,
  nearAfter: number,
): string {
  const derived = deriveId('delivery', eventId, endpointUuid);
  return sequence <= nearAfter ? derived : beginningWith(headOf(eventId), derived);
}

/** The same for an event of the application's history. */
export const deliveryIdIn = (
  { deliveriesNearAfter, store }: Pick<App, 'deliveriesNearAfter' | 'store'>,
  { eventId, position }: { readonly eventId: string; readonly position: Position },
  endpointUuid: string,
): string =>
  deliveryIdOf({ eventId, sequence: store.sequenceOf(position) }, endpointUuid, deliveriesNearAfter());

/**
 * Id of another delivery of the event, made from this one.
 *
 * @param why names the kind of it, and by whom it is made
 */
export function nextDeliveryId(
  { eventId, deliveryId }: { readonly eventId: string; readonly deliveryId: string },
  ...why: readonly [kind: string, maker: string]
): string {
  const derived = deriveId(...why, deliveryId);
  // Made again after an upgrade it must have the same id.
  return deliveryId.startsWith(headOf(eventId)) ? beginningWith(headOf(eventId), derived) : derived;
}

const headOf = (eventId: string): string => eventId.slice(0, EVENT_IN_ID);
