/**
 * The checkout. Its form contains a signed token that names the order, so that sending it again gives the same order.
 * Changes since the visitor saw the cart are shown before anything is bought.
 */
import type { Request, Response } from 'express';
import { orderAggregate } from '../domain/order/decide.js';
import { Refusal } from '../domain/kernel/refusal.js';
import { directCommand } from '../application/app.js';
import { deliveryFee } from '../application/store/orders/price.js';
import { placeOrder } from '../application/store/orders/place.js';
import { sendOn, sendPrivate, setCart } from './answers.js';
import { cameFrom } from './came-from.js';
import { emptyCart } from './cart.js';
import { priceCart, waysOf, type PricedCart } from './cart-pricing.js';
import { formOf } from './cart-routes.js';
import { readCheckoutForm, type CheckoutForm, type Offer, type Purchase } from './form.js';
import { money } from './format.js';
import { sayPaused, sayUnavailable } from './messages.js';
import { makeCheckoutToken, orderKey, readCheckoutToken } from './tokens.js';
import { frameOf, type StorePageDeps, type Visit } from './visit.js';
import { titleOf } from './views/cart.js';
import { checkoutPage } from './views/checkout.js';
import type { CheckoutView } from './views/models.js';

/** A form that was open for longer is shown again before it buys. */
const FORM_MS = 24 * 3600 * 1000;

export async function showCheckout(deps: StorePageDeps, visit: Visit, res: Response): Promise<void> {
  const priced = await priceCart(deps.app, visit, visit.cart ?? emptyCart());
  if (!visit.sells || priced.lines.length === 0 || priced.changed)
    return sendOn(res, 303, visit.href('/sacola'));
  const offer = offerOf(visit, priced);
  // Only the default that the form would select anyway.
  const values = { ...(offer.ways[0] && { fulfillment: offer.ways[0] }) };
  show(deps, visit, priced, { values, errors: {}, refusal: null }, res, 200);
}

export async function submitCheckout(
  deps: StorePageDeps,
  visit: Visit,
  req: Request,
  res: Response,
): Promise<void> {
  const { app, secret } = deps;
  const fields = formOf(req);
  const cart = visit.cart ?? emptyCart();
  const form = { storeUuid: visit.store.uuid, session: cart.session };
  const token = readCheckoutToken(secret, form, text(fields['token']));
  if (token && (await isPlaced(deps, visit, token.orderUuid)))
    return toOrder(deps, visit, token.orderUuid, res);
  if (!visit.sells) return sayPaused(visit, res);
  const priced = await priceCart(app, visit, cart);
  if (priced.lines.length === 0 || priced.changed) return sendOn(res, 303, visit.href('/sacola'));

  const read = readCheckoutForm(fields, offerOf(visit, priced));
  const again: Again = (errors, refusal = null) =>
    show(deps, visit, priced, { ...read, errors, refusal }, res, 422);
  if (!token || token.issuedAt + FORM_MS < visit.now) return again({ form: 'expired', ...read.errors });
  const { purchase } = read;
  if (purchase === null) return again(read.errors);
  const zipcode = purchase.address?.zipcode ?? null;
  if (deliveryFee(visit.store.state, purchase.fulfillment, priced.subtotalCents, zipcode) === null) {
    return again({ zipcode: 'zipcode_outside' });
  }
  if (text(fields['seen']) !== seenOf(visit, priced)) return again({ form: 'delivery_changed' });
  try {
    const orderUuid = await place(deps, visit, priced, purchase, token.orderUuid, cameFrom(req));
    setCart(res, deps, visit, { ...cart, lines: [] });
    toOrder(deps, visit, orderUuid, res);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerRefusal(error, visit, res, again);
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Shows the form again with its errors; `refusal` is a sentence. */
type Again = (errors: CheckoutForm['errors'], refusal?: CheckoutView['refusal']) => void;

function answerRefusal({ code, details }: Refusal, visit: Visit, res: Response, again: Again): void {
  switch (code) {
    // Another buyer was faster, or the shop has just changed something: the cart page shows what changed.
    case 'insufficient_stock':
    case 'product_unavailable':
    case 'price_changed':
      return sendOn(res, 303, visit.href('/sacola'));
    case 'delivery_unavailable':
      return again({ zipcode: 'zipcode_outside' });
    case 'unit_limit_exceeded':
      return again({}, visit.t.unitLimit(Number(details['max'])));
    case 'unpaid_order_limit_reached':
      return again({}, visit.t.unpaidLimit(Number(details['max'])));
    case 'concurrent_update':
      return sayUnavailable(visit, res);
    default:
      return again({ form: 'refused' });
  }
}

async function isPlaced({ app }: StorePageDeps, { store }: Visit, orderUuid: string): Promise<boolean> {
  const { state } = await app.executor.load(orderAggregate, orderUuid);
  return state.placed?.store_uuid === store.uuid;
}

async function place(
  { app }: StorePageDeps,
  visit: Visit,
  priced: PricedCart,
  purchase: Purchase,
  orderUuid: string,
  from: Readonly<Record<string, string>>,
): Promise<string> {
  const { name, phone, fulfillment, address, payment, note } = purchase;
  const { store } = visit;
  const fee = waysOf(visit, priced.subtotalCents).find(({ way }) => way === fulfillment);
  const context = directCommand(app, { company: store.state.companyUuid, actor: 'customer' });
  const placed = await placeOrder(
    app,
    store,
    {
      orderUuid,
      source: 'storefront',
      lines: priced.lines.map(({ line: { productUuid, variantUuid, quantity } }) => ({
        productUuid,
        variantUuid,
        quantity,
      })),
      customer: { name, phone, email: null, document: null },
      fulfillment,
      address,
      payment: { method: payment },
      note,
      tracking: from,
      expectedTotalCents: priced.subtotalCents + (fee?.feeCents ?? 0),
    },
    context,
  );
  return placed.uuid;
}

function toOrder({ secret }: StorePageDeps, visit: Visit, orderUuid: string, res: Response): void {
  sendOn(res, 303, visit.href(`/pedido/${orderUuid}/${orderKey(secret, visit.store.uuid, orderUuid)}`));
}

function offerOf(visit: Visit, { subtotalCents }: PricedCart): Offer {
  const { pix, paymentMethods } = visit.store.state;
  return {
    ways: waysOf(visit, subtotalCents).map(({ way }) => way),
    payments: paymentMethods.filter((method) => method !== 'pix' || pix !== null),
  };
}

/** The amounts that the page shows, in cents. */
const seenOf = (visit: Visit, { subtotalCents }: PricedCart): string =>
  [subtotalCents, ...waysOf(visit, subtotalCents).map(({ way, feeCents }) => `${way}-${feeCents}`)].join('.');

function show(
  { secret }: StorePageDeps,
  visit: Visit,
  priced: PricedCart,
  form: Pick<CheckoutForm, 'values' | 'errors'> & Pick<CheckoutView, 'refusal'>,
  res: Response,
  status: number,
): void {
  const { lang, t, store } = visit;
  const { subtotalCents } = priced;
  const session = visit.cart!.session;
  const { delivery, pickup } = store.state;
  const freeFrom = delivery?.freeFromCents ?? null;
  const page = checkoutPage(frameOf(visit, { title: t.checkoutTitle, path: null }), {
    token: makeCheckoutToken(secret, { storeUuid: store.uuid, session }, visit.now),
    seen: seenOf(visit, priced),
    values: form.values,
    errors: form.errors,
    refusal: form.refusal,
    ways: waysOf(visit, subtotalCents).map(({ way, feeCents }) => ({
      value: way,
      cost: feeCents === 0 ? t.free : money(lang, feeCents),
      detail:
        way === 'pickup'
          ? (pickup?.location ?? null)
          : freeFrom !== null && feeCents > 0
            ? t.freeFrom(money(lang, freeFrom))
            : null,
      total: money(lang, subtotalCents + feeCents),
    })),
    payments: offerOf(visit, priced).payments,
    lines: priced.lines.map(({ line, name, variantName, quote }) => ({
      name: titleOf(name, variantName),
      quantity: line.quantity,
      total: money(lang, quote!.totalCents),
    })),
    subtotal: money(lang, subtotalCents),
  });
  sendPrivate(res, status, page);
}
