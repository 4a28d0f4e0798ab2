/** Pictures shown by products. Products without pictures have no document. */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { ProductImage } from '../domain/product/events.js';
import { collection } from './collection.js';

/** The single scope of all documents: an image has no store, and two stores may show the same image. */
export const STORE_IMAGES_SCOPE = 'all';

/** One product that shows pictures. */
export type StoreImagesDoc = {
  readonly product_uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly scope: typeof STORE_IMAGES_SCOPE;
  readonly created_at: string;
  readonly gallery: readonly ProductImage[];
  /** Pictures of its variants. */
  readonly variants: readonly ProductImage[];
  /** Hashes of all blobs of all its pictures: the search terms of the document. */
  readonly hashes: readonly string[];
};

export const storeImages = collection<StoreImagesDoc>()({
  name: 'store_images',
  version: 1,
  indexes: {},
  search: { scope: 'scope', words: 'hashes', orderBy: 'created_at' },
});
