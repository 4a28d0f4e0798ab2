import type { OrderEvent } from '../../domain/order/events.js';
import { statusAfter } from '../../domain/order/state.js';
import { orderStream } from '../../domain/streams.js';
import { orders as collection, type OrderDoc } from '../../read-models/orders.js';
import { defineProjection } from '../projection.js';

export const orders = defineProjection<OrderDoc, OrderEvent>({
  collection,
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
  evolve: (doc, { event, record }, uuid) => {
    const { occurred_at: at, actor } = record.meta;
    if (event.type === 'OrderPlaced') {
      const { customer, address, note, message_uuid: _message, ...data } = event.data;
      return {
        uuid,
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
