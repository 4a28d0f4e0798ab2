/** A product as its stream has it now, and its document projected from the same events: one read for both. */
import { fold } from '../../../domain/kernel/decider.js';
import { productAggregate } from '../../../domain/product/decide.js';
import type { ProductEvent } from '../../../domain/product/events.js';
import { initialProduct, type Product } from '../../../domain/product/state.js';
import { productStream } from '../../../domain/streams.js';
import type { ExpectedRevision } from '../../../ports/event-store.js';
import { products } from '../../../read-models/products.js';
import type { App } from '../../app.js';
import { unknownProduct, type StoredProduct } from '../../queries/products.js';
import { productFrom } from './from-document.js';

export interface LoadedProduct {
  readonly uuid: string;
  readonly state: Product;
  /** Undefined when the product does not exist or was deleted. */
  readonly doc: StoredProduct | undefined;
  /** Revision of the stream when it was read. */
  readonly revision: ExpectedRevision;
}

export async function loadProduct(
  app: Pick<App, 'codec' | 'project' | 'store'>,
  uuid: string,
): Promise<LoadedProduct> {
  const history = await app.codec.decodeAll<ProductEvent>(await app.store.read(productStream.toName(uuid)));
  const state = fold(
    productAggregate,
    history.map(({ event }) => event),
  );
  const revision = history.at(-1)?.record.revision ?? 'no_stream';
  return { uuid, state, doc: app.project(products.name, history), revision };
}

/**
 * The same from the document, provided that it shows the whole stream; without the stock taken by each order and former
 * handles. Undefined when the document lags or does not exist.
 */
export async function loadShown(
  app: Pick<App, 'readModels' | 'store'>,
  uuid: string,
): Promise<LoadedProduct | undefined> {
  const doc = (await app.readModels.get(products.name, uuid))?.doc;
  if (!doc) return undefined;
  const behind = await app.store.read(productStream.toName(uuid), { from: doc.version, limit: 1 });
  return behind.length > 0 ? undefined : { uuid, state: productFrom(doc), doc, revision: doc.version - 1 };
}

/** @throws Refusal not_found */
export async function productAfterWrite(
  app: Pick<App, 'codec' | 'project' | 'store'>,
  uuid: string,
): Promise<StoredProduct> {
  const { doc } = await loadProduct(app, uuid);
  if (!doc) throw unknownProduct(uuid);
  return doc;
}

export const noProduct = (uuid: string): LoadedProduct => ({
  uuid,
  state: initialProduct,
  doc: undefined,
  revision: 'no_stream',
});

export const isAlive = ({ state }: LoadedProduct): boolean => state.exists && !state.deleted;
