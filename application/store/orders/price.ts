/** Current prices of lines, from the products' streams. */
import { productAggregate } from '../../../domain/product/decide.js';
import { sellingPrice } from '../../../domain/product/pricing.js';
import { variantOf, type Product, type ProductVariant } from '../../../domain/product/state.js';
import type { Store } from '../../../domain/store/state.js';
import type { App } from '../../app.js';
import type { OpenStore } from '../gate.js';
import type { Fulfillment, OrderLine } from './input.js';

export interface PricedLine {
  readonly line: OrderLine;
  readonly product: Product;
  readonly variant: ProductVariant | null;
  readonly listCents: number;
  readonly unitCents: number;
  readonly totalCents: number;
  /** Units left; null: not tracked. */
  readonly stock: number | null;
}

/** Null when it cannot be bought: of another store, deleted, inactive, or with a missing or superfluous variant. */
export type LineLookup = PricedLine | null;

/** One result per line, in their order. */
export async function priceLines(
  app: App,
  store: OpenStore,
  lines: readonly OrderLine[],
): Promise<readonly LineLookup[]> {
  const now = app.clock.now();
  const uuids = [...new Set(lines.map((line) => line.productUuid))];
  const products = new Map(
    await Promise.all(
      uuids.map(async (uuid) => [uuid, (await app.executor.load(productAggregate, uuid)).state] as const),
    ),
  );
  return lines.map((line) => priceLine(store, products.get(line.productUuid), line, now));
}

function priceLine(store: OpenStore, product: Product | undefined, line: OrderLine, now: number): LineLookup {
  const sold =
    product?.exists && !product.deleted && product.storeUuid === store.uuid && product.details.active;
  if (!sold) return null;
  const { variantUuid } = line;
  const variant = variantUuid === null ? null : (variantOf(product, variantUuid) ?? null);
  const chosen = product.variants.length === 0 ? variantUuid === null : variant?.active === true;
  if (!chosen) return null;
  const { listCents, unitCents } = sellingPrice(product.details, variant, now);
  return {
    line,
    product,
    variant,
    listCents,
    unitCents,
    totalCents: unitCents * line.quantity,
    stock: variant === null ? product.stock : variant.stock,
  };
}

/**
 * Cents; null where the store does not offer it, or not at that address.
 * @param zipcode as entered; null: not known yet, so not checked
 */
export function deliveryFee(
  { delivery, pickup }: Pick<Store, 'delivery' | 'pickup'>,
  fulfillment: Fulfillment,
  subtotalCents: number,
  zipcode: string | null,
): number | null {
  if (fulfillment === 'pickup') return pickup === null ? null : 0;
  if (delivery === null) return null;
  const { feeCents, freeFromCents, zipPrefixes } = delivery;
  const digits = zipcode?.replace(/\D/g, '') ?? null;
  const served =
    digits === null || zipPrefixes.length === 0 || zipPrefixes.some((prefix) => digits.startsWith(prefix));
  if (!served) return null;
  return freeFromCents !== null && subtotalCents >= freeFromCents ? 0 : feeCents;
}
