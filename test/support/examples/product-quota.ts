import { EXAMPLE_NOW, type CommandExamples, type EventExamples } from './example.js';
import type { ProductQuotaCommand } from '../../../domain/product-quota/decide.js';
import type { ProductQuotaEvent } from '../../../domain/product-quota/events.js';

const store = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3001';
const product = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3002';

export const shelfEventExamples = {
  taken: {
    type: 'ShelfPlacesTaken',
    data: { store_uuid: store, product_uuids: [product], at: EXAMPLE_NOW },
  },
  returned: { type: 'ShelfPlacesReturned', data: { product_uuids: [product] } },
} satisfies EventExamples<ProductQuotaEvent>;

export const shelfCommandExamples = {
  take: { given: [], command: { type: 'TakePlaces', storeUuid: store, productUuids: [product] } },
  return: {
    given: [shelfEventExamples.taken],
    command: { type: 'ReturnPlaces', productUuids: [product] },
  },
} satisfies CommandExamples<ProductQuotaEvent, ProductQuotaCommand>;
