/** Reads behind the order routes. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { storeId } from '../../domain/streams.js';
import type { OrderSource, ProductsNow } from '../resources/store-order.js';
import type { ReadModels } from '../../ports/read-models.js';
import { orders } from '../../read-models/orders.js';
import { products } from '../../read-models/products.js';
import { readOwned, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

/** Newest first. @throws Refusal invalid_cursor */
export function listOrders(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  status: string | undefined,
  page: PageRequest,
): Promise<Page<OrderSource>> {
  const store = storeId(companyUuid);
  const find =
    status === undefined
      ? ({ index: 'by_store', equals: [store], order: 'desc' } as const)
      : ({ index: 'by_status', equals: [store, status], order: 'desc' } as const);
  const scope = { list: 'orders', companyUuid, filters: [status ?? null] };
  return readPage(deps, orders.name, find, scope, page);
}

/** @throws Refusal not_found */
export const readOrder = (
  readModels: ReadModels,
  companyUuid: CompanyUuid,
  uuid: string,
): Promise<OrderSource> => readOwned(readModels, orders.name, uuid, companyUuid, 'order');

/**
 * The current state of the products of these orders.
 * @param imageUrl address of a hosted picture
 */
export async function productsOfOrders(
  readModels: ReadModels,
  orders: readonly Pick<OrderSource, 'items'>[],
  imageUrl: (hash: string, contentType: string) => string,
): Promise<ProductsNow> {
  const uuids = [...new Set(orders.flatMap(({ items }) => items.map((item) => item.product_uuid)))];
  const found = await readModels.getMany(products.name, uuids);
  const now = new Map(found.map(({ id, doc }) => [id, doc]));
  return {
    isDeleted: (productUuid) => !now.has(productUuid),
    imageUrl: (productUuid, hash) => {
      const product = now.get(productUuid);
      if (!product) return null;
      const shown = [...product.images, ...product.variants.map(({ image }) => image)];
      const picture = shown.find((each) => each?.hash === hash);
      return picture ? imageUrl(picture.hash, picture.content_type) : null;
    },
  };
}
