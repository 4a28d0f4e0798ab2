/**
 * The only way to create orders, for the page, for carts and for operators. An order either exists with its stock
 * taken, or it does not exist and nothing is taken. Each call first schedules a row in the due-time queue; through it,
 * work that a dying process left unfinished is completed or undone (see tidy.ts).
 */
import { deriveId, type CompanyUuid } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import { productsOf, type Order } from '../../../domain/order/state.js';
import type { TakenLine } from '../../../domain/product/state.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { serialize } from '../../serialize.js';
import type { OpenStore } from '../gate.js';
import { resolveBuyer } from './buyer.js';
import { checkOrder, type CheckedOrder } from './check.js';
import type { OrderInput, PlacedOrder } from './input.js';
import { withinUnpaidLimit } from './limits.js';
import { recordOrderMessage } from './message.js';
import { claimOrderNumber, releaseOrderNumber } from './number.js';
import { placedData } from './placed-data.js';
import { returnStock, takeStock } from './stock.js';

/** An order takes this of the app. */
export type OrderDeps = Pick<
  App,
  | 'barrier'
  | 'clock'
  | 'dueTimes'
  | 'executor'
  | 'indexSecret'
  | 'lastOrdinals'
  | 'logger'
  | 'newId'
  | 'personOwners'
  | 'readModels'
  | 'store'
>;

/** Rows of orders that are being placed. Payload: PlacingRow. */
export const ORDER_PLACING = 'order-placing';

export type PlacingRow = {
  readonly order_uuid: string;
  readonly company: string;
  readonly product_uuids: readonly string[];
};

/** Time after which another worker tidies up. */
const GIVEN_UP_AFTER_MS = 60_000;
/** What failed a moment ago is tried again after this. */
const FINISHED_AFTER_MS = 1_000;
/** Maximum abandoned attempts under one uuid; each left a stream behind. */
const MAX_ATTEMPTS = 20;

/**
 * @throws Refusal product_unavailable, insufficient_stock, price_changed, delivery_unavailable, pickup_unavailable,
 * payment_method_unavailable, unit_limit_exceeded, unpaid_order_limit_reached, validation_failed, concurrent_update;
 * not_found for a uuid that is another company's order
 */
export function placeOrder(
  app: OrderDeps,
  store: OpenStore,
  input: OrderInput,
  context: CommandContext,
): Promise<PlacedOrder> {
  // Serialised: a double click would otherwise waste an order number.
  return serialize(app.executor, `order:${input.orderUuid}`, () => attempts(app, store, input, context));
}

async function attempts(
  app: OrderDeps,
  store: OpenStore,
  input: OrderInput,
  context: CommandContext,
): Promise<PlacedOrder> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const uuid = attempt === 0 ? input.orderUuid : deriveId('order-again', input.orderUuid, attempt);
    const { state } = await app.executor.load(orderAggregate, uuid);
    if (state.notPlaced) continue;
    if (state.placed !== null) {
      if (state.placed.store_uuid !== store.uuid) {
        throw new Refusal('not_found', 'There is no such order.', { resource: 'order' });
      }
      return { uuid, order: state };
    }
    try {
      const attempted = { ...input, orderUuid: uuid };
      return await withinUnpaidLimit(app, store, input, () => place(app, store, attempted, context));
    } catch (error) {
      // A worker abandoned this attempt in the meantime.
      if (!(error instanceof Refusal) || error.code !== 'order_not_placed') throw error;
    }
  }
  throw new Refusal('concurrent_update', 'The order could not be placed. Try again.', {
    retry_after_seconds: 1,
  });
}

async function place(
  app: OrderDeps,
  store: OpenStore,
  input: OrderInput,
  context: CommandContext,
): Promise<PlacedOrder> {
  const checked = await checkOrder(app, store, input);
  const productUuids = checked.products.map(([uuid]) => uuid);
  const ofThis = {
    order_uuid: input.orderUuid,
    company: store.state.companyUuid,
    product_uuids: productUuids,
  };
  const row = await schedulePlacing(app, ofThis, GIVEN_UP_AFTER_MS);
  const done: Steps = { took: false, number: null };
  let placed: PlacedOrder;
  try {
    placed = { uuid: input.orderUuid, order: await take(app, store, input, checked, done, context) };
  } catch (error) {
    const order = await undo(app, store, input.orderUuid, checked, done, context, error);
    if (order === null) {
      await app.dueTimes.cancel(ORDER_PLACING, [row]);
      throw error;
    }
    placed = { uuid: input.orderUuid, order };
  }
  try {
    await finishOrder(app, placed.uuid, placed.order, productUuids, context);
    await app.dueTimes.cancel(ORDER_PLACING, [row]);
  } catch (error) {
    // The buyer has the order; the worker does the rest.
    app.logger.warn({ err: error, orderUuid: placed.uuid }, 'an order is placed and is finished later');
    await finishSoon(app, ofThis, row);
  }
  return placed;
}

/** Nothing else works on the order any more, so its row need not wait. Where that fails, the row stays as it is. */
async function finishSoon(
  app: Pick<App, 'clock' | 'dueTimes' | 'logger' | 'newId'>,
  payload: PlacingRow,
  row: string,
): Promise<void> {
  try {
    await schedulePlacing(app, payload, FINISHED_AFTER_MS);
    await app.dueTimes.cancel(ORDER_PLACING, [row]);
  } catch (error) {
    app.logger.warn(
      { err: error, orderUuid: payload.order_uuid },
      'an order is finished when its row is due',
    );
  }
}

/** The steps done so far, which a failure must undo. */
interface Steps {
  took: boolean;
  number: number | null;
}

async function schedulePlacing(
  app: Pick<App, 'clock' | 'dueTimes' | 'newId'>,
  payload: PlacingRow,
  afterMs: number,
): Promise<string> {
  // A row for this call alone: concurrent calls for the same order must not cancel each other's row.
  const id = app.newId();
  const dueAt = app.clock.now() + afterMs;
  await app.dueTimes.schedule([
    { queue: ORDER_PLACING, id, lane: payload.company, dueAt, payload: { ...payload } },
  ]);
  return id;
}

async function take(
  app: OrderDeps,
  store: OpenStore,
  input: OrderInput,
  checked: CheckedOrder,
  done: Steps,
  context: CommandContext,
): Promise<Order> {
  const { orderUuid } = input;
  const taken = new Map<string, readonly TakenLine[]>();
  for (const [productUuid, lines] of checked.products) {
    try {
      taken.set(productUuid, await takeStock(app, orderUuid, productUuid, lines, context));
    } catch (error) {
      // It is unknown whether the stock was taken, unless the product's decider refused.
      if (!(error instanceof Refusal)) done.took = true;
      throw error;
    }
    done.took = true;
  }
  const buyer = await resolveBuyer(app, store, input, context);
  const number = await claimOrderNumber(app, store.uuid, orderUuid, context);
  done.number = number;
  const { state } = await app.executor.execute(
    orderAggregate,
    orderUuid,
    { type: 'PlaceOrder', data: placedData(app, store, input, { ...checked, taken, buyer, number }) },
    {
      ...context,
      // A new id each time, so that it is never treated as a repeated command: a second run has another number.
      commandId: `${context.commandId}/place/${app.newId()}`,
      subject: buyer.subject,
    },
  );
  // A concurrent call for the same order was faster, perhaps with another cart.
  if (state.placed?.number !== number) await releaseOrderNumber(app, store.uuid, orderUuid, number, context);
  return state;
}

/**
 * Undoes the steps. Returns the order if it was placed after all; null if it was not. Where this cannot be determined
 * or undone now, the row remains and its worker does it.
 * @throws cause
 */
async function undo(
  app: Pick<App, 'executor' | 'indexSecret' | 'logger'>,
  store: OpenStore,
  orderUuid: string,
  { products }: CheckedOrder,
  done: Steps,
  context: CommandContext,
  cause: unknown,
): Promise<Order | null> {
  if (!done.took) return null;
  try {
    const productUuids = products.map(([uuid]) => uuid);
    const order = await abandonOrder(app, orderUuid, store.state.companyUuid, productUuids, context);
    if (order.placed !== null) return order;
    if (done.number !== null) await releaseOrderNumber(app, store.uuid, orderUuid, done.number, context);
    return null;
  } catch (error) {
    app.logger.warn({ err: error, orderUuid }, 'an order that was not placed is undone later');
    throw cause;
  }
}

/** Records first in the order's stream that it will never be placed; only then returns the stock. */
export async function abandonOrder(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  companyUuid: CompanyUuid,
  productUuids: readonly string[],
  context: CommandContext,
): Promise<Order> {
  const { state } = await app.executor.execute(
    orderAggregate,
    orderUuid,
    { type: 'AbandonOrder', companyUuid, productUuids },
    { ...context, commandId: `${context.commandId}/abandon/${orderUuid}`, subject: null },
  );
  if (state.placed === null) await returnStock(app, orderUuid, productUuids, 'not_placed', context);
  return state;
}

/** Returns stock that was taken for an order but is not part of it. */
async function returnBeyond(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  { placed }: Order,
  productUuids: readonly string[],
  context: CommandContext,
): Promise<void> {
  const held = productsOf(placed?.items ?? []);
  const beyond = productUuids.filter((uuid) => !held.includes(uuid));
  await returnStock(app, orderUuid, beyond, 'not_placed', context);
}

/** Completes an order that was placed; may be repeated. */
export async function finishOrder(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  order: Order,
  productUuids: readonly string[],
  context: CommandContext,
): Promise<void> {
  await returnBeyond(app, orderUuid, order, productUuids, context);
  await recordOrderMessage(app, orderUuid, order, context);
}

/**
 * Cleans up after an order whose placing was interrupted: completes it if it was placed; otherwise ensures that it
 * never will be, and returns its stock.
 */
export async function tidyPlacing(
  app: Pick<App, 'executor'>,
  row: PlacingRow,
  context: CommandContext,
): Promise<void> {
  const { order_uuid: orderUuid, company, product_uuids: productUuids } = row;
  const { state } = await app.executor.load(orderAggregate, orderUuid);
  const order =
    state.placed !== null ? state : await abandonOrder(app, orderUuid, company, productUuids, context);
  if (order.placed !== null) await finishOrder(app, orderUuid, order, productUuids, context);
}
