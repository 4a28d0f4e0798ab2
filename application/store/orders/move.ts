/** Changes the status of an order (spec §3), with the consequences of a cancellation. */
import type { CompanyUuid } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import { productsOf, type Order } from '../../../domain/order/state.js';
import type { OrderStatus } from '../../../domain/order/status.js';
import type { Position } from '../../../ports/event-store.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { returnStock } from './stock.js';

export interface MovedOrder {
  readonly order: Order;
  readonly position: Position | null;
}

/**
 * @param reason reason for a cancellation
 * @throws Refusal not_found, invalid_status_transition
 */
export async function moveOrder(
  app: Pick<App, 'executor'>,
  companyUuid: CompanyUuid,
  orderUuid: string,
  to: OrderStatus,
  reason: string | null,
  context: CommandContext,
): Promise<MovedOrder> {
  const { state } = await app.executor.load(orderAggregate, orderUuid);
  if (state.placed?.company_uuid !== companyUuid) {
    throw new Refusal('not_found', 'There is no such order in your company.', {
      resource: 'order',
      uuid: orderUuid,
    });
  }
  const moved = await app.executor.execute(
    orderAggregate,
    orderUuid,
    { type: 'MoveOrder', to, reason },
    { ...context, subject: null },
  );
  if (to !== 'cancelado') return { order: moved.state, position: moved.position };
  const restored = await restoreStock(app, orderUuid, moved.state, context);
  return { order: restored.order, position: restored.position ?? moved.position };
}

/** Returns the stock of a cancelled order. Any process may do it, repeatedly: each product is restocked once. */
export async function restoreStock(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  order: Order,
  context: CommandContext,
): Promise<MovedOrder> {
  if (order.placed === null || order.status !== 'cancelado' || order.stockRestored) {
    return { order, position: null };
  }
  const back = await returnStock(app, orderUuid, productsOf(order.placed.items), 'cancelled', context);
  // All its products were deleted, or their stock is tracked no more: to note a return would be untrue.
  if (back === 0) return { order, position: null };
  const { state, position } = await app.executor.execute(
    orderAggregate,
    orderUuid,
    { type: 'NoteStockRestored' },
    { ...context, commandId: `${context.commandId}/restored`, subject: null },
  );
  return { order: state, position };
}
