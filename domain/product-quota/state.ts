import type { ProductQuotaEvent } from '../product-quota/events.js';

/**
 * When a place was reserved, by product uuid. Grouped by the uuid's last digits, so that a change copies few of 5,000.
 */
type Places = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface ProductQuota {
  readonly places: Places;
  readonly count: number;
}

export const initialProductQuota: ProductQuota = { places: new Map(), count: 0 };

export function evolveProductQuota(state: ProductQuota, event: ProductQuotaEvent): ProductQuota {
  switch (event.type) {
    case 'ShelfPlacesTaken':
      return changed(state, event.data.product_uuids, event.data.at);
    case 'ShelfPlacesReturned':
      return changed(state, event.data.product_uuids, null);
    default:
      return state;
  }
}

/** When the product got its place; undefined where it has none. */
export const reservationOf = (shelf: ProductQuota, uuid: string): string | undefined =>
  shelf.places.get(groupOf(uuid))?.get(uuid);

/** All places, each with the time of its reservation. */
export const reservationsOf = (shelf: ProductQuota): readonly (readonly [uuid: string, at: string])[] =>
  [...shelf.places.values()].flatMap((group) => [...group]);

/** @param at time of the reservation; null: the places are returned */
function changed(shelf: ProductQuota, uuids: readonly string[], at: string | null): ProductQuota {
  const groups = new Map<string, Map<string, string>>();
  let { count } = shelf;
  for (const uuid of textsOf(uuids)) {
    const name = groupOf(uuid);
    const group = groups.get(name) ?? new Map(shelf.places.get(name));
    groups.set(name, group);
    if (at === null) count -= group.delete(uuid) ? 1 : 0;
    else if (!group.has(uuid)) {
      group.set(uuid, at);
      count += 1;
    }
  }
  return groups.size === 0 ? shelf : { places: new Map([...shelf.places, ...groups]), count };
}

/** The last digits of a uuid of any version are as good as random. */
const groupOf = (uuid: string): string => uuid.slice(-2);

/** Stored events may hold anything. */
const textsOf = (values: readonly string[]): readonly string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
