import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, instant, nullable, personal, uuid, type EventOf } from '../kernel/event.js';
import type { Upcaster } from '../kernel/schema-registry.js';

const text = () => nullable(Type.String());
const cents = () => Type.Integer({ minimum: 0 });

/** A line as it was bought; later changes to the product don't affect it. */
export const orderItemSchema = Type.Object({
  uuid: uuid(),
  product_uuid: uuid(),
  variant_uuid: nullable(uuid()),
  import_handle: text(),
  sku: text(),
  gtin: text(),
  ncm: text(),
  name: Type.String(),
  variant_name: text(),
  options: Type.Record(Type.String(), Type.String()),
  quantity: Type.Integer({ minimum: 1 }),
  list_price_cents: cents(),
  unit_price_cents: cents(),
  total_cents: cents(),
  stock_tracked: Type.Boolean(),
  stock_taken: Type.Integer({ minimum: 0 }),
  /** Hash of the picture's original bytes at the time of purchase. */
  image_hash: text(),
});

export const orderEvents = [
  defineEvent('OrderPlaced', 2, 'A customer placed an order; its stock has been taken.', {
    company_uuid: uuid(),
    store_uuid: uuid(),
    number: Type.Integer({ minimum: 1 }),
    /** `storefront`, `whatsapp_cart`, `dashboard`, `api` */
    source: Type.String(),
    contact_uuid: nullable(uuid()),
    conversation_uuid: nullable(uuid()),
    /** `{name, phone, email, document}` */
    customer: personal(freeObject()),
    items: Type.Array(orderItemSchema),
    subtotal_cents: cents(),
    discount_cents: cents(),
    delivery_fee_cents: cents(),
    total_cents: cents(),
    fulfillment: Type.Union([Type.Literal('delivery'), Type.Literal('pickup')]),
    /** `{zipcode, street, number, complement, district, city, state}`; `{}` for an order that is picked up */
    address: personal(freeObject()),
    pickup_location: text(),
    payment_method: text(),
    pix: nullable(Type.Object({ copy_paste: Type.String(), txid: Type.String() })),
    payment_link: text(),
    note: personal(text()),
    /** The customer's notes to items, by the item's uuid. */
    item_notes: personal(freeObject()),
    /** Attribution of the sale: keys of the tracking convention (spec §2). */
    tracking: freeObject(),
    /** The message that contained the cart, if any. */
    message_uuid: nullable(uuid()),
    /** Until when the unpaid order holds its stock; null: no time limit. Absent in events of releases without holds. */
    hold_until: Type.Optional(nullable(instant())),
  }),
  defineEvent(
    'OrderNotPlaced',
    1,
    'Placing an order failed after stock was taken; the order does not exist, and never will.',
    {
      company_uuid: uuid(),
      product_uuids: Type.Array(uuid()),
    },
  ),
  defineEvent('OrderHoldSet', 1, 'The time until which an unpaid order holds its stock was changed.', {
    /** Null: no time limit. */
    until: nullable(instant()),
  }),
  defineEvent('OrderConfirmed', 1, 'The shop confirmed the order.', {}),
  defineEvent('OrderPaid', 1, 'The order is paid.', {}),
  defineEvent('OrderDelivered', 1, 'The customer has received the goods.', {}),
  defineEvent('OrderCancelled', 1, 'The order was cancelled; its stock will be returned.', {
    reason: text(),
  }),
  defineEvent(
    'OrderStockRestored',
    1,
    'The stock of a cancelled order is back, as far as its products still exist and their stock is tracked.',
    {},
  ),
] as const;

export type OrderEvent = EventOf<typeof orderEvents>;

/** `Type@version` → data of the next version. */
export const orderUpcasters: Readonly<Record<string, Upcaster>> = {
  // Version 2 adds an optional time until which stock is held.
  'OrderPlaced@1': (data) => data,
};
