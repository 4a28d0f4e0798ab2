/** Counts of a store, from the indexes of the read models, which exclude deleted products. */
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order/status.js';
import type { ReadModels } from '../../ports/read-models.js';
import { orders } from '../../read-models/orders.js';
import { products } from '../../read-models/products.js';

export interface StoreCounts {
  readonly product_count: number;
  readonly active_product_count: number;
  readonly order_count: number;
  readonly orders_by_status: Readonly<Record<OrderStatus, number>>;
}

export async function countStore(readModels: ReadModels, storeUuid: string): Promise<StoreCounts> {
  const [product_count, active_product_count, ...byStatus] = await Promise.all([
    readModels.count(products.name, 'by_store', [storeUuid]),
    readModels.count(products.name, 'by_state', [storeUuid, 'active']),
    ...ORDER_STATUSES.map((status) => readModels.count(orders.name, 'by_status', [storeUuid, status])),
  ]);
  const orders_by_status = Object.fromEntries(
    ORDER_STATUSES.map((status, i) => [status, byStatus[i] ?? 0]),
  ) as Record<OrderStatus, number>;
  return {
    product_count,
    active_product_count,
    order_count: byStatus.reduce((sum, count) => sum + count, 0),
    orders_by_status,
  };
}

/** By category: products directly in it, active or not. */
export async function countCategories(
  readModels: ReadModels,
  storeUuid: string,
  categoryUuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = await Promise.all(
    categoryUuids.map((uuid) => readModels.count(products.name, 'by_category', [storeUuid, uuid])),
  );
  return new Map(categoryUuids.map((uuid, i) => [uuid, counts[i] ?? 0]));
}
