/** Reads behind the order routes. */
import { storeId } from '../../domain/store/stream.js';
import type { OrderSource, ProductsNow } from '../resources/store-order.js';
import type { ReadModels } from '../../ports/read-models.js';
import { readOwned, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

/** Newest first. @throws Refusal invalid_cursor */
export function listOrders(
  deps: QueryDeps,
  companyUuid: string,
  status: string | undefined,
  page: PageRequest,
): Promise<Page<OrderSource>> {
  const store = storeId(companyUuid);
  const find =
    status === undefined
      ? ({ index: 'by_store', equals: [store], order: 'desc' } as const)
      : ({ index: 'by_status', equals: [store, status], order: 'desc' } as const);
  const scope = { list: 'orders', companyUuid, filters: [status ?? null] };
  return readPage<OrderSource>(deps, 'orders', find, scope, page);
}

/** @throws Refusal not_found */
export const readOrder = (readModels: ReadModels, companyUuid: string, uuid: string): Promise<OrderSource> =>
  readOwned<OrderSource>(readModels, 'orders', uuid, companyUuid, 'order');

interface Picture {
  readonly hash: string;
  readonly content_type: string;
}

/** What is read of a `products` document. */
interface ProductPictures {
  readonly images: readonly Picture[];
  readonly variants: readonly { readonly image: Picture | null }[];
}

/**
 * What became of the products of these orders.
 * @param imageUrl address of a hosted picture
 */
export async function productsOfOrders(
  readModels: ReadModels,
  orders: readonly Pick<OrderSource, 'items'>[],
  imageUrl: (hash: string, contentType: string) => string,
): Promise<ProductsNow> {
  const uuids = [...new Set(orders.flatMap(({ items }) => items.map((item) => item.product_uuid)))];
  const found = await readModels.getMany<ProductPictures>('products', uuids);
  const products = new Map(found.map(({ id, doc }) => [id, doc]));
  return {
    isDeleted: (productUuid) => !products.has(productUuid),
    imageUrl: (productUuid, hash) => {
      const product = products.get(productUuid);
      if (!product) return null;
      const shown = [...product.images, ...product.variants.map(({ image }) => image)];
      const picture = shown.find((each) => each?.hash === hash);
      return picture ? imageUrl(picture.hash, picture.content_type) : null;
    },
  };
}
