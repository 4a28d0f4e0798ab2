/** The product state of a document, as far as changes need it; the stock taken by each order is only in the stream. */
import { detailFields, type ProductDetails } from '../../../domain/product/events.js';
import { initialProduct, type Product } from '../../../domain/product/state.js';
import type { ProductSource } from '../../resources/store-product.js';

export function productFrom(doc: ProductSource): Product {
  const details = Object.fromEntries(detailFields.map((field) => [field, doc[field]])) as ProductDetails;
  const { company_uuid: companyUuid, store_uuid: storeUuid, slug, stock, variants, images } = doc;
  return { ...initialProduct, exists: true, companyUuid, storeUuid, slug, details, stock, variants, images };
}
