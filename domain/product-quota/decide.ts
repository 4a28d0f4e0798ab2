/** The quota of products in a store (spec §8), exact even with concurrent writers. */
import type { Aggregate } from '../kernel/decider.js';
import { productQuotaStream } from '../streams.js';
import { productQuotaEvents, type ProductQuotaEvent } from './events.js';
import { evolveProductQuota, initialProductQuota, reservationOf, type ProductQuota } from './state.js';

export const PRODUCT_LIMIT = 5_000;

export type ProductQuotaCommand =
  /** Reserves as many places as fit, in the order given: the new state shows which products got one. */
  | { readonly type: 'TakePlaces'; readonly storeUuid: string; readonly productUuids: readonly string[] }
  | { readonly type: 'ReturnPlaces'; readonly productUuids: readonly string[] };

export function decideProductQuota(
  command: ProductQuotaCommand,
  state: ProductQuota,
  { now }: { readonly now: string },
): readonly ProductQuotaEvent[] {
  const uuids = [...new Set(command.productUuids)];
  switch (command.type) {
    case 'TakePlaces': {
      const missing = uuids.filter((uuid) => reservationOf(state, uuid) === undefined);
      const fit = missing.slice(0, Math.max(0, PRODUCT_LIMIT - state.count));
      if (fit.length === 0) return [];
      return [
        { type: 'ShelfPlacesTaken', data: { store_uuid: command.storeUuid, product_uuids: fit, at: now } },
      ];
    }
    case 'ReturnPlaces': {
      const held = uuids.filter((uuid) => reservationOf(state, uuid) !== undefined);
      return held.length === 0 ? [] : [{ type: 'ShelfPlacesReturned', data: { product_uuids: held } }];
    }
    default:
      return command satisfies never;
  }
}

export const productQuotaAggregate: Aggregate<ProductQuota, ProductQuotaCommand, ProductQuotaEvent> = {
  stream: productQuotaStream,
  events: productQuotaEvents,
  initial: initialProductQuota,
  decide: decideProductQuota,
  evolve: evolveProductQuota,
  commutes: true,
};
