/** Reads behind the product routes and the store's page. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { codeWord, productTerms } from '../../domain/policies/product/words.js';
import { slugKey } from '../../domain/product/slug.js';
import type { Found, IndexValue, ReadModels, StoredDocument } from '../../ports/read-models.js';
import { products, type ProductDoc } from '../../read-models/products.js';
import type { ProductSource } from '../resources/store-product.js';
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.js';
import { readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

export type StoredProduct = ProductSource & Pick<ProductDoc, 'state' | 'words'>;

export interface ProductFilter {
  /** Words that must each be the prefix of a word of the product, or equal one of its codes. */
  readonly query?: string | undefined;
  /** Only products that the store's page may show. */
  readonly activeOnly?: boolean;
  /** Only together with `activeOnly`, and not with `query`. */
  readonly categoryUuid?: string | undefined;
}

/** Newest first; products whose code equals the query come before all others. @throws Refusal invalid_cursor */
export async function listProducts(
  deps: QueryDeps,
  store: { readonly uuid: string; readonly companyUuid: CompanyUuid },
  filter: ProductFilter,
  page: PageRequest,
): Promise<Page<StoredProduct>> {
  const text = (filter.query ?? '').trim();
  const { activeOnly = false, categoryUuid = null } = filter;
  const list = activeOnly ? 'store-page-products' : 'products';
  const scope = { list, companyUuid: store.companyUuid, filters: [text === '' ? null : text, categoryUuid] };
  const shown = (doc: StoredProduct): boolean => !activeOnly || doc.state === 'active';
  if (text !== '') return searchProducts(deps, store.uuid, text, shown, scope, page);
  const find =
    categoryUuid !== null
      ? ({ index: 'by_category', equals: [store.uuid, categoryUuid, 'active'] } as const)
      : activeOnly
        ? ({ index: 'by_state', equals: [store.uuid, 'active'] } as const)
        : ({ index: 'by_store', equals: [store.uuid] } as const);
  return readPage(deps, products.name, { ...find, order: 'desc' }, scope, page);
}

type Part = 'exact' | 'words';

/**
 * First the products whose code equals the text, then the others that match all its words. A cursor names the part it
 * is in, so a page never repeats what an earlier one has shown.
 */
export async function searchProducts(
  { readModels, cursorSecret }: QueryDeps,
  storeUuid: string,
  text: string,
  accepts: (doc: StoredProduct) => boolean,
  scope: CursorScope,
  { after, limit }: PageRequest,
): Promise<Page<StoredProduct>> {
  const code = codeWord(text);
  const terms = productTerms(text);
  const [startsIn, ...key] = after === undefined ? ['exact'] : decodeCursor(cursorSecret, scope, after);
  const kept: { readonly part: Part; readonly found: StoredDocument<StoredProduct> }[] = [];

  async function collect(
    part: Part,
    prefixes: readonly string[],
    fits: (doc: StoredProduct) => boolean,
  ): Promise<void> {
    let from: readonly IndexValue[] | null = part === startsIn ? key : [];
    while (from !== null && kept.length <= limit) {
      const page: Found<StoredProduct> = await readModels.search(products.name, {
        scope: storeUuid,
        prefixes,
        order: 'desc',
        limit: limit + 1,
        ...(from.length > 0 ? { after: from } : {}),
      });
      for (const found of page.documents) {
        if (fits(found.doc) && accepts(found.doc)) kept.push({ part, found });
      }
      from = page.next;
    }
  }

  if (startsIn === 'exact') await collect('exact', [code], () => true);
  if (terms.length > 0) await collect('words', terms, ({ words }) => !words.includes(code));
  const shown = kept.slice(0, limit);
  const last = shown.at(-1);
  return {
    documents: shown.map(({ found }) => found.doc),
    nextCursor:
      kept.length > limit && last
        ? encodeCursor(cursorSecret, scope, [last.part, last.found.doc.created_at, last.found.id])
        : null,
  };
}

/** @throws Refusal not_found, also for a product of another store */
export async function readProduct(
  readModels: ReadModels,
  storeUuid: string,
  uuid: string,
): Promise<StoredProduct> {
  const doc = (await readModels.get(products.name, uuid))?.doc;
  if (doc?.store_uuid === storeUuid) return doc;
  throw unknownProduct(uuid);
}

/** By a current or former slug: compare it with the product's slug. Undefined when no product has it. */
export async function findProductBySlug(
  readModels: ReadModels,
  storeUuid: string,
  slug: string,
): Promise<StoredProduct | undefined> {
  const { documents } = await readModels.find(products.name, {
    index: 'by_slug',
    equals: [storeUuid, slugKey(slug)],
    order: 'asc',
    limit: 1,
  });
  return documents[0]?.doc;
}

export const unknownProduct = (uuid: string): Refusal =>
  new Refusal('not_found', 'There is no such product in your store.', { resource: 'product', uuid });
