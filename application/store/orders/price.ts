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

/** Why a line cannot be bought. A product of another store, or a deleted one, is not found. */
export type LineProblem =
  'product_not_found' | 'product_inactive' | 'variant_required' | 'variant_not_found' | 'variant_inactive';

export interface UnpricedLine {
  readonly line: OrderLine;
  readonly problem: LineProblem;
}

export type LineLookup = PricedLine | UnpricedLine;

export const isPriced = (found: LineLookup): found is PricedLine => !('problem' in found);

/** One result per line, in their order. */
export async function priceLines(
  app: Pick<App, 'clock' | 'executor'>,
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
  return lines.map((line) => priceLine(store, products.get(line.productUuid)!, line, now));
}

function problemOf(store: OpenStore, product: Product, line: OrderLine): LineProblem | null {
  if (!product.exists || product.deleted || product.storeUuid !== store.uuid) return 'product_not_found';
  if (!product.details.active) return 'product_inactive';
  if (line.variantUuid === null) return product.variants.length === 0 ? null : 'variant_required';
  const variant = variantOf(product, line.variantUuid);
  if (!variant) return 'variant_not_found';
  return variant.active ? null : 'variant_inactive';
}

function priceLine(store: OpenStore, product: Product, line: OrderLine, now: number): LineLookup {
  const problem = problemOf(store, product, line);
  if (problem !== null) return { line, problem };
  const variant = line.variantUuid === null ? null : (variantOf(product, line.variantUuid) ?? null);
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
