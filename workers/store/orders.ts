/**
 * Background work for orders. It creates orders from WhatsApp carts, and returns the stock of cancelled orders even if
 * the cancelling process died. It also cleans up incomplete orders and cancels orders that were not paid in time.
 */
import { directCommand, reaction, type App } from '../../application/app.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { orderFromCart } from '../../application/store/orders/cart.js';
import { endHold, ORDER_HOLDS, watchHold, type HoldRow } from '../../application/store/orders/hold.js';
import { restoreStock } from '../../application/store/orders/move.js';
import {
  ORDER_PLACING,
  tidyPlacing,
  type PlacingRow,
  type OrderDeps,
} from '../../application/store/orders/place.js';
import { recordUnpaidNote } from '../../application/store/orders/unpaid-note.js';
import { orderAggregate } from '../../domain/order/decide.js';
import { messageStream, orderStream } from '../../domain/streams.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import type { Reactor } from '../kernel/reactor.js';
import { upTo } from '../kernel/up-to.js';
import { startHoldingEarlierOrders } from './earlier-orders.js';

const GROUP = 'orders';
const MAX_TRIES = 12;
/** Only a hint; streams decide which conversation is current. */
const HINTS = ['conversations'];
/** Longer than giving up an order takes, including all its products. */
const TIDY_LEASE_MS = 120_000;
const HOLD_LEASE_MS = 60_000;

export const orderReactor: Reactor = {
  name: 'orders',
  group: GROUP,
  route: routes.orders,
  maxTries: MAX_TRIES,
  maxBatch: 50,
  waitsFor: 'Orders that are being placed, and orders that hold stock for a time',
  begin: (app) => ({
    react: (pointer) => follow(app, pointer),
    timers: {
      placing: {
        queue: ORDER_PLACING,
        concurrency: 8,
        perLane: 4,
        leaseMs: TIDY_LEASE_MS,
        // Stock that is not returned is lost to the shop, so there is no limit of tries.
        maxTries: Number.MAX_SAFE_INTEGER,
        handle: async ({ company, ...rest }: PlacingRow) => {
          const context = directCommand(app, { company, actor: `worker:${GROUP}` });
          await tidyPlacing(app, { company, ...rest }, context);
          return handled;
        },
        giveUp: async ({ order_uuid: order }: PlacingRow, reason) =>
          app.logger.error({ order, reason }, 'an order stays half placed'),
      },
      holds: {
        queue: ORDER_HOLDS,
        concurrency: 8,
        perLane: 4,
        leaseMs: HOLD_LEASE_MS,
        // As for incomplete orders: stock that is not returned is lost to the shop.
        maxTries: Number.MAX_SAFE_INTEGER,
        handle: (row: HoldRow) => endHoldOf(app, row),
        giveUp: async ({ order_uuid: order }: HoldRow, reason) =>
          app.logger.error({ order, reason }, 'an order that nobody paid keeps its stock'),
      },
    },
    beside: [startHoldingEarlierOrders(app)],
  }),
};

/** Handles the row of an order whose time is over. */
export async function endHoldOf(
  app: Pick<App, 'clock' | 'executor' | 'newId'>,
  { order_uuid, company }: HoldRow,
): Promise<Outcome> {
  const context = directCommand(app, { company, actor: `worker:${GROUP}` });
  const delayMs = await endHold(app, order_uuid, context);
  return delayMs === null ? handled : { kind: 'later', delayMs, reason: 'the order has time left' };
}

/** Handles one event of the topic: an order that was cancelled or holds stock for a time, or a message with a cart. */
export async function follow(app: OrderDeps & Pick<App, 'codec'>, pointer: EventPointer): Promise<Outcome> {
  const context = reaction(pointer, GROUP, 'follow');
  const orderUuid = orderStream.match(pointer.stream);
  if (orderUuid !== undefined) {
    const { state } = await app.executor.load(orderAggregate, orderUuid);
    await restoreStock(app, orderUuid, state, context);
    await recordUnpaidNote(app, orderUuid, state, context);
    await watchHold(app, orderUuid, state, context);
    return handled;
  }
  const messageUuid = messageStream.match(pointer.stream);
  if (messageUuid === undefined) return skipped;
  // The catalogue is at least as new as the customer saw it.
  await orderFromCart(upTo(app, pointer.position, HINTS), messageUuid, context);
  return handled;
}
