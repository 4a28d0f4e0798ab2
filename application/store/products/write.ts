/** Writes of single products by the API and operators (spec §4). Many at once: batch.ts. */
import { productAggregate } from '../../../domain/product/decide.js';
import { readProductWrite } from '../../../domain/policies/product/write.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { requireVersion, type Versions } from '../../precondition.js';
import { unknownProduct } from '../../queries/products.js';
import type { OpenStore } from '../gate.js';
import { createImageMemo } from '../images.js';
import { changeProduct } from './change.js';
import type { WrittenProduct, ProductDeps } from './create.js';
import { releaseHandle } from './handles.js';
import { isAlive, loadProduct, type LoadedProduct } from './load.js';
import { returnPlace } from './reservations.js';
import { variantWarnings } from './prepare.js';
import { sharedSkuWarnings } from './shared-skus.js';

export { batchProducts, type BatchItem, type BatchResult } from './batch.js';
export { createProduct, type WrittenProduct } from './create.js';
export { createProductOnce, type CreatedProduct } from './create-once.js';

/**
 * A field that is left out is preserved; null clears it; a list of variants replaces the list (spec §4).
 * @param versions accepted versions, of which the product must have one; undefined: any
 * @throws Refusal not_found, precondition_failed; the refusals of createProduct except the limit
 */
export async function patchProduct(
  app: ProductDeps,
  store: OpenStore,
  uuid: string,
  body: unknown,
  context: CommandContext,
  versions?: Versions,
): Promise<WrittenProduct> {
  const product = await ownProduct(app, store, uuid);
  const { write, warnings } = readProductWrite(body);
  const unknown = variantWarnings(product.state, write);
  const { doc } = await changeProduct(
    app,
    store,
    product,
    write,
    { source: 'api', memo: createImageMemo(), versions },
    context,
  );
  const shared = await sharedSkuWarnings(app, store.uuid, uuid, write, product.state);
  return { doc, warnings: [...unknown, ...warnings, ...shared] };
}

/**
 * Deletes permanently; its import handle and its share of the product quota become free.
 * @param versions accepted versions, of which the product must have one; undefined: any
 * @throws Refusal not_found, precondition_failed
 */
export async function deleteProduct(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'project' | 'store'>,
  store: OpenStore,
  uuid: string,
  context: CommandContext,
  versions?: Versions,
): Promise<void> {
  const { state, doc, revision } = await ownProduct(app, store, uuid);
  requireVersion(versions, doc!.version);
  const own = { ...context, commandId: `${context.commandId}/delete/${uuid}`, subject: null };
  await app.executor.execute(
    productAggregate,
    uuid,
    { type: 'DeleteProduct' },
    versions ? { ...own, onlyAt: revision } : own,
  );
  // If this process dies here, nothing is lost: the claim of a deleted product may be taken over, and a full store
  // returns unused reservations.
  const handle = state.details.import_handle;
  if (handle !== null) await releaseHandle(app, store.uuid, handle, uuid, context);
  await returnPlace(app, store.uuid, uuid, context);
}

async function ownProduct(
  app: Pick<App, 'codec' | 'project' | 'store'>,
  store: OpenStore,
  uuid: string,
): Promise<LoadedProduct> {
  const product = await loadProduct(app, uuid);
  if (!isAlive(product) || product.state.storeUuid !== store.uuid) throw unknownProduct(uuid);
  return product;
}
