/** Creates products one by one (spec §4). Under an Idempotency-Key: create-once.ts. Many at once: batch.ts. */
import { productAggregate, type ProductCommand } from '../../../domain/product/decide.js';
import { readProductWrite, type ProductWrite, type Warning } from '../../../domain/policies/product/write.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import type { StoredProduct } from '../../queries/products.js';
import type { OpenStore } from '../gate.js';
import { createImageMemo } from '../images.js';
import { handleTaken, productOfHandle } from './handles.js';
import { isAlive, productAfterWrite } from './load.js';
import { limitReached, reserveProducts } from './reservations.js';
import { checkCreation, prepareCreation } from './prepare.js';
import { sharedSkuWarnings } from './shared-skus.js';

/** A change of products takes this of the app. */
export type ProductDeps = Pick<
  App,
  | 'blobs'
  | 'clock'
  | 'codec'
  | 'dueTimes'
  | 'executor'
  | 'images'
  | 'indexSecret'
  | 'logger'
  | 'newId'
  | 'project'
  | 'publicUrl'
  | 'readModels'
  | 'store'
>;

export interface WrittenProduct {
  readonly doc: StoredProduct;
  readonly warnings: readonly Warning[];
}

/**
 * @param body raw input
 * @throws Refusal validation_failed, price_invalid, promo_price_invalid, gtin_invalid, ncm_invalid, variant_duplicated,
 * variant_options_mismatch, category_not_found, import_handle_taken, product_image_invalid, product_limit_reached,
 * concurrent_update
 */
export async function createProduct(
  app: ProductDeps,
  store: OpenStore,
  body: unknown,
  context: CommandContext,
): Promise<WrittenProduct> {
  const { write, warnings } = readProductWrite(body);
  checkCreation(app, store, write);
  const uuid = (await uuidByHandle(app, store, write, context)) ?? app.newId();
  const command = await readyToCreate(app, store, uuid, write, context);
  const commandId = `${context.commandId}/create/${uuid}`;
  if (!(await create(app, uuid, command, { ...context, commandId }))) throw fasterBatch(write, uuid);
  return written(app, store, uuid, write, warnings);
}

/**
 * Claims the write's import handle and returns the uuid for its product; null without a handle. @throws Refusal
 * import_handle_taken
 */
export async function uuidByHandle(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'newId' | 'project' | 'readModels' | 'store'>,
  store: OpenStore,
  { details }: ProductWrite,
  context: CommandContext,
): Promise<string | null> {
  const handle = details.import_handle ?? null;
  if (handle === null) return null;
  const target = await productOfHandle(app, store.uuid, handle, context, () => undefined);
  if (isAlive(target)) throw handleTaken(handle, target.uuid);
  return target.uuid;
}

type Create = Extract<ProductCommand, { type: 'CreateProduct' }>;

/**
 * Fetches the pictures and reserves product quota. Call after checkCreation. @throws Refusal product_image_invalid,
 * product_limit_reached
 */
export async function readyToCreate(
  app: ProductDeps,
  store: OpenStore,
  uuid: string,
  write: ProductWrite,
  context: CommandContext,
): Promise<Create> {
  const command = await prepareCreation(app, store, uuid, write, createImageMemo());
  const placed = await reserveProducts(app, store.uuid, [uuid], context);
  if (!placed.has(uuid)) throw limitReached();
  return command;
}

/** False: the product already exists. */
export async function create(
  app: Pick<App, 'executor'>,
  uuid: string,
  command: Create,
  context: CommandContext,
): Promise<boolean> {
  const own = { ...context, subject: null, assumeNew: true };
  const { events } = await app.executor.execute(productAggregate, uuid, command, own);
  return events.length > 0;
}

/** A batch with the same handle created the product in the meantime. */
export const fasterBatch = ({ details }: ProductWrite, uuid: string) =>
  handleTaken(details.import_handle ?? '', uuid);

export async function written(
  app: Pick<App, 'codec' | 'project' | 'readModels' | 'store'>,
  store: OpenStore,
  uuid: string,
  write: ProductWrite,
  warnings: readonly Warning[],
): Promise<WrittenProduct> {
  const shared = await sharedSkuWarnings(app, store.uuid, uuid, write);
  return { doc: await productAfterWrite(app, uuid), warnings: [...warnings, ...shared] };
}
