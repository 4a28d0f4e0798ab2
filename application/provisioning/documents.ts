/** Rebuilds single documents of a read model from their streams. */
import {
  copiesOf,
  UnreadableDocument,
  type Document,
  type IndexValue,
  type NameOf,
  type StoredDocument,
} from '../../ports/read-models.js';
import type { App } from '../app.js';

const ATTEMPTS = 10;
const PAGE = 200;

/**
 * Replaces a document with the result of `make`, at the same position in the history. Does so in every copy of the
 * collection, because one that is being rebuilt or kept for a rollback holds the same personal data. True when
 * something changed; false when the document does not exist or was already correct.
 *
 * @param make the document as a rebuild would produce it after the events up to the version of `stored`
 */
export async function rewriteDocument(
  app: Pick<App, 'readModels'>,
  collection: string,
  id: string,
  make: (stored: StoredDocument<Document>) => Promise<Document | null>,
): Promise<boolean> {
  let changed = false;
  for (const copy of await copiesOf(app.readModels, collection)) {
    if (await rewriteCopy(app, copy, id, make)) changed = true;
  }
  return changed;
}

async function rewriteCopy(
  app: Pick<App, 'readModels'>,
  collection: string,
  id: string,
  make: (stored: StoredDocument<Document>) => Promise<Document | null>,
): Promise<boolean> {
  let changed = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const stored = await readable(app.readModels.get(collection, id));
    if (!stored) return changed;
    const doc = await make({ ...stored, doc: stored.doc ?? {} });
    if (JSON.stringify(doc) === JSON.stringify(stored.doc)) return changed;
    // Sorts after the version it replaces and before any later position. A projection that advanced in the meantime
    // wins, and the next attempt starts from its document.
    await app.readModels.write(collection, [{ id, doc, version: `${stored.version}~` }]);
    changed = true;
  }
  throw new Error(`document ${id} of ${collection} kept changing while it was made again`);
}

/** An unreadable document may still hold data to remove: it counts as empty, and is overwritten. */
async function readable<T>(
  read: Promise<StoredDocument<T> | undefined>,
): Promise<StoredDocument<T | null> | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return { ...error.stored, doc: null };
  }
}

/** Folds the projection over one stream up to `version`, the version of a document, which may lag behind. */
export async function replayTo(
  app: Pick<App, 'store' | 'replay'>,
  collection: string,
  stream: string,
  version: string,
): Promise<Document | null> {
  const seen = (await app.store.read(stream)).filter(({ position }) => position <= version);
  const last = seen[seen.length - 1];
  if (!last) return null;
  return (await app.replay(collection, stream, last.revision)) ?? null;
}

export async function* allDocuments<Doc extends Document = Document, Index extends string = string>(
  app: Pick<App, 'readModels'>,
  collection: NameOf<Doc, Index>,
  index: NoInfer<Index>,
  equals: readonly IndexValue[],
): AsyncGenerator<StoredDocument<Doc>> {
  let after: readonly IndexValue[] | undefined;
  for (;;) {
    const page = await app.readModels.find(collection, {
      index,
      equals,
      order: 'asc',
      limit: PAGE,
      ...(after ? { after } : {}),
    });
    yield* page.documents;
    if (page.next === null) return;
    after = page.next;
  }
}
