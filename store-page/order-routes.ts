/**
 * The page of one order. Its address contains the order's uuid and a signature, and only the buyer receives it. The
 * page shows the items and how to pay, but neither phone nor street: addresses get passed on.
 */
import type { Response } from 'express';
import { isUuid } from '../domain/kernel/ids.js';
import { orderStream } from '../domain/streams.js';
import { orders } from '../read-models/orders.js';
import type { OrderSource } from '../application/resources/store-order.js';
import { sendPrivate } from './answers.js';
import { dateTime, money } from './format.js';
import { sayNotFound } from './messages.js';
import { qrSvg } from './qr.js';
import { matches, orderKey } from './tokens.js';
import { frameOf, type StorePageDeps, type Visit } from './visit.js';
import { orderPage } from './views/order.js';
import type { OrderView } from './views/models.js';

export async function showOrder(
  { app, secret }: StorePageDeps,
  visit: Visit,
  orderUuid: string,
  key: string,
  res: Response,
): Promise<void> {
  const known = isUuid(orderUuid) && matches(key, orderKey(secret, visit.store.uuid, orderUuid));
  // Read from the stream: the order was just placed, and read models may be behind.
  const order = known ? await app.replay(orders.name, orderStream.toName(orderUuid)) : undefined;
  if (!order || order.company_uuid !== visit.store.state.companyUuid) return sayNotFound(visit, res);
  const frame = frameOf(visit, { title: visit.t.orderNumber(codeOf(order)), path: null });
  sendPrivate(res, 200, orderPage(frame, orderView(order, visit)));
}

const codeOf = ({ number }: OrderSource): string => `#${number}`;
/** The order is not paid yet. Later, a visible Pix code could be paid twice. */
const UNPAID = new Set(['novo', 'confirmado']);

function orderView(order: OrderSource, visit: Visit): OrderView {
  const { lang, t } = visit;
  const { pix, status } = order;
  const price = (cents: number): string => money(lang, cents);
  const name = order.customer?.['name'];
  const firstName = typeof name === 'string' ? name.trim().replace(/\s.*/s, '') : '';
  return {
    code: codeOf(order),
    firstName: firstName === '' ? null : firstName,
    placedAt: dateTime(lang, order.created_at),
    heldUntil: UNPAID.has(status) && order.hold_until ? dateTime(lang, order.hold_until) : null,
    status: t.statuses[status] ?? status,
    items: order.items.map(({ name, variant_name, quantity, total_cents }) => ({
      name,
      variantName: variant_name,
      quantity,
      total: price(total_cents),
    })),
    subtotal: price(order.subtotal_cents),
    discount: order.discount_cents === 0 ? null : price(-order.discount_cents),
    deliveryFee:
      order.fulfillment === 'pickup'
        ? null
        : order.delivery_fee_cents === 0
          ? t.free
          : price(order.delivery_fee_cents),
    total: price(order.total_cents),
    fulfillment: order.fulfillment,
    pickupLocation: order.pickup_location,
    payment:
      order.payment_method === null ? null : (t.paymentNames[order.payment_method] ?? order.payment_method),
    pix: pix !== null && UNPAID.has(status) ? { code: pix.copy_paste, qrSvg: qrSvg(pix.copy_paste) } : null,
    whatsappUrl: chatAbout(order, visit),
  };
}

function chatAbout(order: OrderSource, { store, lang, t }: Visit): string | null {
  const { whatsappPhone, name } = store.state;
  if (whatsappPhone === null) return null;
  const message = t.whatsAppMessage(codeOf(order), name, money(lang, order.total_cents));
  return `https://wa.me/${whatsappPhone.slice(1)}?text=${encodeURIComponent(message)}`;
}
