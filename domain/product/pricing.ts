/** The price of a product at a given moment, and the rules between its prices. */
import { Refusal } from '../kernel/refusal.js';
import { fieldAt, type FieldAt } from '../policies/field-at.js';
import { showMoney } from '../policies/money.js';
import type { ProductDetails } from './events.js';
import type { VariantDetails } from './state.js';

type Prices = Pick<ProductDetails, 'price_cents' | 'promo_price_cents' | 'promo_starts_at' | 'promo_ends_at'>;
type VariantPrices = Pick<VariantDetails, 'price_cents' | 'promo_price_cents'>;

export interface SellingPrice {
  /** Cents, before any promotion. */
  readonly listCents: number;
  /** Cents that the customer is charged. */
  readonly unitCents: number;
  readonly promoActive: boolean;
}

/** The promotional price that belongs to a list price: a variant with its own price has its own promotion or none. */
function pricesOf(product: Prices, variant: VariantPrices | null): { list: number; promo: number | null } {
  const list = variant?.price_cents ?? product.price_cents;
  const own = variant?.promo_price_cents ?? null;
  if (own !== null) return { list, promo: own };
  const inherits = variant === null || variant.price_cents === null;
  return { list, promo: inherits ? product.promo_price_cents : null };
}

/** @param variant null for a product without variants */
export function sellingPrice(product: Prices, variant: VariantPrices | null, nowMs: number): SellingPrice {
  const { list, promo } = pricesOf(product, variant);
  const promoActive = promo !== null && isOpen(product, nowMs);
  return { listCents: list, unitCents: promoActive ? promo : list, promoActive };
}

/** In cents, whether in force or still to come; null where the product has no promotion. */
export const promoPrice = (product: Prices, variant: VariantPrices | null): number | null =>
  pricesOf(product, variant).promo;

/** From its start (inclusive) to its end (exclusive). */
const isOpen = ({ promo_starts_at: from, promo_ends_at: to }: Prices, nowMs: number): boolean =>
  (from === null || Date.parse(from) <= nowMs) && (to === null || nowMs < Date.parse(to));

/** @throws Refusal promo_price_invalid (spec §7) */
export function checkPromotions(product: Prices, variants: readonly VariantPrices[]): void {
  const { promo_starts_at: from, promo_ends_at: to } = product;
  checkPromotion(product.price_cents, product.promo_price_cents, fieldAt('promo_price'));
  if (from !== null && to !== null && Date.parse(to) <= Date.parse(from)) {
    throw new Refusal('promo_price_invalid', 'The promotion must end later than it starts.', {
      ...fieldAt('promo_ends_at'),
      price: showMoney(product.price_cents),
      promo_price: product.promo_price_cents === null ? null : showMoney(product.promo_price_cents),
      rule: 'window',
    });
  }
  variants.forEach((variant, index) =>
    checkPromotion(
      variant.price_cents ?? product.price_cents,
      variant.promo_price_cents,
      fieldAt('variants', index, 'promo_price'),
    ),
  );
}

function checkPromotion(price: number, promo: number | null, at: FieldAt): void {
  if (promo === null || (promo > 0 && promo < price)) return;
  throw new Refusal('promo_price_invalid', 'The promotional price must be above zero and below the price.', {
    ...at,
    price: showMoney(price),
    promo_price: showMoney(promo),
    rule: 'must_be_lower_than_price',
  });
}
