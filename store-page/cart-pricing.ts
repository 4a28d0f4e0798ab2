/** Compares the cart with current prices and stock: its subtotal, and what has changed since the visitor saw it. */
import { productAggregate } from '../domain/product/decide.js';
import { variantName } from '../domain/product/variants.js';
import { variantOf } from '../domain/product/state.js';
import type { App } from '../application/app.js';
import { deliveryFee } from '../application/store/orders/price.js';
import { quoteOrder, type QuoteLine } from '../application/store/orders/quote.js';
import { lineKey, MAX_QUANTITY, type Cart, type CartLine } from './cart.js';
import { money } from './format.js';
import { goodsOf, imageView, picturesOf } from './goods.js';
import type { Visit } from './visit.js';
import type { CartLineView, CartView, LineChange } from './views/models.js';

export interface PricedCart {
  readonly lines: readonly PricedCartLine[];
  readonly subtotalCents: number;
  /** Whether any line differs from what the visitor saw. */
  readonly changed: boolean;
  /** The cart with all changes accepted. */
  readonly accepted: Cart;
}

export interface PricedCartLine {
  readonly line: CartLine;
  readonly name: string;
  readonly variantName: string | null;
  /** Null: it can't be bought. */
  readonly quote: QuoteLine['priced'];
  /** Units available; null: any number. */
  readonly left: number | null;
}

/** @throws StoreUnavailable */
export async function priceCart(app: App, { store }: Visit, cart: Cart): Promise<PricedCart> {
  // Delivery and address are chosen later: only the goods count here.
  const quote = await quoteOrder(app, store, cart.lines, 'pickup', null);
  const lines = await Promise.all(
    cart.lines.map(async (line, index): Promise<PricedCartLine> => {
      const priced = quote.lines[index]?.priced ?? null;
      const product = priced?.product ?? (await formerProduct(app, store.uuid, line.productUuid));
      const variant = line.variantUuid === null ? undefined : product && variantOf(product, line.variantUuid);
      return {
        line,
        name: product?.details.name ?? '',
        variantName: variant ? variantName(variant) : null,
        quote: priced,
        left: priced === null ? 0 : priced.stock,
      };
    }),
  );
  return {
    lines,
    subtotalCents: quote.subtotalCents,
    changed: lines.some((line) => isShort(line) || hasNewPrice(line)),
    accepted: { ...cart, lines: lines.flatMap(accept) },
  };
}

/** The product of a line that can't be bought any more. */
async function formerProduct(app: App, storeUuid: string, productUuid: string) {
  const { state } = await app.executor.load(productAggregate, productUuid);
  return state.exists && state.storeUuid === storeUuid ? state : null;
}

const isShort = ({ line, left }: PricedCartLine): boolean => left !== null && line.quantity > left;
const hasNewPrice = ({ line, quote }: PricedCartLine): boolean =>
  quote !== null && quote.unitCents !== line.seenCents;

function accept({ line, quote, left }: PricedCartLine): readonly CartLine[] {
  const quantity = Math.min(line.quantity, left ?? MAX_QUANTITY);
  return quote === null || quantity <= 0 ? [] : [{ ...line, quantity, seenCents: quote.unitCents }];
}

export function cartView(priced: PricedCart, visit: Visit, notice: CartView['notice']): CartView {
  return {
    lines: priced.lines.map((line) => lineView(line, visit)),
    subtotal: money(visit.lang, priced.subtotalCents),
    changed: priced.changed,
    canCheckout: visit.sells && !priced.changed && priced.lines.length > 0,
    notice,
  };
}

function lineView(priced: PricedCartLine, visit: Visit): CartLineView {
  const { line, name, variantName: variant, quote, left } = priced;
  const { lang } = visit;
  const unit = quote?.unitCents ?? line.seenCents;
  const pictures = quote ? picturesOf(goodsOf(line.productUuid, quote.product)) : [];
  const picture = quote?.variant?.image ?? pictures[0];
  return {
    key: lineKey(line),
    name,
    variantName: variant,
    href: quote && visit.href(`/p/${quote.product.slug}`),
    image: picture ? imageView(picture, visit) : null,
    quantity: line.quantity,
    maxQuantity: Math.max(line.quantity, Math.min(left ?? MAX_QUANTITY, MAX_QUANTITY)),
    unit: money(lang, unit),
    total: money(lang, unit * line.quantity),
    changes: changesOf(priced, visit),
  };
}

function changesOf(priced: PricedCartLine, { lang }: Visit): readonly LineChange[] {
  const { line, quote, left } = priced;
  if (quote === null) return [{ kind: 'gone' }];
  return [
    ...(hasNewPrice(priced)
      ? [{ kind: 'price', before: money(lang, line.seenCents), after: money(lang, quote.unitCents) } as const]
      : []),
    ...(left !== null && isShort(priced) ? [{ kind: 'stock', left } as const] : []),
  ];
}

/** The ways to receive the goods, each with its fee in cents. */
export function waysOf({ store }: Visit, subtotalCents: number) {
  return (['delivery', 'pickup'] as const).flatMap((way) => {
    const feeCents = deliveryFee(store.state, way, subtotalCents, null);
    return feeCents === null ? [] : [{ way, feeCents }];
  });
}
