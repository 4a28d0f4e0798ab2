/** The pictures that each product shows. The public address serves these, and the sweeper must not remove them. */
import {
  displayedBlobs,
  nothingDisplayed,
  displayedAfter,
  DISPLAY_EVENTS,
  type DisplayEvent,
} from '../../application/store/displayed-images.js';
import { productStream } from '../../domain/streams.js';
import {
  STORE_IMAGES_SCOPE,
  storeImages as collection,
  type StoreImagesDoc,
} from '../../read-models/store-images.js';
import { defineProjection } from '../projection.js';

/** Products without pictures have no document. */
export const storeImages = defineProjection<StoreImagesDoc, DisplayEvent>({
  collection,
  handles: DISPLAY_EVENTS,
  documentId: ({ event, record }) => {
    const bare =
      event.type === 'ProductCreated' && displayedBlobs(displayedAfter(nothingDisplayed, event)).length === 0;
    return bare ? null : (productStream.match(record.stream) ?? null);
  },
  evolve: (doc, { event, record }, uuid) => {
    if (!DISPLAY_EVENTS.includes(event.type)) return doc ?? null;
    const { gallery, variants } = displayedAfter(doc ?? nothingDisplayed, event);
    const hashes = displayedBlobs({ gallery, variants });
    if (hashes.length === 0) return null;
    return {
      product_uuid: uuid,
      company_uuid: record.meta.company,
      scope: STORE_IMAGES_SCOPE,
      created_at: doc?.created_at ?? record.meta.occurred_at,
      gallery,
      variants,
      hashes,
    };
  },
});
