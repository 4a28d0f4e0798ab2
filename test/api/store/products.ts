/** Helpers of the product tests: a company with an open store, requests, and the events that they produced. */
import type { App } from '../../../application/app.js';
import { openStore } from '../../../application/store/settings.js';
import { productStream, storeId } from '../../../domain/streams.js';
import { ask, dataOf, pagesOf, type Answer } from '../../support/api/client.js';
import type { TestApi } from '../../support/api/make-api.js';
import { makeWorld, type World } from '../../support/api/world.js';
import { recordsSince } from '../../support/records.js';

export interface VariantBody {
  readonly uuid: string;
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly price: string;
  readonly promo_price: string | null;
  readonly effective_price: string;
  readonly stock: number | null;
  readonly available: boolean;
  readonly image_url: string | null;
}

export interface ProductBody {
  readonly uuid: string;
  readonly slug: string;
  readonly name: string;
  readonly price: string;
  readonly promo_price: string | null;
  readonly import_handle: string | null;
  readonly stock: number | null;
  readonly active: boolean;
  readonly variants: readonly VariantBody[];
  readonly images: readonly { readonly uuid: string; readonly source_url: string }[];
  readonly image_urls: readonly string[];
  readonly version: number;
  readonly [field: string]: unknown;
}

export interface BatchItemBody {
  readonly index: number;
  readonly import_handle: string | null;
  readonly status: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly product_uuid: string | null;
  readonly product: ProductBody | null;
  readonly error: { readonly code: string; readonly details: Readonly<Record<string, unknown>> } | null;
  readonly warnings: readonly { readonly code: string; readonly field: string | null }[];
}

export interface Shop extends World {
  readonly store: string;
  send(method: string, path: string, json?: unknown, key?: string): Promise<Answer>;
  /** Expects 201. */
  create(json: object): Promise<ProductBody>;
  /** Expects 200. */
  patch(uuid: string, json: object): Promise<ProductBody>;
  get(uuid: string): Promise<ProductBody>;
  /** Expects 200. */
  batch(products: readonly unknown[]): Promise<readonly BatchItemBody[]>;
  /** Names in order, over all pages; `query` in the form of a URL query. */
  names(query: string, limit: number): Promise<readonly string[]>;
  /** Names of the products that match these words, over all pages. */
  search(words: string, limit?: number): Promise<readonly string[]>;
}

export async function openShop(api: TestApi): Promise<Shop> {
  const world = await makeWorld(api.app);
  await openStore(api.app, { companyUuid: world.company, settings: {} }, { actor: 'admin' });
  const send: Shop['send'] = (method, path, json, key = world.key) =>
    ask(api, method, `/store/products${path}`, { key, ...(json === undefined ? {} : { json }) });
  const names: Shop['names'] = async (query, limit) => {
    const pages = await pagesOf(async (after) => {
      const answer = await send('GET', `?limit=${limit}${query}${after}`);
      return { data: dataOf<readonly ProductBody[]>(answer), next: answer.body.meta!.next_cursor };
    });
    return pages.flat().map(({ name }) => name);
  };
  return {
    ...world,
    store: storeId(world.company),
    send,
    create: async (json) => dataOf(await send('POST', '', json), 201),
    patch: async (uuid, json) => dataOf(await send('PATCH', `/${uuid}`, json), 200),
    get: async (uuid) => dataOf(await send('GET', `/${uuid}`), 200),
    batch: async (products) => dataOf(await send('POST', '/batch', { products }), 200),
    names,
    search: (words, limit = 50) => names(`&query=${encodeURIComponent(words)}`, limit),
  };
}

/** Types of the events that `work` added, in the order of the history. */
export async function eventsOf(app: App, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await app.store.head();
  await work();
  return (await recordsSince(app.store, before)).map(({ type }) => type);
}

export const productHistory = async (app: App, uuid: string): Promise<readonly string[]> =>
  (await app.store.read(productStream.toName(uuid))).map(({ type }) => type);
