/** Products of the store. */
import { ImportInterruptedError, type RecadoError } from './errors.js';
import { Pages } from './pages.js';
import type { Requests } from './requests.js';
import type {
  Answer,
  CallOptions,
  ImportSummary,
  KeyedOptions,
  StoreProductBatchItem,
  StoreProductPatch,
  StoreProductWrite,
} from './types.js';

/** A product of an import. Its handle makes a repetition harmless: it updates instead of creating again. */
export type ImportedProduct = StoreProductWrite & { readonly import_handle: string };

export interface ImportOptions extends CallOptions {
  /** Number of products to leave out: `done` of the interrupted import, or of your last `onBatch`. */
  readonly from?: number | undefined;
  /** Products of one call, 1 to 100. Default: 100. */
  readonly batchSize?: number | undefined;
  /** Called after each batch, in order. Keep `done`, and a later process can go on from there. */
  readonly onBatch?: ((batch: ImportedBatch) => unknown) | undefined;
}

export interface ImportedBatch {
  /** Products that are dealt with, from the first one. */
  readonly done: number;
  readonly items: readonly StoreProductBatchItem[];
}

const BATCH = 100;
/** The contract takes 8 MiB; this leaves room for the frame around the products. */
const BATCH_BYTES = 8_000_000;
/** Images are fetched during the call. */
const BATCH_TIMEOUT_MS = 300_000;

export class Products {
  readonly #api: Requests;

  constructor(api: Requests) {
    this.#api = api;
  }

  list(query: { after?: string; limit?: number; query?: string } = {}, options: CallOptions = {}) {
    const read = (after: string | undefined) =>
      this.#api.request('GET', '/store/products', {
        ...options,
        query: { ...query, ...(after && { after }) },
      });
    return new Pages(read, query.after);
  }

  /** Under your own `idempotencyKey`, a repetition returns the product as it was created. */
  create(product: StoreProductWrite, options: KeyedOptions = {}) {
    return this.#api.request('POST', '/store/products', { ...options, body: product });
  }

  get(uuid: string, options: CallOptions = {}) {
    const path = { product_uuid: uuid };
    return this.#api.request('GET', '/store/products/{product_uuid}', { ...options, path });
  }

  /** Fields that are left out keep their value. With `version`, only a product at that version is changed. */
  update(uuid: string, changes: StoreProductPatch, options: CallOptions & Versioned = {}) {
    const path = { product_uuid: uuid };
    return this.#api.request('PATCH', '/store/products/{product_uuid}', {
      ...ifMatch(options),
      path,
      body: changes,
    });
  }

  delete(uuid: string, options: CallOptions & Versioned = {}): Promise<Answer<object>> {
    const path = { product_uuid: uuid };
    return this.#api.request('DELETE', '/store/products/{product_uuid}', { ...ifMatch(options), path });
  }

  /** One call with up to 100 products. Each has its own result, in order. */
  batch(products: readonly StoreProductWrite[], options: CallOptions = {}) {
    return this.#api.request('POST', '/store/products/batch', {
      timeoutMs: BATCH_TIMEOUT_MS,
      ...options,
      repeatable: products.every(({ import_handle: handle }) => typeof handle === 'string' && handle !== ''),
      body: { products },
    });
  }

  /**
   * Creates or updates any number of products, a batch at a time. A product that is refused does not end it.
   * @param products read as they are needed, so they may come from a stream
   * @throws ImportInterruptedError if a batch finds no answer: `done` products are dealt with; go on with `from: done`
   */
  async import(
    products: Iterable<ImportedProduct> | AsyncIterable<ImportedProduct>,
    options: ImportOptions = {},
  ): Promise<ImportSummary> {
    const { from = 0, batchSize = BATCH, onBatch, ...call } = options;
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const failed: { position: number; item: StoreProductBatchItem }[] = [];
    let done = from;
    for await (const batch of batches(products, from, batchSize)) {
      const { data: items } = await this.batch(batch, call).catch((error: RecadoError) => {
        throw new ImportInterruptedError({ done, ...counts, failed }, error);
      });
      for (const item of items) {
        if (item.status === 'failed') failed.push({ position: done + item.index, item });
        else counts[item.status] += 1;
      }
      done += batch.length;
      await onBatch?.({ done, items });
    }
    return { done, ...counts, failed };
  }
}

export interface Versioned {
  /** The product's `version` that the change is based on; another one answers 412 `precondition_failed`. */
  readonly version?: number | undefined;
}

const ifMatch = ({ version, headers, ...options }: CallOptions & Versioned): CallOptions => ({
  ...options,
  headers: { ...(version === undefined ? {} : { 'if-match': `"${version}"` }), ...headers },
});

/** @param from how many products are left out at the beginning */
async function* batches(
  products: Iterable<ImportedProduct> | AsyncIterable<ImportedProduct>,
  from: number,
  size: number,
): AsyncGenerator<ImportedProduct[], void, undefined> {
  const encoder = new TextEncoder();
  let batch: ImportedProduct[] = [];
  let bytes = 0;
  let seen = 0;
  for await (const product of products) {
    seen += 1;
    if (seen <= from) continue;
    const more = encoder.encode(JSON.stringify(product)).length + 1;
    if (batch.length >= size || (batch.length > 0 && bytes + more > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(product);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
