/**
 * What orders need beside the call that made or moved them: carts of WhatsApp become orders, stock of what was cancelled
 * goes back also where the one who cancelled died before, what was left half placed is tidied up, and what nobody paid in
 * time is cancelled.
 */
import { directCommand, reaction, type App } from '../../application/app.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { orderFromCart } from '../../application/store/orders/cart.js';
import { endHold, ORDER_HOLDS, watchHold, type HoldRow } from '../../application/store/orders/hold.js';
import { restoreStock } from '../../application/store/orders/move.js';
import { ORDER_PLACING, type PlacingRow } from '../../application/store/orders/place.js';
import { tidyPlacing } from '../../application/store/orders/tidy.js';
import { recordUnpaidNote } from '../../application/store/orders/unpaid-note.js';
import { messageStream } from '../../domain/message/stream.js';
import { orderAggregate } from '../../domain/order/decide.js';
import { orderStream } from '../../domain/order/stream.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import type { Reactor } from '../kernel/reactor.js';
import { upTo } from '../kernel/up-to.js';
import { startHoldingEarlierOrders } from './earlier-orders.js';

const GROUP = 'orders';
const MAX_TRIES = 12;
/** Streams say which conversation is the present one. */
const HINTS = ['conversations'];
/** Longer than an order takes to be given up, all its products included. */
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
        // Stock that nobody gives back is lost to the shop: it is tried for as long as it takes.
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
        // As with what is half placed: stock that nobody gives back is lost to the shop.
        maxTries: Number.MAX_SAFE_INTEGER,
        handle: (row: HoldRow) => endHoldOf(app, row),
        giveUp: async ({ order_uuid: order }: HoldRow, reason) =>
          app.logger.error({ order, reason }, 'an order that nobody paid keeps its stock'),
      },
    },
    beside: [startHoldingEarlierOrders(app)],
  }),
};

/** The row of an order whose time is over. */
export async function endHoldOf(app: App, { order_uuid, company }: HoldRow): Promise<Outcome> {
  const context = directCommand(app, { company, actor: `worker:${GROUP}` });
  const delayMs = await endHold(app, order_uuid, context);
  return delayMs === null ? handled : { kind: 'later', delayMs, reason: 'the order has time left' };
}

/** One event of the topic: an order that was cancelled or holds stock for a time, or a message that holds a cart. */
export async function follow(app: App, pointer: EventPointer): Promise<Outcome> {
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
  // The catalogue as the customer saw it, at least.
  await orderFromCart(upTo(app, pointer.position, HINTS), messageUuid, context);
  return handled;
}
