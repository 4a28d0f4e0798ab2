import type { OrderEvent } from '../../domain/order/events.js';
import { statusAfter, type OrderItem } from '../../domain/order/state.js';
import type { OrderStatus } from '../../domain/order/status.js';
import { orderStream } from '../../domain/order/stream.js';
import { defineProjection } from '../projection.js';

type Personal = Readonly<Record<string, unknown>>;

export type OrderDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly store_uuid: string;
  readonly number: number;
  readonly status: OrderStatus;
  readonly source: string;
  readonly contact_uuid: string | null;
  readonly conversation_uuid: string | null;
  /** Null once the buyer was erased; so are the address and the notes. */
  readonly customer: Personal | null;
  readonly items: readonly OrderItem[];
  readonly subtotal_cents: number;
  readonly discount_cents: number;
  readonly delivery_fee_cents: number;
  readonly total_cents: number;
  readonly fulfillment: 'delivery' | 'pickup';
  /** Null where there is none. */
  readonly address: Personal | null;
  readonly pickup_location: string | null;
  readonly payment_method: string | null;
  readonly pix: { readonly copy_paste: string; readonly txid: string } | null;
  readonly payment_link: string | null;
  readonly paid_at: string | null;
  readonly note: string | null;
  readonly item_notes: Personal | null;
  readonly tracking: Readonly<Record<string, unknown>>;
  /** Until when it holds its stock unpaid; null: without end. Says nothing of one that is paid or cancelled. */
  readonly hold_until: string | null;
  readonly cancel_reason: string | null;
  readonly stock_restored_at: string | null;
  /** Oldest first. `actor`: as recorded with the event. */
  readonly status_history: readonly {
    readonly status: OrderStatus;
    readonly at: string;
    readonly actor: string;
  }[];
  readonly created_at: string;
  readonly updated_at: string;
};

export const orders = defineProjection<OrderDoc, OrderEvent>({
  name: 'orders',
  version: 2,
  indexes: {
    by_store: ['store_uuid', 'created_at', 'number'],
    by_status: ['store_uuid', 'status', 'created_at', 'number'],
    by_number: ['store_uuid', 'number'],
    by_contact: ['contact_uuid', 'created_at'],
  },
  handles: [
    'OrderPlaced',
    'OrderHoldSet',
    'OrderConfirmed',
    'OrderPaid',
    'OrderDelivered',
    'OrderCancelled',
    'OrderStockRestored',
  ],
  documentId: ({ record }) => orderStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const { occurred_at: at, actor } = record.meta;
    if (event.type === 'OrderPlaced') {
      const { customer, address, note, message_uuid: _message, ...data } = event.data;
      return {
        uuid: orderStream.match(record.stream)!,
        ...data,
        customer,
        address: address !== null && Object.keys(address).length > 0 ? address : null,
        note,
        status: 'novo',
        hold_until: data.hold_until ?? null,
        paid_at: null,
        cancel_reason: null,
        stock_restored_at: null,
        status_history: [{ status: 'novo', at, actor }],
        created_at: at,
        updated_at: at,
      };
    }
    if (!doc) return null;
    if (event.type === 'OrderStockRestored') return { ...doc, stock_restored_at: at, updated_at: at };
    if (event.type === 'OrderHoldSet') return { ...doc, hold_until: event.data.until, updated_at: at };
    const status = statusAfter(event.type);
    if (status === undefined) return doc;
    return {
      ...doc,
      status,
      status_history: [...doc.status_history, { status, at, actor }],
      ...(event.type === 'OrderPaid' ? { paid_at: at } : {}),
      ...(event.type === 'OrderCancelled' ? { cancel_reason: event.data.reason } : {}),
      updated_at: at,
    };
  },
});
