import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { ProductDetails } from '../domain/product/events.js';
import type { ProductImage, ProductVariant } from '../domain/product/state.js';
import { collection } from './collection.js';

export type ProductDoc = ProductDetails & {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly store_uuid: string;
  readonly slug: string;
  /** Suffix shared by all slugs of the product, so that a slug from before a rename still finds it. */
  readonly slug_key: string;
  readonly state: 'active' | 'inactive';
  /** `some`: the product is for sale and has a promotional price, whether or not the promotion has started. */
  readonly promotion: 'some' | 'none';
  readonly stock: number | null;
  readonly variants: readonly ProductVariant[];
  readonly images: readonly ProductImage[];
  /** Search terms of the product. */
  readonly words: readonly string[];
  /** Grows with each change. */
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export const products = collection<ProductDoc>()({
  name: 'products',
  version: 1,
  indexes: {
    by_store: ['store_uuid', 'created_at'],
    by_state: ['store_uuid', 'state', 'created_at'],
    by_category: ['store_uuid', 'category_uuid', 'state', 'created_at'],
    by_promotion: ['store_uuid', 'promotion', 'created_at'],
    by_slug: ['store_uuid', 'slug_key'],
  },
  search: { scope: 'store_uuid', words: 'words', orderBy: 'created_at' },
});
