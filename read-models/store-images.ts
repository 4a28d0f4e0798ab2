/** Which product shows which pictures. Products without pictures have no document. */
import type { ProductImage } from '../domain/product/events.js';
import { collection } from './collection.js';

/** Every document is found under it: bytes have no store, and two stores may show the same. */
export const STORE_IMAGES_SCOPE = 'all';

/** One product that shows pictures. */
export type StoreImagesDoc = {
  readonly product_uuid: string;
  readonly company_uuid: string;
  readonly scope: typeof STORE_IMAGES_SCOPE;
  readonly created_at: string;
  readonly gallery: readonly ProductImage[];
  /** Of its variants. */
  readonly variants: readonly ProductImage[];
  /** Of every blob of every picture: what a document is found by. */
  readonly hashes: readonly string[];
};

export const storeImages = collection<StoreImagesDoc>()({
  name: 'store_images',
  version: 1,
  indexes: {},
  search: { scope: 'scope', words: 'hashes', orderBy: 'created_at' },
});
