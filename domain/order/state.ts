import { ORDER_MOVES, type OrderStatus } from './status.js';
import type { OrderEvent } from './events.js';

export type PlacedData = Extract<OrderEvent, { type: 'OrderPlaced' }>['data'];
export type OrderItem = PlacedData['items'][number];

export interface Order {
  /** The content of the order and its buyer; null when it is not placed. Personal fields are null after an erasure. */
  readonly placed: PlacedData | null;
  /** Placing the order was abandoned: this stream will never be an order. */
  readonly notPlaced: boolean;
  readonly status: OrderStatus;
  readonly stockRestored: boolean;
  /**
   * ISO 8601, until when the unpaid order holds its stock; null: no time limit. Undefined: a release without holds
   * placed the order, and no hold was decided yet.
   */
  readonly holdUntil: string | null | undefined;
  readonly cancelReason: string | null;
}

export const initialOrder: Order = {
  placed: null,
  notPlaced: false,
  status: 'novo',
  stockRestored: false,
  holdUntil: null,
  cancelReason: null,
};

/** Cancellation reason when the system cancels an order that was not paid in time. */
export const UNPAID = 'unpaid';

/**
 * Products whose stock the order may hold, without duplicates. All writers take and return stock in this sorted order.
 */
export const productsOf = (items: readonly Pick<OrderItem, 'product_uuid'>[]): readonly string[] =>
  [...new Set(items.map((item) => item.product_uuid))].sort();

/** The order is not paid yet. */
export const isUnpaid = (status: OrderStatus): boolean => status === 'novo' || status === 'confirmado';

/** The buyer placed the order without help; orders that the shop enters have other sources. */
export const isOfVisitor = (source: string): boolean => source === 'storefront' || source === 'whatsapp_cart';

/** The order took units of products whose stock is tracked. */
export const hasTakenStock = ({ placed }: Order): boolean =>
  placed?.items.some(({ stock_taken }) => stock_taken > 0) ?? false;

const STATUS_OF = {
  OrderConfirmed: 'confirmado',
  OrderPaid: 'pago',
  OrderDelivered: 'entregue',
  OrderCancelled: 'cancelado',
} as const;
const STATUSES: Readonly<Partial<Record<OrderEvent['type'], OrderStatus>>> = STATUS_OF;

/** The status that an event sets; undefined for all other events. */
export const statusAfter = (type: OrderEvent['type']): OrderStatus | undefined =>
  Object.hasOwn(STATUSES, type) ? STATUSES[type] : undefined;

export const allowedMoves = (status: OrderStatus): readonly OrderStatus[] => ORDER_MOVES[status];

export function evolveOrder(state: Order, event: OrderEvent): Order {
  switch (event.type) {
    case 'OrderPlaced':
      return { ...state, placed: event.data, status: 'novo', holdUntil: event.data.hold_until };
    case 'OrderNotPlaced':
      return { ...state, notPlaced: true };
    case 'OrderHoldSet':
      return { ...state, holdUntil: event.data.until };
    case 'OrderCancelled':
      return { ...state, status: 'cancelado', cancelReason: event.data.reason };
    case 'OrderConfirmed':
    case 'OrderPaid':
    case 'OrderDelivered':
      return { ...state, status: STATUS_OF[event.type] };
    case 'OrderStockRestored':
      return { ...state, stockRestored: true };
    default:
      return state;
  }
}
