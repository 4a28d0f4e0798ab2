/** Order as the contract shows it (spec §3, §4 Store). */
import { allowedMoves, isOfVisitor, isUnpaid, type OrderItem } from '../../domain/order/state.js';
import { showMoney } from '../../domain/policies/money.js';
import type { OrderDoc } from '../../read-models/orders.js';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an `orders` document used here. */
export type OrderSource = Omit<OrderDoc, 'store_uuid'>;

/** The current state of an order's products. */
export interface ProductsNow {
  /** True when the product no longer exists. */
  readonly isDeleted: (productUuid: string) => boolean;
  /** Address of a picture, as long as the product still shows it: other pictures are not kept. */
  readonly imageUrl: (productUuid: string, imageHash: string) => string | null;
}

export function presentOrder(order: OrderSource, products: ProductsNow) {
  return {
    uuid: order.uuid,
    number: order.number,
    code: `#${order.number}`,
    status: order.status,
    allowed_statuses: [...allowedMoves(order.status)],
    source: order.source,
    contact_uuid: order.contact_uuid,
    conversation_uuid: order.conversation_uuid,
    customer: texts(order.customer, ['name', 'phone', 'email', 'document']),
    items: order.items.map((item) => presentItem(item, order.item_notes, products)),
    subtotal: showMoney(order.subtotal_cents),
    discount: showMoney(order.discount_cents),
    delivery_fee: showMoney(order.delivery_fee_cents),
    total: showMoney(order.total_cents),
    currency: 'BRL',
    fulfillment: {
      type: order.fulfillment,
      address: order.address && texts(order.address, ADDRESS),
      pickup_location: order.pickup_location,
    },
    payment: {
      method: order.payment_method,
      // The code is static: it contains the amount and does not expire.
      pix: order.pix && { ...order.pix, expires_at: null },
      link: order.payment_link,
      paid_at: order.paid_at,
    },
    note: order.note,
    tracking: order.tracking,
    hold_until: isUnpaid(order.status) ? order.hold_until : null,
    cancel_reason: order.cancel_reason,
    stock_restored_at: order.stock_restored_at,
    status_history: order.status_history.map(({ status, at, actor }, index) => ({
      status,
      at,
      by: index === 0 && isOfVisitor(order.source) ? customer(order) : moverOf(actor),
    })),
    created_at: order.created_at,
    updated_at: order.updated_at,
  };
}

const ADDRESS = ['zipcode', 'street', 'number', 'complement', 'district', 'city', 'state'] as const;

function presentItem(item: OrderItem, notes: Fields | null, products: ProductsNow) {
  const { list_price_cents, unit_price_cents, total_cents, image_hash, ...kept } = item;
  return {
    ...kept,
    note: texts(notes, [item.uuid])[item.uuid] ?? null,
    product_deleted: products.isDeleted(item.product_uuid),
    list_price: showMoney(list_price_cents),
    unit_price: showMoney(unit_price_cents),
    total: showMoney(total_cents),
    image_url: image_hash === null ? null : products.imageUrl(item.product_uuid, image_hash),
  };
}

/** All named fields, null where the value is unknown or was erased. */
function texts<K extends string>(fields: Fields | null, names: readonly K[]): Record<K, string | null> {
  const entries = names.map((name) => [name, typeof fields?.[name] === 'string' ? fields[name] : null]);
  return Object.fromEntries(entries) as Record<K, string | null>;
}

const customer = ({ contact_uuid }: OrderSource) => ({ type: 'customer', id: contact_uuid });

/** @param actor as recorded: `key:<id>`, `admin`, `worker:<name>`, … */
function moverOf(actor: string): { readonly type: string; readonly id: string | null } {
  if (actor.startsWith('key:')) return { type: 'api_key', id: actor.slice('key:'.length) };
  return actor === 'admin' ? { type: 'agent', id: null } : { type: 'system', id: null };
}

export type OrderResource = ReturnType<typeof presentOrder>;
