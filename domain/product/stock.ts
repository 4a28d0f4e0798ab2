/** Takes and returns stock for orders. The product's own stream is the only source of the units left. */
import { Refusal } from '../kernel/refusal.js';
import type { ProductEvent } from './events.js';
import { stockOfOrder, variantOf, type Product } from './state.js';

export interface StockLine {
  /** Null: the product itself, which has no variants. */
  readonly variantUuid: string | null;
  /** At least 1. */
  readonly quantity: number;
}

/** @throws Refusal product_unavailable, insufficient_stock (`details.items`), order_not_placed */
export function takeStock(
  orderUuid: string,
  lines: readonly StockLine[],
  state: Product,
): readonly ProductEvent[] {
  const before = stockOfOrder(state, orderUuid);
  if (before?.returned === true) {
    throw new Refusal('order_not_placed', 'What this order had taken was given back already.');
  }
  if (before) return [];
  const wanted = summed(lines);
  const unavailable = wanted.filter(({ variantUuid }) => !isSold(state, variantUuid));
  if (unavailable.length > 0) {
    throw new Refusal('product_unavailable', 'This product can not be bought at the moment.', {
      items: unavailable.map(({ variantUuid }) => ({ variant_uuid: variantUuid })),
    });
  }
  const short = wanted.filter(
    ({ variantUuid, quantity }) => (stockOf(state, variantUuid) ?? Infinity) < quantity,
  );
  if (short.length > 0) {
    throw new Refusal('insufficient_stock', 'There are not as many left.', {
      items: short.map(({ variantUuid, quantity }) => ({
        variant_uuid: variantUuid,
        requested: quantity,
        available: stockOf(state, variantUuid),
      })),
    });
  }
  const taken = wanted.map(({ variantUuid, quantity }) => ({
    variant_uuid: variantUuid,
    quantity,
    taken: stockOf(state, variantUuid) === null ? 0 : quantity,
  }));
  return [{ type: 'StockTaken', data: { order_uuid: orderUuid, lines: taken } }];
}

/** Variants that were removed, and stock that is no longer tracked, get nothing back. */
export function returnStock(
  orderUuid: string,
  reason: 'cancelled' | 'not_placed',
  state: Product,
): readonly ProductEvent[] {
  if (!state.exists || state.deleted) return [];
  const before = stockOfOrder(state, orderUuid);
  if (before?.returned === true || (!before && reason === 'cancelled')) return [];
  const lines = (before?.lines ?? [])
    .filter(({ variant_uuid, taken }) => taken > 0 && stockOf(state, variant_uuid) !== null)
    .map(({ variant_uuid, taken }) => ({ variant_uuid, returned: taken }));
  return [{ type: 'StockReturned', data: { order_uuid: orderUuid, reason, lines } }];
}

/** Lines of one variant are added up: each alone could be covered when the sum is not. */
function summed(lines: readonly StockLine[]): readonly StockLine[] {
  const quantities = new Map<string | null, number>();
  for (const { variantUuid, quantity } of lines) {
    quantities.set(variantUuid, (quantities.get(variantUuid) ?? 0) + quantity);
  }
  return [...quantities].map(([variantUuid, quantity]) => ({ variantUuid, quantity }));
}

/** A product with variants is sold only as one of them. */
function isSold(state: Product, variantUuid: string | null): boolean {
  if (!state.exists || state.deleted || !state.details.active) return false;
  if (variantUuid === null) return state.variants.length === 0;
  return variantOf(state, variantUuid)?.active === true;
}

/** Null where stock is not tracked, or the variant was removed. */
const stockOf = (state: Product, variantUuid: string | null): number | null =>
  variantUuid === null ? state.stock : (variantOf(state, variantUuid)?.stock ?? null);
