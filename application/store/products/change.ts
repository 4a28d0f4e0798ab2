/** Changing a product that there is, by whoever wants it changed. */
import { productAggregate, type StockSource } from '../../../domain/product/decide.js';
import type { ProductWrite } from '../../../domain/policies/product/write.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import type { StoredProduct } from '../../queries/products.js';
import type { OpenStore } from '../gate.js';
import type { ImageMemo } from '../images.js';
import { claimHandle, releaseHandle } from './handles.js';
import { productAfterWrite, type LoadedProduct } from './load.js';
import { prepareChange } from './prepare.js';

export interface Changed {
  readonly doc: StoredProduct;
  /** False: nothing came out differently, and nothing was written. */
  readonly changed: boolean;
}

/**
 * @param product as it was loaded a moment ago, alive
 * @throws Refusal of the write; import_handle_taken; concurrent_update; not_found when it was deleted meanwhile
 */
export async function changeProduct(
  app: App,
  store: OpenStore,
  product: LoadedProduct,
  write: ProductWrite,
  options: { readonly source: StockSource; readonly memo: ImageMemo },
  context: CommandContext,
): Promise<Changed> {
  const { uuid, state } = product;
  const { command, events: wanted } = await prepareChange(
    app,
    store,
    state,
    write,
    options.source,
    options.memo,
  );
  if (wanted.length === 0) return { doc: product.doc!, changed: false };
  const before = state.details.import_handle;
  const after = command.details.import_handle === undefined ? before : command.details.import_handle;
  if (after !== null && after !== before) await claimHandle(app, store.uuid, after, uuid, context);
  const { events } = await app.executor.execute(productAggregate, uuid, command, {
    ...context,
    commandId: `${context.commandId}/change/${uuid}`,
    subject: null,
  });
  if (before !== null && before !== after) await releaseHandle(app, store.uuid, before, uuid, context);
  return { doc: await productAfterWrite(app, uuid), changed: events.length > 0 };
}
