/** The product behind a document, as far as changes build on it; which order took what is for the stream alone. */
import { detailFields, type ProductDetails } from '../../../domain/product/events.js';
import { initialProduct, type Product } from '../../../domain/product/state.js';
import type { ProductSource } from '../../resources/store-product.js';

export function productFrom(doc: ProductSource): Product {
  const details = Object.fromEntries(detailFields.map((field) => [field, doc[field]])) as ProductDetails;
  const { company_uuid: companyUuid, store_uuid: storeUuid, slug, stock, variants, images } = doc;
  return { ...initialProduct, exists: true, companyUuid, storeUuid, slug, details, stock, variants, images };
}
