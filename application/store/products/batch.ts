/**
 * Writes up to 100 products in one call: each is created or, by import handle, changed. Each item has its own result.
 * Items with different handles run concurrently, those with the same handle in order.
 */
import { Refusal } from '../../../domain/kernel/refusal.js';
import { FaultyItem } from '../../../domain/policies/faulty-item.js';
import { productAggregate, type ProductCommand, type StockSource } from '../../../domain/product/decide.js';
import { faultWithin } from '../../../domain/policies/json-structure.js';
import {
  readProductWrite,
  WRITE_LIMITS,
  type ProductWrite,
  type Warning,
} from '../../../domain/policies/product/write.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { yieldToEventLoop } from '../../../ports/waiting.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import type { StoredProduct } from '../../queries/products.js';
import type { OpenStore } from '../gate.js';
import { createImageMemo, type ImageMemo } from '../images.js';
import { changeProduct } from './change.js';
import { productOfHandle } from './handles.js';
import { inParallel } from './in-parallel.js';
import { isAlive, noProduct, productAfterWrite, type LoadedProduct } from './load.js';
import { limitReached, reserveProducts } from './reservations.js';
import { checkCreation, prepareCreation, variantWarnings } from './prepare.js';
import { skuShared, skusOf } from './shared-skus.js';
import type { ProductDeps } from './create.js';

export interface BatchItem {
  /** Position in the request. */
  readonly index: number;
  readonly import_handle: string | null;
  readonly status: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly product_uuid: string | null;
  /** The product after the call; null on failure. */
  readonly product: StoredProduct | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
  readonly warnings: readonly Warning[];
}

export interface BatchResult {
  readonly data: readonly BatchItem[];
  readonly meta: {
    readonly total: number;
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly failed: number;
  };
}

/** Items processed concurrently; each needs several sequential requests to the store. */
const IN_PARALLEL = 16;

/** State shared by all items of a call. */
interface Batch {
  readonly app: ProductDeps;
  readonly store: OpenStore;
  readonly source: StockSource;
  readonly context: CommandContext;
  readonly memo: ImageMemo;
}

interface Entry {
  readonly index: number;
  readonly handle: string | null;
  readonly write: ProductWrite;
  readonly warnings: readonly Warning[];
  readonly context: CommandContext;
}

interface Creation {
  readonly entry: Entry;
  readonly uuid: string;
  readonly command: Extract<ProductCommand, { type: 'CreateProduct' }>;
}

/** @param items raw input; the caller limits their number */
export async function batchProducts(
  app: ProductDeps,
  store: OpenStore,
  items: readonly unknown[],
  context: CommandContext,
  source: StockSource = 'batch',
): Promise<BatchResult> {
  const batch: Batch = { app, store, source, context, memo: createImageMemo() };
  const entries: Entry[] = [];
  const results: BatchItem[] = [];
  for (const [index, item] of items.entries()) {
    // Yields to the event loop: parsing an item may take milliseconds, and there may be a hundred.
    await yieldToEventLoop();
    try {
      const { write, warnings } = readProductWrite(item);
      const handle = write.details.import_handle ?? null;
      const own = { ...context, commandId: `${context.commandId}/${index}` };
      entries.push({ index, handle, write, warnings, context: own });
    } catch (error) {
      results.push(failed({ index, handle: handleOf(item), warnings: [] }, refusalOf(app, error)));
    }
  }
  for (const [number, round] of roundsOf(withSharedSkus(entries)).entries()) {
    results.push(...(await runRound(batch, round, number)));
  }
  return withCounts(results.toSorted((a, b) => a.index - b.index));
}

/** @param data in the order of the request */
export function withCounts(data: readonly BatchItem[]): BatchResult {
  const count = (status: BatchItem['status']): number => data.filter((one) => one.status === status).length;
  return {
    data,
    meta: {
      total: data.length,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      failed: count('failed'),
    },
  };
}

/** Only among the items of the call: a lookup for each SKU of a whole catalogue would take as long as writing it. */
function withSharedSkus(entries: readonly Entry[]): readonly Entry[] {
  const products = new Map<string, Set<string | number>>();
  const productOf = ({ handle, index }: Entry): string | number => handle ?? index;
  for (const entry of entries) {
    for (const { sku } of skusOf(entry.write)) {
      products.set(sku, (products.get(sku) ?? new Set()).add(productOf(entry)));
    }
  }
  return entries.map((entry) => {
    const shared = skusOf(entry.write).filter(({ sku }) => (products.get(sku)?.size ?? 0) > 1);
    return shared.length === 0
      ? entry
      : { ...entry, warnings: [...entry.warnings, ...shared.map(skuShared)] };
  });
}

/** Each round contains every handle at most once: the second item of a handle runs after the first one has finished. */
function roundsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const rounds: Entry[][] = [];
  const seen = new Map<string, number>();
  for (const entry of entries) {
    const nth = entry.handle === null ? 0 : (seen.get(entry.handle) ?? 0);
    if (entry.handle !== null) seen.set(entry.handle, nth + 1);
    const round = (rounds[nth] ??= []);
    round.push(nth === 0 ? entry : { ...entry, warnings: [repeated(entry), ...entry.warnings] });
  }
  return rounds;
}

const repeated = ({ handle }: Entry): Warning => ({
  code: 'duplicate_handle_in_batch',
  message: `An earlier item of this call has the import_handle ${handle}; they were applied in order.`,
  field: 'import_handle',
});

async function runRound(
  batch: Batch,
  round: readonly Entry[],
  number: number,
): Promise<readonly BatchItem[]> {
  const { app, store, context } = batch;
  const outcomes = await inParallel(round, IN_PARALLEL, (entry) =>
    settled(app, entry, () => prepareItem(batch, entry)),
  );
  const results = outcomes.filter((outcome): outcome is BatchItem => 'status' in outcome);
  const creations = outcomes.filter((outcome): outcome is Creation => 'command' in outcome);
  const placed = await placesFor(app, store.uuid, creations, {
    ...context,
    commandId: `${context.commandId}/round-${number}`,
  });
  const created = await inParallel(creations, IN_PARALLEL, (creation) =>
    settled(app, creation.entry, async () => {
      if (placed instanceof Refusal) throw placed;
      if (!placed.has(creation.uuid)) throw limitReached();
      return create(batch, creation);
    }),
  );
  return [...results, ...created];
}

/** If the product quota is unavailable, no product of this round is created; results of the other items stand. */
async function placesFor(
  app: Pick<App, 'clock' | 'executor' | 'logger' | 'readModels'>,
  storeUuid: string,
  creations: readonly Creation[],
  context: CommandContext,
): Promise<ReadonlySet<string> | Refusal> {
  try {
    return await reserveProducts(
      app,
      storeUuid,
      creations.map(({ uuid }) => uuid),
      context,
    );
  } catch (error) {
    return refusalOf(app, error);
  }
}

/** The item's result if the product already exists; else the command that creates it. */
async function prepareItem(batch: Batch, entry: Entry): Promise<BatchItem | Creation> {
  const { app, store, memo } = batch;
  const target = await targetOf(batch, entry);
  if (isAlive(target)) return update(batch, entry, target);
  const { uuid } = target;
  return { entry, uuid, command: await prepareCreation(app, store, uuid, entry.write, memo) };
}

function targetOf({ app, store }: Batch, { handle, write, context }: Entry): Promise<LoadedProduct> {
  const check = (): void => checkCreation(app, store, write);
  if (handle !== null) return productOfHandle(app, store.uuid, handle, context, check);
  check();
  return Promise.resolve(noProduct(app.newId()));
}

async function create(batch: Batch, { entry, uuid, command }: Creation): Promise<BatchItem> {
  const { app } = batch;
  const { events } = await app.executor.execute(productAggregate, uuid, command, {
    ...entry.context,
    commandId: `${entry.context.commandId}/create/${uuid}`,
    subject: null,
    assumeNew: true,
  });
  // A concurrent import of the same handle was faster.
  if (events.length === 0) return update(batch, entry, await targetOf(batch, entry));
  return done(entry, 'created', await productAfterWrite(app, uuid));
}

async function update(batch: Batch, entry: Entry, product: LoadedProduct): Promise<BatchItem> {
  const { app, store, source, memo } = batch;
  const warnings = [...entry.warnings, ...variantWarnings(product.state, entry.write)];
  const { doc, changed } = await changeProduct(
    app,
    store,
    product,
    entry.write,
    { source, memo },
    entry.context,
  );
  return done({ ...entry, warnings }, changed ? 'updated' : 'unchanged', doc);
}

type Named = Pick<Entry, 'index' | 'handle' | 'warnings'>;

const done = (
  { index, handle, warnings }: Named,
  status: 'created' | 'updated' | 'unchanged',
  product: StoredProduct,
): BatchItem => ({
  index,
  import_handle: handle,
  status,
  product_uuid: product.uuid,
  product,
  error: null,
  warnings: warnings.slice(0, WRITE_LIMITS.warnings),
});

/** The result of a refused item. */
export function failed({ index, handle, warnings }: Named, { code, message, details }: Refusal): BatchItem {
  return {
    index,
    import_handle: handle,
    status: 'failed',
    product_uuid: null,
    product: null,
    error: { code, message, details },
    warnings: warnings.slice(0, WRITE_LIMITS.warnings),
  };
}

/** A failed item must not affect the others. */
async function settled<T>(
  app: Pick<App, 'logger'>,
  entry: Entry,
  work: () => Promise<T>,
): Promise<T | BatchItem> {
  try {
    return await work();
  } catch (error) {
    return failed(entry, refusalOf(app, error));
  }
}

function refusalOf(app: Pick<App, 'logger'>, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable) {
    return new Refusal('unavailable', 'The service is temporarily unavailable. Send this item again.', {
      retry_after_seconds: 5,
    });
  }
  app.logger.error({ err: error }, 'an item of a batch failed');
  return new Refusal('internal_error', 'Something went wrong on our side. Send this item again.');
}

const MAX_HANDLE = 128;

/** The handle of an item that could not be parsed, so that the caller can identify it. */
export function handleOf(item: unknown): string | null {
  const given = item instanceof FaultyItem ? item.given : item;
  if (typeof given !== 'object' || given === null) return null;
  const handle = (given as { import_handle?: unknown }).import_handle;
  // A handle that is itself invalid, with half a surrogate pair, is not returned.
  return typeof handle === 'string' && faultWithin(handle) === null ? handle.slice(0, MAX_HANDLE) : null;
}
