/** Store and category as the contracts show them (spec §4; money as decimal strings). */
import { showMoney } from '../../domain/policies/money.js';
import { inTreeOrder } from '../../domain/store/categories.js';
import type { CategoryEntry, StoreDoc } from '../../read-models/stores.js';
import type { StoreCounts } from '../store/counts.js';

/** Maximum products of one store (spec §8, `product_limit_reached`). */
export const PRODUCT_LIMIT = 5_000;

export type StoreSource = StoreDoc;
export type CategorySource = CategoryEntry;

/** Address of the store's page. */
export const storeUrl = (baseUrl: string, slug: string): string => `${baseUrl}/loja/${slug}`;

/** Summary of the store, for integrators. `timezone` is the company's. */
export function presentStore(
  { uuid, settings, updated_at }: StoreSource,
  counts: StoreCounts,
  at: { readonly baseUrl: string; readonly timezone: string },
) {
  const { name, status, slug, whatsapp_phone } = settings;
  return {
    uuid,
    name,
    status,
    public_url: status === 'setup' ? null : storeUrl(at.baseUrl, slug),
    whatsapp_url: whatsapp_phone === null ? null : `https://wa.me/${whatsapp_phone.replace(/\D/g, '')}`,
    currency: 'BRL',
    timezone: at.timezone,
    ...counts,
    product_limit: PRODUCT_LIMIT,
    updated_at,
  } as const;
}

/** All settings, for operators. */
export function presentSettings(store: StoreSource, counts: StoreCounts, baseUrl: string) {
  const { uuid, company_uuid, allowed, settings, created_at, updated_at } = store;
  const { delivery, ...same } = settings;
  return {
    uuid,
    company_uuid,
    allowed,
    ...same,
    max_product_units_per_order: settings.max_product_units_per_order ?? null,
    max_unpaid_orders_per_contact: settings.max_unpaid_orders_per_contact ?? null,
    public_url: allowed && settings.status !== 'setup' ? storeUrl(baseUrl, settings.slug) : null,
    delivery: delivery && {
      fee: showMoney(delivery.fee_cents),
      free_from: delivery.free_from_cents === null ? null : showMoney(delivery.free_from_cents),
      zip_prefixes: delivery.zip_prefixes,
    },
    ...counts,
    created_at,
    updated_at,
  };
}

/** The whole tree, each category before its children. `products`: number of products by category. */
export function presentCategories(
  categories: readonly CategorySource[],
  products: ReadonlyMap<string, number>,
) {
  const tree = new Map(
    categories.map((category) => [category.uuid, { ...category, parentUuid: category.parent_uuid }] as const),
  );
  return inTreeOrder(tree).map(({ uuid }) => {
    const { name, slug, parent_uuid, position, active, created_at, updated_at } = tree.get(uuid)!;
    const product_count = products.get(uuid) ?? 0;
    return { uuid, name, slug, parent_uuid, position, product_count, active, created_at, updated_at };
  });
}
