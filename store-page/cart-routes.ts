/** Routes of the cart: add, show, change. Each form answers with a redirect, so that reloading is safe. */
import type { Request, Response } from 'express';
import { isUuid } from '../domain/kernel/ids.js';
import { isObject } from '../domain/kernel/json.js';
import { productAggregate } from '../domain/product/decide.js';
import { isPriced, priceLines } from '../application/store/orders/price.js';
import { sendOn, sendPrivate, setCart } from './answers.js';
import { addLine, emptyCart, readQuantity, withQuantities, type Cart } from './cart.js';
import { cartView, priceCart } from './cart-pricing.js';
import { activeVariants, goodsOf } from './goods.js';
import { sayBadRequest, sayNotFound, sayPaused } from './messages.js';
import { showProduct } from './product-route.js';
import { frameOf, type StorePageDeps, type Visit } from './visit.js';
import { cartPage } from './views/cart.js';

export async function showCart(
  deps: StorePageDeps,
  visit: Visit,
  req: Request,
  res: Response,
): Promise<void> {
  const priced = await priceCart(deps.app, visit, visit.cart ?? emptyCart());
  const view = cartView(priced, visit, req.query['full'] === '1' ? 'full' : null);
  sendPrivate(res, 200, cartPage(frameOf(visit, { title: visit.t.cart, path: null }), view));
}

export async function changeCart(
  deps: StorePageDeps,
  visit: Visit,
  req: Request,
  res: Response,
): Promise<void> {
  const form = formOf(req);
  const cart = visit.cart ?? emptyCart();
  if (form['action'] === 'add') return add(deps, visit, cart, form, res);
  const changed =
    form['action'] === 'accept' ? (await priceCart(deps.app, visit, cart)).accepted : edited(cart, form);
  setCart(res, deps, visit, changed);
  sendOn(res, 303, visit.href('/sacola'));
}

type Form = Readonly<Record<string, unknown>>;

export const formOf = ({ body }: { readonly body?: unknown }): Form => (isObject(body) ? body : {});

/** Quantities that can't be read leave their line unchanged. */
function edited(cart: Cart, form: Form): Cart {
  const quantities = Object.entries(form).flatMap(([name, value]) => {
    const quantity = readQuantity(value, 0);
    return name.startsWith('q.') && quantity !== null ? [[name.slice(2), quantity] as const] : [];
  });
  const removed = typeof form['remove'] === 'string' ? [[form['remove'], 0] as const] : [];
  return withQuantities(cart, new Map([...quantities, ...removed]));
}

async function add(
  { app, ...deps }: StorePageDeps,
  visit: Visit,
  cart: Cart,
  form: Form,
  res: Response,
): Promise<void> {
  if (!visit.sells) return sayPaused(visit, res);
  const productUuid = form['product'];
  const quantity = readQuantity(form['quantity'] ?? '1', 1);
  if (quantity === null) return sayBadRequest(visit, res, 422);
  if (typeof productUuid !== 'string' || !isUuid(productUuid)) return sayNotFound(visit, res);
  const { state: product } = await app.executor.load(productAggregate, productUuid.toLowerCase());
  const there = product.exists && !product.deleted && product.details.active;
  if (!there || product.storeUuid !== visit.store.uuid) return sayNotFound(visit, res);
  const goods = goodsOf(productUuid.toLowerCase(), product);
  const chosen = form['variant'] ?? '';
  const variantUuid = typeof chosen === 'string' && chosen !== '' ? chosen.toLowerCase() : null;
  if (variantUuid === null && activeVariants(goods).length > 0) {
    return showProduct(visit, goods, res, { choiceMissing: true });
  }
  const line = { productUuid: goods.uuid, variantUuid, quantity };
  const [priced] = await priceLines(app, visit.store, [line]);
  if (!priced || !isPriced(priced)) return sayNotFound(visit, res);
  const filled = addLine(cart, { ...line, seenCents: priced.unitCents });
  if (filled === null) return sendOn(res, 303, visit.href('/sacola', { full: '1' }));
  setCart(res, { app, ...deps }, visit, filled);
  sendOn(res, 303, visit.href('/sacola'));
}
