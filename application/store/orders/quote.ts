/** What a cart would cost, for showing it: nothing is written, and nothing is held. */
import type { App } from '../../app.js';
import type { OpenStore } from '../gate.js';
import type { Fulfillment, OrderLine } from './input.js';
import { deliveryFee, priceLines, type PricedLine } from './price.js';

export interface QuoteLine {
  readonly line: OrderLine;
  /** Null where the product can't be bought. */
  readonly priced: PricedLine | null;
  readonly problem: 'product_unavailable' | 'insufficient_stock' | null;
}

export interface Quote {
  readonly lines: readonly QuoteLine[];
  /** Of the lines that can be bought, those beyond the stock included. All amounts in cents. */
  readonly subtotalCents: number;
  readonly discountCents: number;
  /** Null where the store does not deliver (or hand out) there. */
  readonly deliveryFeeCents: number | null;
  readonly totalCents: number;
  /** No line has a problem, there is one, and the goods can get to the buyer. */
  readonly orderable: boolean;
}

/** @param zipcode where to; null: not known yet */
export async function quoteOrder(
  app: App,
  store: OpenStore,
  lines: readonly OrderLine[],
  fulfillment: Fulfillment,
  zipcode: string | null,
): Promise<Quote> {
  const found = await priceLines(app, store, lines);
  const wanted = wantedUnits(found.filter((priced) => priced !== null));
  const quoted = lines.map((line, index): QuoteLine => {
    const priced = found[index] ?? null;
    if (priced === null) return { line, priced, problem: 'product_unavailable' };
    const short = priced.stock !== null && (wanted.get(unitOf(line)) ?? 0) > priced.stock;
    return { line, priced, problem: short ? 'insufficient_stock' : null };
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

/** What has a stock of its own. */
export const unitOf = ({
  productUuid,
  variantUuid,
}: Pick<OrderLine, 'productUuid' | 'variantUuid'>): string => `${productUuid}/${variantUuid ?? ''}`;

/** Lines of one variant together. */
export function wantedUnits(lines: readonly PricedLine[]): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const { line } of lines) {
    wanted.set(unitOf(line), (wanted.get(unitOf(line)) ?? 0) + line.quantity);
  }
  return wanted;
}
