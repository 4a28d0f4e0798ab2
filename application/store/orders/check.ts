/** Checks that an order can be placed as requested, and computes its amounts, before anything is taken. */
import { Refusal } from '../../../domain/kernel/refusal.js';
import { MAX_CENTS, showMoney } from '../../../domain/policies/money.js';
import { parsePhone } from '../../../domain/policies/phone.js';
import type { App } from '../../app.js';
import { invalidField } from '../../provisioning/common.js';
import type { OpenStore } from '../gate.js';
import type { OrderInput, OrderLine } from './input.js';
import { checkUnits } from './limits.js';
import { deliveryFee, isPriced, priceLines, type PricedLine, type UnpricedLine } from './price.js';
import { unitOf, wantedUnits } from './quote.js';

export interface CheckedOrder {
  readonly lines: readonly PricedLine[];
  /** Lines by product, in the order in which stock is taken. */
  readonly products: readonly (readonly [productUuid: string, lines: readonly OrderLine[]])[];
  readonly subtotalCents: number;
  readonly deliveryFeeCents: number;
  readonly totalCents: number;
}

const MAX_LINES = 500;
const MAX_QUANTITY = 1_000_000;

/** @throws Refusal */
export async function checkOrder(
  app: Pick<App, 'clock' | 'executor'>,
  store: OpenStore,
  input: OrderInput,
): Promise<CheckedOrder> {
  checkLines(input.lines);
  if (!input.buyer) parsePhone(input.customer.phone ?? '', 'customer.phone');
  checkPayment(store, input);
  checkUnits(store, input);
  const found = await priceLines(app, store, input.lines);
  const unpriced = found.filter((one): one is UnpricedLine => !isPriced(one));
  if (unpriced.length > 0) {
    throw new Refusal('product_unavailable', 'Some of the items are not for sale.', {
      items: unpriced.map(({ line: { productUuid, variantUuid }, problem }) => ({
        product_uuid: productUuid,
        variant_uuid: variantUuid,
        reason: problem,
      })),
    });
  }
  const lines = found.filter(isPriced);
  checkStock(lines);
  const subtotalCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0);
  const deliveryFeeCents = checkDelivery(store, input, subtotalCents);
  const totalCents = subtotalCents + deliveryFeeCents;
  if (totalCents > MAX_CENTS) {
    throw invalidField('items', 'too_expensive', `An order comes to ${showMoney(MAX_CENTS)} at most.`);
  }
  const { expectedTotalCents } = input;
  if (expectedTotalCents !== undefined && expectedTotalCents !== totalCents) {
    throw new Refusal('price_changed', 'The total is not what it was. Show it again before ordering.', {
      expected_total: showMoney(expectedTotalCents),
      total: showMoney(totalCents),
    });
  }
  return { lines, products: byProduct(input.lines), subtotalCents, deliveryFeeCents, totalCents };
}

function checkLines(lines: readonly OrderLine[]): void {
  if (lines.length === 0) throw invalidField('items', 'too_few', 'An order has at least one item.');
  if (lines.length > MAX_LINES) {
    throw invalidField('items', 'too_many', `An order has at most ${MAX_LINES} items.`);
  }
  const wrong = lines.findIndex(
    ({ quantity }) => !Number.isSafeInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY,
  );
  if (wrong >= 0) {
    const path = `items[${wrong}].quantity`;
    throw invalidField(path, 'out_of_range', `${path} is not a whole number from 1 to ${MAX_QUANTITY}.`);
  }
}

/** The shop accepts any method; a buyer may choose only those that the store offers. */
function checkPayment({ state }: OpenStore, { source, payment: { method } }: OrderInput): void {
  if (source !== 'storefront' || method === null) return;
  const offered = state.paymentMethods.filter((each) => each !== 'pix' || state.pix !== null);
  if (offered.includes(method)) return;
  throw new Refusal('payment_method_unavailable', 'The store does not take this payment.', {
    method,
    offered,
  });
}

/** Only for an early error that lists all items: the products' streams decide. */
function checkStock(lines: readonly PricedLine[]): void {
  const wanted = wantedUnits(lines);
  const short = new Map(
    lines
      .filter(({ line, stock }) => stock !== null && (wanted.get(unitOf(line)) ?? 0) > stock)
      .map(({ line, stock }) => [
        unitOf(line),
        {
          product_uuid: line.productUuid,
          variant_uuid: line.variantUuid,
          requested: wanted.get(unitOf(line)) ?? 0,
          available: stock,
        },
      ]),
  );
  if (short.size === 0) return;
  throw new Refusal('insufficient_stock', 'There is not enough in stock.', { items: [...short.values()] });
}

/** Cents. The shop may agree to a delivery that the store does not offer, and a cart does not specify one. */
function checkDelivery(store: OpenStore, input: OrderInput, subtotalCents: number): number {
  const { fulfillment, address, source } = input;
  const fee = deliveryFee(store.state, fulfillment, subtotalCents, address?.zipcode ?? null);
  if (fee !== null) return fee;
  if (source !== 'storefront') return 0;
  if (fulfillment === 'pickup') {
    throw new Refusal('pickup_unavailable', 'Orders can not be picked up at this store.', {});
  }
  throw new Refusal('delivery_unavailable', 'The store does not deliver there.', {
    zipcode: address?.zipcode ?? null,
  });
}

function byProduct(lines: readonly OrderLine[]): CheckedOrder['products'] {
  const products = new Map<string, OrderLine[]>();
  for (const line of lines) {
    const own = products.get(line.productUuid);
    if (own) own.push(line);
    else products.set(line.productUuid, [line]);
  }
  return [...products].sort(([a], [b]) => (a < b ? -1 : 1));
}
