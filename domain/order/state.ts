import { ORDER_MOVES, type OrderStatus } from './status.js';
import type { OrderEvent } from './events.js';

export type PlacedData = Extract<OrderEvent, { type: 'OrderPlaced' }>['data'];
export type OrderItem = PlacedData['items'][number];

export interface Order {
  /** What was bought, by whom; null when the order is not placed. Personal parts are null once they were erased. */
  readonly placed: PlacedData | null;
  /** Placing broke off: this stream will never be an order. */
  readonly notPlaced: boolean;
  readonly status: OrderStatus;
  readonly stockRestored: boolean;
  /**
   * ISO 8601, until when it holds its stock unpaid; null: without end. Undefined: nothing was decided yet, since a release
   * placed it that knew no holds.
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

/** Reason of what the system cancels because nobody paid in time. */
export const UNPAID = 'unpaid';

/** Products whose stock the order may hold, each once, sorted: the order in which all writers take and return. */
export const productsOf = (items: readonly Pick<OrderItem, 'product_uuid'>[]): readonly string[] =>
  [...new Set(items.map((item) => item.product_uuid))].sort();

/** Money is still expected for it. */
export const isUnpaid = (status: OrderStatus): boolean => status === 'novo' || status === 'confirmado';

/** The buyer ordered it alone; what the shop enters for somebody has other sources. */
export const isOfVisitor = (source: string): boolean => source === 'storefront' || source === 'whatsapp_cart';

/** Units of counted products left the shelf for it. */
export const hasTakenStock = ({ placed }: Order): boolean =>
  placed?.items.some(({ stock_taken }) => stock_taken > 0) ?? false;

const STATUS_OF = {
  OrderConfirmed: 'confirmado',
  OrderPaid: 'pago',
  OrderDelivered: 'entregue',
  OrderCancelled: 'cancelado',
} as const;
const STATUSES: Readonly<Partial<Record<OrderEvent['type'], OrderStatus>>> = STATUS_OF;

/** The status an event moves the order to; undefined for every other event. */
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
