/** Product lists for visitors: only products for sale, newest first, page by page. */
import { foundOrAbsent } from '../application/found-or-absent.js';
import { readMergedPage } from '../application/queries/page.js';
import { findProductBySlug, listProducts } from '../application/queries/products.js';
import { Refusal } from '../domain/kernel/refusal.js';
import type { Found } from '../ports/read-models.js';
import { products, type ProductDoc } from '../read-models/products.js';
import { isOnPromotion } from './goods.js';
import type { Goods } from './goods.js';
import type { StorePageDeps, Visit } from './visit.js';

export interface ProductListPage {
  readonly goods: readonly Goods[];
  /** Value of `after` for the next page; null on the last page. */
  readonly next: string | null;
}

interface Asked {
  readonly limit: number;
  /** The cursor as it stands in the page's address. */
  readonly after: string | undefined;
}

export async function newest(
  deps: StorePageDeps,
  visit: Visit,
  { limit, after }: Asked,
): Promise<ProductListPage> {
  return listed(deps, visit, {}, { limit, after });
}

export async function search(
  deps: StorePageDeps,
  visit: Visit,
  { query, limit, after }: Asked & { readonly query: string },
): Promise<ProductListPage> {
  return listed(deps, visit, { query }, { limit, after });
}

async function listed(
  { app, cursorSecret }: StorePageDeps,
  { store }: Visit,
  filter: { readonly query?: string },
  page: Asked,
): Promise<ProductListPage> {
  const { documents, nextCursor } = await fromCursor(page.after, (after) =>
    listProducts(
      { readModels: app.readModels, cursorSecret },
      { uuid: store.uuid, companyUuid: store.state.companyUuid },
      { ...filter, activeOnly: true },
      { limit: page.limit, after },
    ),
  );
  return { goods: documents, next: nextCursor };
}

/** A kept link may contain a cursor that is no longer valid: the first page is shown instead. */
async function fromCursor<T>(
  after: string | undefined,
  read: (after: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await read(after);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_cursor') return read(undefined);
    throw error;
  }
}

/** The products of several categories: their lists have the same order, so they are merged. */
export async function inCategories(
  { app, cursorSecret }: StorePageDeps,
  { store }: Visit,
  categories: readonly string[],
  { limit, after }: Asked,
): Promise<ProductListPage> {
  const { companyUuid } = store.state;
  const scope = { list: 'store-page-categories', companyUuid, filters: categories };
  const ranges = categories.map(
    (category) => ({ index: 'by_category', equals: [store.uuid, category, 'active'] }) as const,
  );
  const { documents, nextCursor } = await fromCursor(after, (from) =>
    readMergedPage({ readModels: app.readModels, cursorSecret }, products.name, ranges, scope, {
      limit,
      after: from,
    }),
  );
  return { goods: documents, next: nextCursor };
}

/** How many products with a promotional price are read, to find those whose promotion is active. */
const LOOKED_THROUGH = 50;
const MOST_PROMOTIONS = 8;

export async function promotions({ app }: StorePageDeps, visit: Visit): Promise<readonly Goods[]> {
  const { documents } = await app.readModels.find(products.name, {
    index: 'by_promotion',
    equals: [visit.store.uuid, 'some'],
    order: 'desc',
    limit: LOOKED_THROUGH,
  });
  return documents
    .map(({ doc }) => doc)
    .filter((each) => isOnPromotion(each, visit.now))
    .slice(0, MOST_PROMOTIONS);
}

/**
 * Undefined when the product is not for sale. Its slug may have changed since.
 *
 * @throws ReadModelBehind when the read model may not contain it yet: search engines drop an address that answers 404
 */
export async function bySlug(
  { app }: StorePageDeps,
  { store }: Visit,
  slug: string,
): Promise<Goods | undefined> {
  if (!/^[a-z0-9-]{1,300}$/.test(slug)) return undefined;
  const found = await foundOrAbsent(app, ['products'], () =>
    findProductBySlug(app.readModels, store.uuid, slug),
  );
  return found?.state === 'active' ? found : undefined;
}

const CHUNK = 500;

/** All products for sale, for the sitemap. */
export async function everything(
  { app }: StorePageDeps,
  { store }: Visit,
): Promise<readonly { readonly slug: string; readonly changedAt: string }[]> {
  const all: { readonly slug: string; readonly changedAt: string }[] = [];
  let after: readonly (string | number | null)[] | null = [];
  while (after !== null) {
    const found: Found<ProductDoc> = await app.readModels.find(products.name, {
      index: 'by_state',
      equals: [store.uuid, 'active'],
      order: 'desc',
      limit: CHUNK,
      ...(after.length > 0 && { after }),
    });
    all.push(...found.documents.map(({ doc }) => ({ slug: doc.slug, changedAt: doc.updated_at })));
    after = found.next;
  }
  return all;
}
