/**
 * Stock of an order, product by product in the order of their uuids. Each product's stream decides by itself; placing
 * an order makes it all or none (see place.ts).
 */
import { productAggregate } from '../../../domain/product/decide.js';
import { stockOfOrder, type TakenLine } from '../../../domain/product/state.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import type { OrderLine } from './input.js';

/**
 * Returns the units taken; lines of one variant are combined.
 * @throws Refusal insufficient_stock, product_unavailable, concurrent_update; order_not_placed where the order was
 * abandoned
 */
export async function takeStock(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  productUuid: string,
  lines: readonly OrderLine[],
  context: CommandContext,
): Promise<readonly TakenLine[]> {
  const command = {
    type: 'TakeStock',
    orderUuid,
    lines: lines.map(({ variantUuid, quantity }) => ({ variantUuid, quantity })),
  } as const;
  const { state } = await app.executor.execute(productAggregate, productUuid, command, {
    ...context,
    // Contains the order uuid: a repeated reaction may run a new attempt, which must not count as the same command.
    commandId: `${context.commandId}/take/${orderUuid}`,
    subject: null,
  });
  const taken = stockOfOrder(state, orderUuid)?.lines ?? [];
  const asked = (unit: TakenLine): number =>
    units(lines.filter(({ variantUuid }) => variantUuid === unit.variant_uuid));
  if (units(taken) !== units(lines) || taken.some((unit) => unit.quantity !== asked(unit))) {
    throw new Refusal('concurrent_update', 'An order with other items is being placed under this name.', {
      retry_after_seconds: 1,
    });
  }
  return taken;
}

const units = (lines: readonly { readonly quantity: number }[]): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Returns the order's stock of these products, once. Deleted products have no stock to return it to.
 * Returns the units that are in stock again, also by an earlier call.
 * @param reason `not_placed`: the order was not placed, and cannot take stock of them later either
 */
export async function returnStock(
  app: Pick<App, 'executor'>,
  orderUuid: string,
  productUuids: readonly string[],
  reason: 'cancelled' | 'not_placed',
  context: CommandContext,
): Promise<number> {
  let back = 0;
  for (const productUuid of productUuids) {
    const { state } = await app.executor.execute(
      productAggregate,
      productUuid,
      { type: 'ReturnStock', orderUuid, reason },
      { ...context, commandId: `${context.commandId}/return/${orderUuid}`, subject: null },
    );
    back += stockOfOrder(state, orderUuid)?.unitsBack ?? 0;
  }
  return back;
}
