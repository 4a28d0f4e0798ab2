import { directCommand, type App } from '../../application/app.js';
import { listOrders, productsOfOrders, readOrder } from '../../application/queries/orders.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { presentOrder, type OrderSource } from '../../application/resources/store-order.js';
import { imageUrl } from '../../application/store/image-address.js';
import { moveOrder } from '../../application/store/orders/move.js';
import type { OrderStatus } from '../../domain/order/status.js';
import { orderStream } from '../../domain/streams.js';
import { orders } from '../../read-models/orders.js';
import type { ApiCaller } from '../middleware/api-key.js';
import { pathParam, queryText, type Handlers } from '../middleware/call.js';
import { list, one, pageOf } from './replies.js';

export const storeOrderRoutes = (app: App, queries: QueryDeps): Handlers<ApiCaller> => ({
  listStoreOrders: async (call) => {
    const status = queryText(call.query, 'status');
    const page = await listOrders(queries, call.caller.company, status, pageOf(call));
    const present = await orderPresenter(app, page.documents);
    return list(page, present);
  },

  getStoreOrder: async ({ caller, params }) => {
    const order = await readOrder(app.readModels, caller.company, pathParam(params, 'order_uuid'));
    return one((await orderPresenter(app, [order]))(order));
  },

  moveStoreOrder: async ({ caller, params, requestId }, { status }: { readonly status: OrderStatus }) => {
    const uuid = pathParam(params, 'order_uuid');
    const context = directCommand(app, {
      company: caller.company,
      actor: caller.actor,
      correlationId: requestId,
    });
    await moveOrder(app, caller.company, uuid, status, null, context);
    return one(await showOrder(app, uuid));
  },
});

/** The order as its stream has it now, even if the read model lags. */
export async function showOrder(app: App, uuid: string) {
  const order = (await app.replay(orders.name, orderStream.toName(uuid)))!;
  return (await orderPresenter(app, [order]))(order);
}

/** A presenter for these orders: the current state of their products is read once for all of them. */
export async function orderPresenter(app: App, orders: readonly OrderSource[]) {
  const baseUrl = app.publicUrl();
  const products = await productsOfOrders(app.readModels, orders, (hash, contentType) =>
    imageUrl(baseUrl, hash, contentType),
  );
  return (order: OrderSource) => presentOrder(order, products);
}
