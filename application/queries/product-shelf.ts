/** The products of a store as the shop's own people filter them. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { products } from '../../read-models/products.js';
import type { Find, Found, IndexValue, StoredDocument } from '../../ports/read-models.js';
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.js';
import { readPage, type Page, type PageRequest, type QueryDeps } from './page.js';
import { searchProducts, type StoredProduct } from './products.js';

export interface ShelfFilter {
  readonly query?: string | undefined;
  readonly active?: boolean | undefined;
  readonly categoryUuid?: string | undefined;
  /** Only products of which some unit for sale has at most this stock. Stock that is not tracked is never low. */
  readonly stockAtMost?: number | undefined;
}

/** Products that one call looks at for a filter without an index: a page may be short, with a cursor to the rest. */
const LOOKED_AT = 1_000;
const AT_ONCE = 200;

/** Newest first. @throws Refusal invalid_cursor */
export async function listShelf(
  deps: QueryDeps,
  store: { readonly uuid: string; readonly companyUuid: CompanyUuid },
  filter: ShelfFilter,
  page: PageRequest,
): Promise<Page<StoredProduct>> {
  const { active, categoryUuid, stockAtMost } = filter;
  const query = (filter.query ?? '').trim();
  const filters = [query, categoryUuid ?? null, active ?? null, stockAtMost ?? null].map((each) =>
    each === null || each === '' ? null : String(each),
  );
  const scope = { list: 'admin-products', companyUuid: store.companyUuid, filters };
  if (query !== '') return searchProducts(deps, store.uuid, query, (doc) => fits(doc, filter), scope, page);
  const state = active === undefined ? [] : [active ? 'active' : 'inactive'];
  const find =
    categoryUuid === undefined
      ? state.length === 0
        ? ({ index: 'by_store', equals: [store.uuid], order: 'desc' } as const)
        : ({ index: 'by_state', equals: [store.uuid, ...state], order: 'desc' } as const)
      : ({ index: 'by_category', equals: [store.uuid, categoryUuid, ...state], order: 'desc' } as const);
  if (stockAtMost === undefined) return readPage(deps, products.name, find, scope, page);
  const byState = categoryUuid !== undefined && active === undefined;
  return readScanned(deps, find, scope, page, (doc) => fits(doc, filter), byState);
}

function fits(doc: StoredProduct, { active, categoryUuid, stockAtMost }: ShelfFilter): boolean {
  if (active !== undefined && (doc.state === 'active') !== active) return false;
  if (categoryUuid !== undefined && doc.category_uuid !== categoryUuid) return false;
  return stockAtMost === undefined || isLow(doc, stockAtMost);
}

/** Variants replace the product's own stock. */
function isLow({ stock, variants }: StoredProduct, atMost: number): boolean {
  const sold = variants.length === 0 ? [{ stock }] : variants.filter(({ active }) => active);
  return sold.some((unit) => unit.stock !== null && unit.stock <= atMost);
}

type Range = Pick<Find<'by_store' | 'by_state' | 'by_category'>, 'index' | 'equals' | 'order'>;

async function readScanned(
  { readModels, cursorSecret }: QueryDeps,
  find: Range,
  scope: CursorScope,
  { after, limit }: PageRequest,
  accepts: (doc: StoredProduct) => boolean,
  byState: boolean,
): Promise<Page<StoredProduct>> {
  const keyOf = ({ doc, id }: StoredDocument<StoredProduct>): readonly IndexValue[] => [
    ...(byState ? [doc.state] : []),
    doc.created_at,
    id,
  ];
  const kept: StoredDocument<StoredProduct>[] = [];
  let from: readonly IndexValue[] | null =
    after === undefined ? null : decodeCursor(cursorSecret, scope, after);
  let looked = 0;
  do {
    const found: Found<StoredProduct> = await readModels.find(products.name, {
      ...find,
      limit: AT_ONCE,
      ...(from ? { after: from } : {}),
    });
    kept.push(...found.documents.filter(({ doc }) => accepts(doc)));
    looked += found.documents.length;
    from = found.next;
  } while (from !== null && kept.length <= limit && looked < LOOKED_AT);
  const documents = kept.slice(0, limit);
  const last = documents.at(-1);
  const next = kept.length > limit && last ? keyOf(last) : from;
  return {
    documents: documents.map(({ doc }) => doc),
    nextCursor: next === null ? null : encodeCursor(cursorSecret, scope, next),
  };
}
