import { entryOf, withEntry, withoutEntry } from '../kernel/entries.js';
import type { ShelfEvent } from './events.js';

/** When a place was taken, by product uuid. In groups by the first digits, so that one more copies few of 5,000. */
type Places = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Shelf {
  readonly places: Places;
  readonly count: number;
}

export const initialShelf: Shelf = { places: {}, count: 0 };

export function evolveShelf(state: Shelf, event: ShelfEvent): Shelf {
  switch (event.type) {
    case 'ShelfPlacesTaken':
      return uuidsOf(event.data.product_uuids).reduce(
        (shelf, uuid) => taken(shelf, uuid, event.data.at),
        state,
      );
    case 'ShelfPlacesReturned':
      return uuidsOf(event.data.product_uuids).reduce(returned, state);
    default:
      return state;
  }
}

/** When the product got its place; undefined where it has none. */
export const placeOf = (shelf: Shelf, uuid: string): string | undefined =>
  entryOf(entryOf(shelf.places, groupOf(uuid)) ?? {}, uuid);

/** Every place with when it was taken. */
export const placesOf = (shelf: Shelf): readonly (readonly [uuid: string, at: string])[] =>
  Object.values(shelf.places).flatMap((group) => Object.entries(group));

function taken(shelf: Shelf, uuid: string, at: string): Shelf {
  if (placeOf(shelf, uuid) !== undefined) return shelf;
  const group = withEntry(entryOf(shelf.places, groupOf(uuid)) ?? {}, uuid, at);
  return { places: withEntry(shelf.places, groupOf(uuid), group), count: shelf.count + 1 };
}

function returned(shelf: Shelf, uuid: string): Shelf {
  if (placeOf(shelf, uuid) === undefined) return shelf;
  const group = withoutEntry(entryOf(shelf.places, groupOf(uuid)) ?? {}, uuid);
  return { places: withEntry(shelf.places, groupOf(uuid), group), count: shelf.count - 1 };
}

/** The end of a uuid of any version is as good as random. */
const groupOf = (uuid: string): string => uuid.slice(-2);

/** History may hold anything. */
const uuidsOf = (values: readonly string[]): readonly string[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
