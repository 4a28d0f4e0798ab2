/** Products with pictures, written straight into their streams. */
import { directCommand, type App } from '../../application/app.js';
import { productAggregate } from '../../domain/product/decide.js';
import { productEventExamples } from '../../domain/product/examples.js';
import type { ProductImage } from '../../domain/product/events.js';

const {
  company_uuid,
  store_uuid,
  slug: _slug,
  stock: _stock,
  variants: _variants,
  images: _images,
  ...details
} = productEventExamples.created.data;

const context = (app: App) => directCommand(app, { company: company_uuid, actor: 'test' });

/** Answers its uuid. */
export async function addProduct(app: App, images: readonly ProductImage[]): Promise<string> {
  const uuid = app.newId();
  await app.executor.execute(
    productAggregate,
    uuid,
    {
      type: 'CreateProduct',
      companyUuid: company_uuid,
      storeUuid: store_uuid,
      slug: `p-${uuid}`,
      details,
      stock: null,
      variants: [],
      images,
    },
    context(app),
  );
  return uuid;
}

export async function showOnProduct(app: App, uuid: string, images: readonly ProductImage[]): Promise<void> {
  await app.executor.execute(
    productAggregate,
    uuid,
    { type: 'ChangeProduct', details: {}, images, source: 'api' },
    context(app),
  );
}

export async function deleteProduct(app: App, uuid: string): Promise<void> {
  await app.executor.execute(productAggregate, uuid, { type: 'DeleteProduct' }, context(app));
}
