/** Paged reads over an index of a read model, which enforce tenancy and cursors in one place. */
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
}

export interface Page<T> {
  readonly documents: readonly T[];
  readonly nextCursor: string | null;
}

/** @throws Refusal invalid_cursor */
export async function readPage<Doc extends Document, Index extends string>(
  deps: QueryDeps,
  collection: CollectionName<Doc, Index>,
  find: Pick<Find<NoInfer<Index>>, 'index' | 'equals' | 'order'>,
  scope: CursorScope,
  { after, limit }: PageRequest,
): Promise<Page<Doc>> {
  const from = after === undefined ? undefined : decodeCursor(deps.cursorSecret, scope, after);
  const found = await deps.readModels.find(collection, {
    ...find,
    limit,
    ...(from ? { after: from } : {}),
  });
  return {
    documents: found.documents.map((document) => document.doc),
    nextCursor: found.next === null ? null : encodeCursor(deps.cursorSecret, scope, found.next),
  };
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
  ranges: readonly Pick<Find<NoInfer<Index>>, 'index' | 'equals'>[],
  scope: CursorScope,
  { after, limit }: PageRequest,
): Promise<Page<Doc>> {
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
  const page = all.slice(0, limit);
  const last = page[page.length - 1];
  const more = all.length > limit || found.some(({ next }) => next !== null);
  return {
    documents: page.map(({ doc }) => doc),
    nextCursor: more && last ? encodeCursor(deps.cursorSecret, scope, [last.doc.created_at, last.id]) : null,
  };
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
export async function readFilteredPage<Doc extends Document, Index extends string>(
  deps: QueryDeps,
  collection: CollectionName<Doc, Index>,
  find: Pick<Find<NoInfer<Index>>, 'index' | 'equals' | 'order'>,
  scope: CursorScope,
  { after, limit }: PageRequest,
  accepts: (doc: NoInfer<Doc>) => boolean,
  sortKey: (document: StoredDocument<NoInfer<Doc>>) => readonly IndexValue[],
): Promise<Page<Doc>> {
  let from: readonly IndexValue[] | null =
    after === undefined ? null : decodeCursor(deps.cursorSecret, scope, after);
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
  const documents = kept.slice(0, limit);
  const last = documents[documents.length - 1];
  return {
    documents: documents.map((document) => document.doc),
    nextCursor: kept.length > limit && last ? encodeCursor(deps.cursorSecret, scope, sortKey(last)) : null,
  };
}

/**
 * One document of a company. Another company's document is treated as missing.
 *
 * @throws Refusal not_found
 */
export async function readOwned<Doc extends Document & { readonly company_uuid: string }>(
  readModels: ReadModels,
  collection: CollectionName<Doc>,
  uuid: string,
  companyUuid: string,
  resource: string,
): Promise<Doc> {
  const doc = (await readModels.get(collection, uuid))?.doc;
  if (doc?.company_uuid !== companyUuid) {
    throw new Refusal('not_found', `There is no such ${resource} in your company.`, { resource, uuid });
  }
  return doc;
}
