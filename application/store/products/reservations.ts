/** The product quota of a store, 5,000 reservations, and the return of unused ones. */
import { productAggregate } from '../../../domain/product/decide.js';
import { PRODUCT_LIMIT, productQuotaAggregate } from '../../../domain/product-quota/decide.js';
import { reservationOf, reservationsOf, type ProductQuota } from '../../../domain/product-quota/state.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { products } from '../../../read-models/products.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { inParallel } from './in-parallel.js';

/** A product is created right after its reservation: an older reservation without a product is abandoned. */
const GRACE_MS = 60_000;
/** Maximum reservations checked at once, when a store is full. */
const MAX_SWEPT = 500;
const IN_PARALLEL = 8;

/**
 * Makes one reservation for each product, as long as the quota lasts, in one append. Repeating it reserves nothing
 * more.
 * @returns the products that hold a reservation now
 */
export async function reserveProducts(
  app: Pick<App, 'clock' | 'executor' | 'readModels'>,
  storeUuid: string,
  productUuids: readonly string[],
  context: CommandContext,
): Promise<ReadonlySet<string>> {
  if (productUuids.length === 0) return new Set();
  const take = async (step: string): Promise<ProductQuota> => {
    const { state } = await app.executor.execute(
      productQuotaAggregate,
      storeUuid,
      { type: 'TakePlaces', storeUuid, productUuids },
      { ...context, commandId: `${context.commandId}/${step}`, subject: null },
    );
    return state;
  };
  let shelf = await take('places');
  const missing = (): boolean => productUuids.some((uuid) => reservationOf(shelf, uuid) === undefined);
  if (missing() && (await returnUnused(app, storeUuid, shelf, context))) shelf = await take('places-again');
  return new Set(productUuids.filter((uuid) => reservationOf(shelf, uuid) !== undefined));
}

export async function returnPlace(
  app: Pick<App, 'executor'>,
  storeUuid: string,
  productUuid: string,
  context: CommandContext,
): Promise<void> {
  await app.executor.execute(
    productQuotaAggregate,
    storeUuid,
    { type: 'ReturnPlaces', productUuids: [productUuid] },
    { ...context, commandId: `${context.commandId}/return-place`, subject: null },
  );
}

export const limitReached = (): Refusal =>
  new Refusal('product_limit_reached', `The store already has ${PRODUCT_LIMIT} products.`, {
    limit: PRODUCT_LIMIT,
    current: PRODUCT_LIMIT,
  });

/**
 * Returns the reservations of products that were deleted or never created. Read models give candidates; the products'
 * streams decide. A product that does not exist yet is abandoned there, so that it can never be created.
 */
async function returnUnused(
  app: Pick<App, 'clock' | 'executor' | 'readModels'>,
  storeUuid: string,
  shelf: ProductQuota,
  context: CommandContext,
): Promise<boolean> {
  if ((await app.readModels.count(products.name, 'by_store', [storeUuid])) >= shelf.count) return false;
  const before = app.clock.now() - GRACE_MS;
  const old = reservationsOf(shelf).flatMap(([uuid, at]) => (Date.parse(at) < before ? [uuid] : []));
  const shown = new Set((await app.readModels.getMany(products.name, old)).map(({ id }) => id));
  const suspects = old.filter((uuid) => !shown.has(uuid)).slice(0, MAX_SWEPT);
  const unused = await inParallel(suspects, IN_PARALLEL, async (uuid) => {
    const { state } = await app.executor.execute(
      productAggregate,
      uuid,
      { type: 'AbandonProduct' },
      { ...context, commandId: `${context.commandId}/abandon/${uuid}`, subject: null },
    );
    return state.deleted ? [uuid] : [];
  });
  const productUuids = unused.flat();
  if (productUuids.length === 0) return false;
  await app.executor.execute(
    productQuotaAggregate,
    storeUuid,
    { type: 'ReturnPlaces', productUuids },
    { ...context, commandId: `${context.commandId}/return-unused`, subject: null },
  );
  return true;
}
