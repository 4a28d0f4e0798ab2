import type { Aggregate, DecideContext } from '../kernel/decider.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { orderStream } from '../streams.js';
import { orderEvents, type OrderEvent } from './events.js';
import {
  allowedMoves,
  evolveOrder,
  hasTakenStock,
  initialOrder,
  isUnpaid,
  UNPAID,
  type Order,
  type PlacedData,
} from './state.js';
import type { OrderStatus } from './status.js';

export type OrderCommand =
  /** Its stock has been taken already. Placing a placed order changes nothing. */
  | { readonly type: 'PlaceOrder'; readonly data: PlacedData }
  /** The order will never be placed. Does nothing to a placed order: the caller must check the returned state. */
  | {
      readonly type: 'AbandonOrder';
      readonly companyUuid: CompanyUuid;
      readonly productUuids: readonly string[];
    }
  /** `reason`: why the order is cancelled; ignored for other moves. */
  | { readonly type: 'MoveOrder'; readonly to: OrderStatus; readonly reason: string | null }
  /** For an order of a release without holds. `until`: ISO 8601. Does nothing where a hold was already decided. */
  | { readonly type: 'BeginHold'; readonly until: string }
  /** The order holds its stock without a time limit from now on. */
  | { readonly type: 'LiftHold' }
  /** Cancels an unpaid order whose hold has ended. Does nothing when it is paid, cancelled, or has time left. */
  | { readonly type: 'EndHold' }
  /** Every product of a cancelled order has got its units back. */
  | { readonly type: 'NoteStockRestored' };

/**
 * @throws Refusal order_not_placed; not_found; invalid_status_transition (`details {from, to, allowed}`, spec §3 and
 * §7), also for a move to the current status; order_not_cancelled
 */
export function decideOrder(
  command: OrderCommand,
  state: Order,
  { now }: Pick<DecideContext, 'now'>,
): readonly OrderEvent[] {
  switch (command.type) {
    case 'PlaceOrder':
      if (state.notPlaced) {
        throw new Refusal('order_not_placed', 'This order was given up before it was placed. Place it anew.');
      }
      return state.placed === null ? [{ type: 'OrderPlaced', data: command.data }] : [];
    case 'AbandonOrder': {
      if (state.notPlaced || state.placed !== null) return [];
      const { companyUuid, productUuids } = command;
      return [
        { type: 'OrderNotPlaced', data: { company_uuid: companyUuid, product_uuids: [...productUuids] } },
      ];
    }
    case 'MoveOrder':
      existing(state);
      return [moved(state.status, command.to, command.reason)];
    case 'BeginHold':
      existing(state);
      if (!isUnpaid(state.status) || state.holdUntil !== undefined) return [];
      return [{ type: 'OrderHoldSet', data: { until: command.until } }];
    case 'LiftHold':
      existing(state);
      if (!isUnpaid(state.status) || !state.holdUntil) return [];
      return [{ type: 'OrderHoldSet', data: { until: null } }];
    case 'EndHold':
      existing(state);
      if (!isUnpaid(state.status) || !state.holdUntil) return [];
      if (Date.parse(state.holdUntil) > Date.parse(now)) return [];
      return [moved(state.status, 'cancelado', UNPAID)];
    case 'NoteStockRestored':
      existing(state);
      if (state.status !== 'cancelado') {
        throw new Refusal('order_not_cancelled', 'Stock goes back when an order is cancelled.');
      }
      return state.stockRestored || !hasTakenStock(state) ? [] : [{ type: 'OrderStockRestored', data: {} }];
    default:
      return command satisfies never;
  }
}

function moved(from: OrderStatus, to: OrderStatus, reason: string | null): OrderEvent {
  const allowed = allowedMoves(from);
  if (allowed.includes(to)) {
    switch (to) {
      case 'confirmado':
        return { type: 'OrderConfirmed', data: {} };
      case 'pago':
        return { type: 'OrderPaid', data: {} };
      case 'entregue':
        return { type: 'OrderDelivered', data: {} };
      case 'cancelado':
        return { type: 'OrderCancelled', data: { reason } };
      default:
    }
  }
  throw new Refusal('invalid_status_transition', `An order cannot move from ${from} to ${to}.`, {
    from,
    to,
    allowed: [...allowed],
  });
}

function existing(state: Order): void {
  if (state.placed === null) {
    throw new Refusal('not_found', 'There is no such order.', { resource: 'order' });
  }
}

export const orderAggregate: Aggregate<Order, OrderCommand, OrderEvent, 'order'> = {
  stream: orderStream,
  events: orderEvents,
  initial: initialOrder,
  decide: decideOrder,
  evolve: evolveOrder,
};
