import type { ProductEvent } from '../../domain/product/events.js';
import { productFrom } from '../../application/store/products/from-document.js';
import { slugKey } from '../../domain/product/slug.js';
import {
  evolveProduct,
  initialProduct,
  type Product,
  type ProductVariant,
} from '../../domain/product/state.js';
import { productWords } from '../../domain/policies/product/words.js';
import { productStream } from '../../domain/streams.js';
import { products as collection, type ProductDoc } from '../../read-models/products.js';
import { defineProjection } from '../projection.js';

export const products = defineProjection<ProductDoc, ProductEvent>({
  collection,
  handles: [
    'ProductCreated',
    'ProductChanged',
    'ProductVariantsReplaced',
    'ProductImagesReplaced',
    'StockSet',
    'StockTaken',
    'StockReturned',
    'ProductDeleted',
  ],
  documentId: ({ record }) => productStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    if (event.type === 'ProductDeleted' || (!doc && event.type !== 'ProductCreated')) return null;
    const before = doc ? productFrom(doc) : initialProduct;
    const state = evolveProduct(before, event);
    // An event type that the aggregate does not know.
    if (doc && state === before) return doc;
    const at = record.meta.occurred_at;
    const { details, stock, variants, images, slug } = state;
    // Not `{ ...details, uuid: … }`: adding fields to an object that begins with `...` is a hundred times slower in V8.
    return Object.assign({}, details, {
      uuid,
      company_uuid: state.companyUuid,
      store_uuid: state.storeUuid,
      slug,
      slug_key: slugKey(slug),
      state: details.active ? 'active' : 'inactive',
      promotion: details.active && hasPromotion(details, variants) ? 'some' : 'none',
      stock,
      variants,
      images,
      // Every sale runs this code, and splitting a long description into search words is most of the work.
      words: doc && !CHANGES_WORDS.has(event.type) ? doc.words : productWords({ ...details, variants }),
      version: record.revision + 1,
      created_at: doc?.created_at ?? at,
      updated_at: at,
    } as const);
  },
});

const CHANGES_WORDS: ReadonlySet<string> = new Set([
  'ProductCreated',
  'ProductChanged',
  'ProductVariantsReplaced',
]);

const hasPromotion = (details: Product['details'], variants: readonly ProductVariant[]): boolean =>
  details.promo_price_cents !== null ||
  variants.some(({ active, promo_price_cents }) => active && promo_price_cents !== null);
