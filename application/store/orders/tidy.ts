/** Cleans up after an order whose placing was interrupted. */
import { orderAggregate } from '../../../domain/order/decide.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { abandonOrder, finishOrder, type PlacingRow } from './place.js';

/** Completes the order if it was placed; otherwise ensures that it never will be, and returns its stock. */
export async function tidyPlacing(app: App, row: PlacingRow, context: CommandContext): Promise<void> {
  const { order_uuid: orderUuid, company, product_uuids: productUuids } = row;
  const { state } = await app.executor.load(orderAggregate, orderUuid);
  const order =
    state.placed !== null ? state : await abandonOrder(app, orderUuid, company, productUuids, context);
  if (order.placed !== null) await finishOrder(app, orderUuid, order, productUuids, context);
}
