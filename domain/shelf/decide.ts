/** The quota of products in a store (spec §8), exact even with concurrent writers. */
import type { Aggregate } from '../kernel/decider.js';
import { shelfEvents, type ShelfEvent } from './events.js';
import { evolveShelf, initialShelf, placeOf, type Shelf } from './state.js';
import { shelfStream } from './stream.js';

export const PRODUCT_LIMIT = 5_000;

export type ShelfCommand =
  /** Reserves as many places as fit, in the order given: the new state shows which products got one. */
  | { readonly type: 'TakePlaces'; readonly storeUuid: string; readonly productUuids: readonly string[] }
  | { readonly type: 'ReturnPlaces'; readonly productUuids: readonly string[] };

export function decideShelf(
  command: ShelfCommand,
  state: Shelf,
  { now }: { readonly now: string },
): readonly ShelfEvent[] {
  const uuids = [...new Set(command.productUuids)];
  switch (command.type) {
    case 'TakePlaces': {
      const missing = uuids.filter((uuid) => placeOf(state, uuid) === undefined);
      const fit = missing.slice(0, Math.max(0, PRODUCT_LIMIT - state.count));
      if (fit.length === 0) return [];
      return [
        { type: 'ShelfPlacesTaken', data: { store_uuid: command.storeUuid, product_uuids: fit, at: now } },
      ];
    }
    case 'ReturnPlaces': {
      const held = uuids.filter((uuid) => placeOf(state, uuid) !== undefined);
      return held.length === 0 ? [] : [{ type: 'ShelfPlacesReturned', data: { product_uuids: held } }];
    }
    default:
      return command satisfies never;
  }
}

export const shelfAggregate: Aggregate<Shelf, ShelfCommand, ShelfEvent> = {
  stream: shelfStream,
  events: shelfEvents,
  initial: initialShelf,
  decide: decideShelf,
  evolve: evolveShelf,
  commutes: true,
};
