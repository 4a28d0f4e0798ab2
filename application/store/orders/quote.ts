/** Quotes a cart for display: writes nothing, and holds no stock. */
import type { App } from '../../app.js';
import type { OpenStore } from '../gate.js';
import type { Fulfillment, OrderLine } from './input.js';
import { deliveryFee, isPriced, priceLines, type PricedLine } from './price.js';

export interface QuoteLine {
  readonly line: OrderLine;
  /** Null when the product cannot be bought. */
  readonly priced: PricedLine | null;
  readonly problem: 'product_unavailable' | 'insufficient_stock' | null;
}

export interface Quote {
  readonly lines: readonly QuoteLine[];
  /** Total of the lines that can be bought, including those beyond the stock. All amounts in cents. */
  readonly subtotalCents: number;
  readonly discountCents: number;
  /** Null where the store does not offer the delivery or pickup. */
  readonly deliveryFeeCents: number | null;
  readonly totalCents: number;
  /** There is at least one line, none has a problem, and the store offers the delivery or pickup. */
  readonly orderable: boolean;
}

/** @param zipcode of the destination; null: not known yet */
export async function quoteOrder(
  app: Pick<App, 'clock' | 'executor'>,
  store: OpenStore,
  lines: readonly OrderLine[],
  fulfillment: Fulfillment,
  zipcode: string | null,
): Promise<Quote> {
  const found = await priceLines(app, store, lines);
  const wanted = wantedUnits(found.filter(isPriced));
  const quoted = found.map((one): QuoteLine => {
    const { line } = one;
    if (!isPriced(one)) return { line, priced: null, problem: 'product_unavailable' };
    const short = one.stock !== null && (wanted.get(unitOf(line)) ?? 0) > one.stock;
    return { line, priced: one, problem: short ? 'insufficient_stock' : null };
  });
  const subtotalCents = quoted.reduce((sum, { priced }) => sum + (priced?.totalCents ?? 0), 0);
  const deliveryFeeCents = deliveryFee(store.state, fulfillment, subtotalCents, zipcode);
  return {
    lines: quoted,
    subtotalCents,
    discountCents: 0,
    deliveryFeeCents,
    totalCents: subtotalCents + (deliveryFeeCents ?? 0),
    orderable:
      quoted.length > 0 && deliveryFeeCents !== null && quoted.every(({ problem }) => problem === null),
  };
}

/** Key of a unit with its own stock: a variant, or a product without variants. */
export const unitOf = ({
  productUuid,
  variantUuid,
}: Pick<OrderLine, 'productUuid' | 'variantUuid'>): string => `${productUuid}/${variantUuid ?? ''}`;

/** Requested quantity by unit, over all lines. */
export function wantedUnits(lines: readonly PricedLine[]): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const { line } of lines) {
    wanted.set(unitOf(line), (wanted.get(unitOf(line)) ?? 0) + line.quantity);
  }
  return wanted;
}
