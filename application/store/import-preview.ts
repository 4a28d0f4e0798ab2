/** Computes the result of an import on the products of a store: makes all checks, and writes nothing. */
import { readProductWrite, type ProductWrite } from '../../domain/policies/product/write.js';
import type { Product } from '../../domain/product/state.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import type { OpenStore } from './gate.js';
import { createImageMemo } from './images.js';
import { failed, handleOf, withCounts, type BatchItem, type BatchResult } from './products/batch.js';
import { productOfHandle } from './products/handles.js';
import { checkCreation, prepareChange } from './products/prepare.js';
import type { ProductDeps } from './products/create.js';

type Outcome = Pick<BatchItem, 'import_handle' | 'status' | 'product_uuid' | 'warnings'>;

/** Does not fetch pictures, and does not check the product quota of the store. */
export async function previewProducts(
  app: ProductDeps,
  store: OpenStore,
  items: readonly unknown[],
  context: CommandContext,
): Promise<BatchResult> {
  const data: BatchItem[] = [];
  for (const [index, item] of items.entries()) {
    try {
      data.push({ index, product: null, ...(await outcome(app, store, item, context)), error: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      data.push(failed({ index, handle: handleOf(item), warnings: [] }, error));
    }
  }
  return withCounts(data);
}

async function outcome(
  app: ProductDeps,
  store: OpenStore,
  item: unknown,
  context: CommandContext,
): Promise<Outcome> {
  const { write, warnings } = readProductWrite(item);
  const known = { import_handle: write.details.import_handle ?? null, warnings };
  const product = await livingProduct(app, store, write, context);
  if (product === null) {
    checkCreation(app, store, write);
    return { ...known, status: 'created', product_uuid: null };
  }
  const { uuid, state } = product;
  const rest = withoutPictures(write);
  const { events } = await prepareChange(app, store, state, rest, 'import', createImageMemo());
  const changes = events.length > 0 || !samePictures(write, state);
  return { ...known, status: changes ? 'updated' : 'unchanged', product_uuid: uuid };
}

/** Thrown where the lookup would claim the handle, which a preview must not do. */
class NotThere extends Error {}

async function livingProduct(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'newId' | 'project' | 'readModels' | 'store'>,
  store: OpenStore,
  { details }: ProductWrite,
  context: CommandContext,
) {
  const handle = details.import_handle ?? null;
  if (handle === null) return null;
  try {
    return await productOfHandle(app, store.uuid, handle, context, () => {
      throw new NotThere();
    });
  } catch (error) {
    if (error instanceof NotThere) return null;
    throw error;
  }
}

function withoutPictures({ imageUrls: _gallery, variants, ...rest }: ProductWrite): ProductWrite {
  if (!variants) return rest;
  return { ...rest, variants: variants.map(({ imageUrl: _image, ...variant }) => variant) };
}

const samePictures = ({ imageUrls }: ProductWrite, { images }: Product): boolean =>
  imageUrls === undefined ||
  (imageUrls.length === images.length && imageUrls.every((url, index) => images[index]?.source_url === url));
