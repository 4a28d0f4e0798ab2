/** Order as the contract shows it (spec §3, §4 Store). */
import { allowedMoves, isOfVisitor, isUnpaid } from '../../domain/order/state.js';
import type { OrderStatus } from '../../domain/order/status.js';
import { showMoney } from '../../domain/policies/money.js';

type Fields = Readonly<Record<string, unknown>>;

export interface OrderItemSource {
  readonly uuid: string;
  readonly product_uuid: string;
  readonly variant_uuid: string | null;
  readonly import_handle: string | null;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly ncm: string | null;
  readonly name: string;
  readonly variant_name: string | null;
  readonly options: Readonly<Record<string, string>>;
  readonly quantity: number;
  readonly list_price_cents: number;
  readonly unit_price_cents: number;
  readonly total_cents: number;
  readonly stock_tracked: boolean;
  readonly stock_taken: number;
  readonly image_hash: string | null;
}

/** What is read of an `orders` document. */
export interface OrderSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly number: number;
  readonly status: OrderStatus;
  readonly source: string;
  readonly contact_uuid: string | null;
  readonly conversation_uuid: string | null;
  readonly customer: Fields | null;
  readonly items: readonly OrderItemSource[];
  readonly subtotal_cents: number;
  readonly discount_cents: number;
  readonly delivery_fee_cents: number;
  readonly total_cents: number;
  readonly fulfillment: 'delivery' | 'pickup';
  readonly address: Fields | null;
  readonly pickup_location: string | null;
  readonly payment_method: string | null;
  readonly pix: { readonly copy_paste: string; readonly txid: string } | null;
  readonly payment_link: string | null;
  readonly paid_at: string | null;
  readonly note: string | null;
  readonly item_notes: Fields | null;
  readonly tracking: Fields;
  readonly hold_until: string | null;
  readonly cancel_reason: string | null;
  readonly stock_restored_at: string | null;
  readonly status_history: readonly {
    readonly status: string;
    readonly at: string;
    readonly actor: string;
  }[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** What became of the products of an order. */
export interface ProductsNow {
  /** The product is not there any more. */
  readonly isDeleted: (productUuid: string) => boolean;
  /** Address of a picture, as long as the product still shows it: others are not kept. */
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
      // The code is a static one: it carries the amount and does not expire.
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

function presentItem(item: OrderItemSource, notes: Fields | null, products: ProductsNow) {
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

/** Every field named, null where it is not known or was erased. */
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
