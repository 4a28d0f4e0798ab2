import { Type } from '@sinclair/typebox';
import { defineEvent, instant, uuid, type EventOf } from '../kernel/event.js';

export const productQuotaEvents = [
  defineEvent(
    'ShelfPlacesTaken',
    1,
    'Products reserved places in the product quota of a store, which has 5,000 of them.',
    {
      store_uuid: uuid(),
      product_uuids: Type.Array(uuid()),
      at: instant(),
    },
  ),
  defineEvent('ShelfPlacesReturned', 1, 'Places in the product quota of a store were released.', {
    product_uuids: Type.Array(uuid()),
  }),
] as const;

export type ProductQuotaEvent = EventOf<typeof productQuotaEvents>;
