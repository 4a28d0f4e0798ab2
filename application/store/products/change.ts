/** Changes an existing product, for all callers. */
import { Refusal } from '../../../domain/kernel/refusal.js';
import { productAggregate, type StockSource } from '../../../domain/product/decide.js';
import type { ProductWrite } from '../../../domain/policies/product/write.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { requireVersion, type Versions } from '../../precondition.js';
import { unknownProduct, type StoredProduct } from '../../queries/products.js';
import type { OpenStore } from '../gate.js';
import type { ImageMemo } from '../images.js';
import { claimHandle, releaseHandle } from './handles.js';
import { loadProduct, productAfterWrite, type LoadedProduct } from './load.js';
import { prepareChange } from './prepare.js';
import type { ProductDeps } from './create.js';

export interface Changed {
  readonly doc: StoredProduct;
  /** False: the product was already as requested, and nothing was written. */
  readonly changed: boolean;
}

/**
 * @param product as it was loaded a moment ago, not deleted
 * @throws Refusal of the write; import_handle_taken; concurrent_update; precondition_failed; not_found when it was
 * deleted meanwhile
 */
export async function changeProduct(
  app: ProductDeps,
  store: OpenStore,
  product: LoadedProduct,
  write: ProductWrite,
  options: {
    readonly source: StockSource;
    readonly memo: ImageMemo;
    /** Versions accepted by the caller; the product must have one of them. */
    readonly versions?: Versions | undefined;
  },
  context: CommandContext,
): Promise<Changed> {
  const { uuid, state, doc } = product;
  if (!doc) throw unknownProduct(uuid);
  requireVersion(options.versions, doc.version);
  const { command, events: wanted } = await prepareChange(
    app,
    store,
    state,
    write,
    options.source,
    options.memo,
  );
  if (wanted.length === 0) return { doc, changed: false };
  const before = state.details.import_handle;
  const after = command.details.import_handle === undefined ? before : command.details.import_handle;
  if (after !== null && after !== before) await claimHandle(app, store.uuid, after, uuid, context);
  const own = { ...context, commandId: `${context.commandId}/change/${uuid}`, subject: null };
  const { events } = await app.executor
    .execute(productAggregate, uuid, command, options.versions ? { ...own, onlyAt: product.revision } : own)
    .catch(async (error: unknown) => {
      const claimed = after !== null && after !== before;
      if (claimed && error instanceof Refusal) await releaseUnused(app, store, after, uuid, context);
      throw error;
    });
  if (before !== null && before !== after) await releaseHandle(app, store.uuid, before, uuid, context);
  return { doc: await productAfterWrite(app, uuid), changed: events.length > 0 };
}

/** Releases the handle of a refused change, unless another caller has meanwhile given the product the same handle. */
async function releaseUnused(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'project' | 'store'>,
  store: OpenStore,
  handle: string,
  uuid: string,
  context: CommandContext,
): Promise<void> {
  const { state } = await loadProduct(app, uuid);
  if (state.details.import_handle !== handle) await releaseHandle(app, store.uuid, handle, uuid, context);
}
