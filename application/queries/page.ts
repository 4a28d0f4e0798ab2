/** Paged reads over an index of a read model, which enforce tenancy and cursors in one place. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type {
  CollectionName,
  Document,
  Find,
  Found,
  IndexValue,
  ReadModels,
  StoredDocument,
} from '../../ports/read-models.js';
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.js';

export interface QueryDeps {
  readonly readModels: ReadModels;
  readonly cursorSecret: Uint8Array;
}

export interface PageRequest {
  /** `next_cursor` of the previous page. */
  readonly after?: string | undefined;
  /** 1 to 100. */
  readonly limit: number;
  /** Whether the first page says how many documents the whole list has. */
  readonly counted?: boolean;
}

/** How many documents a list has. */
export interface Total {
  readonly count: number;
  /** There are more than were counted. */
  readonly capped: boolean;
}

export interface Page<T> {
  readonly documents: readonly T[];
  readonly nextCursor: string | null;
  /** Where it was asked for, and is known. */
  readonly total?: Total;
}

/** Counting ends here: its cost stays bounded, and people do not need a longer list's exact length. */
const COUNTED = 10_000;

type Range<Index extends string> = Pick<Find<Index>, 'index' | 'equals'>;

/** Counted for the first page only: a caller who reads the next ones knows it already. */
async function totalOf<Index extends string>(
  { readModels }: QueryDeps,
  collection: CollectionName<Document, Index>,
  ranges: readonly Range<NoInfer<Index>>[],
  { after, counted }: PageRequest,
  { documents, nextCursor }: Page<unknown>,
): Promise<{ readonly total?: Total }> {
  if (counted !== true || after !== undefined) return {};
  if (nextCursor === null) return { total: { count: documents.length, capped: false } };
  const counts = await Promise.all(
    ranges.map(({ index, equals }) => readModels.count(collection, index, equals, COUNTED + 1)),
  );
  const count = counts.reduce((sum, each) => sum + each, 0);
  return { total: { count: Math.min(count, COUNTED), capped: count > COUNTED } };
}

/** @throws Refusal invalid_cursor */
export async function readPage<Doc extends Document, Index extends string>(
  deps: QueryDeps,
  collection: CollectionName<Doc, Index>,
  find: Pick<Find<NoInfer<Index>>, 'index' | 'equals' | 'order'>,
  scope: CursorScope,
  request: PageRequest,
): Promise<Page<Doc>> {
  const { after, limit } = request;
  const from = after === undefined ? undefined : decodeCursor(deps.cursorSecret, scope, after);
  const found = await deps.readModels.find(collection, {
    ...find,
    limit,
    ...(from ? { after: from } : {}),
  });
  const page = {
    documents: found.documents.map((document) => document.doc),
    nextCursor: found.next === null ? null : encodeCursor(deps.cursorSecret, scope, found.next),
  };
  return { ...page, ...(await totalOf(deps, collection, [find], request, page)) };
}

/**
 * Merges several ranges with the same remaining sort fields (creation time, then id) into one page, newest first: for
 * lists whose caller did not select a status.
 * @throws Refusal invalid_cursor
 */
export async function readMergedPage<
  Doc extends Document & { readonly created_at: string },
  Index extends string,
>(
  deps: QueryDeps,
  collection: CollectionName<Doc, Index>,
  ranges: readonly Range<NoInfer<Index>>[],
  scope: CursorScope,
  request: PageRequest,
): Promise<Page<Doc>> {
  const { after, limit } = request;
  const from = after === undefined ? undefined : decodeCursor(deps.cursorSecret, scope, after);
  const found = await Promise.all(
    ranges.map((range) =>
      deps.readModels.find(collection, {
        ...range,
        order: 'desc',
        limit,
        ...(from ? { after: from } : {}),
      }),
    ),
  );
  const all = found.flatMap(({ documents }) => documents);
  all.sort((a, b) => compare(b.doc.created_at, a.doc.created_at) || compare(b.id, a.id));
  const shown = all.slice(0, limit);
  const last = shown[shown.length - 1];
  const more = all.length > limit || found.some(({ next }) => next !== null);
  const page = {
    documents: shown.map(({ doc }) => doc),
    nextCursor: more && last ? encodeCursor(deps.cursorSecret, scope, [last.doc.created_at, last.id]) : null,
  };
  return { ...page, ...(await totalOf(deps, collection, ranges, request, page)) };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Documents that a filtered list reads per query. */
const SCAN = 200;

/**
 * A page of the documents of an index that `accepts` selects. Reads the whole index range at worst, so it is only for
 * ranges that are small by nature (a company's templates).
 *
 * @param sortKey values of the index's remaining fields and the id, of one document
 * @throws Refusal invalid_cursor
 */
export function readFilteredPage<Doc extends Document, Index extends string>(
  deps: QueryDeps,
  collection: CollectionName<Doc, Index>,
  find: Pick<Find<NoInfer<Index>>, 'index' | 'equals' | 'order'>,
  scope: CursorScope,
  page: PageRequest,
  accepts: (doc: NoInfer<Doc>) => boolean,
  sortKey: (document: StoredDocument<NoInfer<Doc>>) => readonly IndexValue[],
): Promise<Page<Doc>> {
  return readFilteredPages(deps, collection, [find], scope, page, accepts, sortKey);
}

/**
 * The same over several ranges of one index, in the order of their sort keys.
 * @param finds with the same index and order
 * @throws Refusal invalid_cursor
 */
export async function readFilteredPages<Doc extends Document, Index extends string>(
  deps: QueryDeps,
  collection: CollectionName<Doc, Index>,
  finds: readonly Pick<Find<NoInfer<Index>>, 'index' | 'equals' | 'order'>[],
  scope: CursorScope,
  { after, limit, counted }: PageRequest,
  accepts: (doc: NoInfer<Doc>) => boolean,
  sortKey: (document: StoredDocument<NoInfer<Doc>>) => readonly IndexValue[],
): Promise<Page<Doc>> {
  const start = after === undefined ? null : decodeCursor(deps.cursorSecret, scope, after);
  const keptOf = async (find: (typeof finds)[number]): Promise<readonly StoredDocument<Doc>[]> => {
    let from: readonly IndexValue[] | null = start;
    const kept: StoredDocument<Doc>[] = [];
    do {
      const found: Found<Doc> = await deps.readModels.find(collection, {
        ...find,
        limit: SCAN,
        ...(from ? { after: from } : {}),
      });
      for (const document of found.documents) if (accepts(document.doc)) kept.push(document);
      from = found.next;
    } while (from !== null && kept.length <= limit);
    return kept;
  };
  const kept = (await Promise.all(finds.map(keptOf))).flat();
  if (finds.length > 1) {
    const direction = finds[0]?.order === 'desc' ? -1 : 1;
    kept.sort((a, b) => direction * compareKeys(sortKey(a), sortKey(b)));
  }
  const documents = kept.slice(0, limit);
  const last = documents[documents.length - 1];
  const whole = start === null && kept.length <= limit;
  return {
    documents: documents.map((document) => document.doc),
    nextCursor: kept.length > limit && last ? encodeCursor(deps.cursorSecret, scope, sortKey(last)) : null,
    ...(counted === true && whole ? { total: { count: kept.length, capped: false } } : {}),
  };
}

function compareKeys(a: readonly IndexValue[], b: readonly IndexValue[]): number {
  for (const [place, value] of a.entries()) {
    const other = b[place] ?? '';
    if ((value ?? '') !== other) return (value ?? '') < other ? -1 : 1;
  }
  return 0;
}

/**
 * One document of a company. Another company's document is treated as missing.
 *
 * @throws Refusal not_found
 */
export async function readOwned<Doc extends Document & { readonly company_uuid: CompanyUuid }>(
  readModels: ReadModels,
  collection: CollectionName<Doc>,
  uuid: string,
  companyUuid: CompanyUuid,
  resource: string,
): Promise<Doc> {
  const doc = (await readModels.get(collection, uuid))?.doc;
  if (doc?.company_uuid !== companyUuid) {
    throw new Refusal('not_found', `There is no such ${resource} in your company.`, { resource, uuid });
  }
  return doc;
}
