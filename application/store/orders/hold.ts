/**
 * Orders hold stock from the moment they are placed, and one that is never paid would hold it forever. So an order
 * records how long it may hold its stock. A row of the due-time store is due then, and the order's decider makes the
 * final decision (docs/adr/0029).
 */
import { orderAggregate } from '../../../domain/order/decide.js';
import { isUnpaid, type Order, type OrderItem } from '../../../domain/order/state.js';
import { storeAggregate } from '../../../domain/store/decide.js';
import { holdMinutesOf } from '../../../domain/store/holds.js';
import type { Store } from '../../../domain/store/state.js';
import type { DueEntry } from '../../../ports/due-times.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';

/** Rows of unpaid orders, by order uuid. Payload: HoldRow. */
export const ORDER_HOLDS = 'order-holds';

export type HoldRow = { readonly order_uuid: string; readonly company: string };

/** @param until ISO 8601 */
export const holdEntry = (orderUuid: string, company: string, until: string): DueEntry => {
  const payload: HoldRow = { order_uuid: orderUuid, company };
  return { queue: ORDER_HOLDS, id: orderUuid, lane: company, dueAt: Date.parse(until), payload };
};

interface Unpaid {
  readonly items: readonly Pick<OrderItem, 'stock_taken'>[];
  readonly totalCents: number;
  readonly method: string | null;
}

/**
 * End of the hold, ISO 8601, by the store's current settings; null: no end. An order that took no stock withholds
 * nothing, and a free one awaits no payment.
 * @param from epoch milliseconds
 */
export function holdUntil(
  { holdMinutes }: Pick<Store, 'holdMinutes'>,
  { items, totalCents, method }: Unpaid,
  from: number,
): string | null {
  const minutes = holdMinutesOf(holdMinutes, method);
  if (minutes === null || totalCents === 0) return null;
  if (!items.some(({ stock_taken }) => stock_taken > 0)) return null;
  return new Date(from + minutes * 60_000).toISOString();
}

/**
 * For an unpaid order: schedules its row, or first sets the end of its hold where an earlier release set none. May be
 * repeated.
 */
export async function watchHold(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor'>,
  orderUuid: string,
  { placed, status, holdUntil: until }: Order,
  context: CommandContext,
): Promise<void> {
  if (placed === null || !isUnpaid(status)) return;
  if (until === undefined) await beginHold(app, orderUuid, placed, context);
  else if (until !== null) await app.dueTimes.schedule([holdEntry(orderUuid, placed.company_uuid, until)]);
}

/** The full time from now, as the buyer was never given an end. The event creates the row. */
async function beginHold(
  app: Pick<App, 'clock' | 'executor'>,
  orderUuid: string,
  placed: NonNullable<Order['placed']>,
  context: CommandContext,
): Promise<void> {
  const { items, total_cents: totalCents, payment_method: method } = placed;
  const { state: store } = await app.executor.load(storeAggregate, placed.store_uuid);
  const until = holdUntil(store, { items, totalCents, method }, app.clock.now());
  if (until === null) return;
  const commandId = `${context.commandId}/begin-hold/${orderUuid}`;
  const own = { ...context, commandId, subject: null };
  await app.executor.execute(orderAggregate, orderUuid, { type: 'BeginHold', until }, own);
}

/**
 * Handles a row that is due. Cancels the order if it is still unpaid; stock and note follow from the event. If the
 * store has meanwhile disabled holds for this payment method, the order stays.
 * @returns milliseconds until the next attempt; null when it is done
 */
export async function endHold(
  app: Pick<App, 'clock' | 'executor'>,
  orderUuid: string,
  context: CommandContext,
): Promise<number | null> {
  const { state: order } = await app.executor.load(orderAggregate, orderUuid);
  if (order.placed === null || !awaitsMoney(order)) return null;
  const left = Date.parse(order.holdUntil) - app.clock.now();
  if (left > 0) return left;
  const { state: store } = await app.executor.load(storeAggregate, order.placed.store_uuid);
  const isOff = holdMinutesOf(store.holdMinutes, order.placed.payment_method) === null;
  const { state } = await app.executor.execute(
    orderAggregate,
    orderUuid,
    { type: isOff ? 'LiftHold' : 'EndHold' },
    { ...context, subject: null },
  );
  // The clock was set back a moment ago.
  return awaitsMoney(state) ? AGAIN_MS : null;
}

const AGAIN_MS = 1_000;

const awaitsMoney = (order: Order): order is Order & { readonly holdUntil: string } =>
  isUnpaid(order.status) && typeof order.holdUntil === 'string';
