/** Removes what has expired of links, sessions and used answers, whenever one is made. */
import type { CollectionName, Document, ReadModels } from '../../ports/read-models.js';

export const LISTED = 1_000;
/** Version of a document that is removed: after every other one. */
export const GONE = '9';

/** There are few of them, and nobody waits for it. */
export async function removeOld<Doc extends { readonly expires_at: string } & Document>(
  readModels: ReadModels,
  collection: CollectionName<Doc, 'newest'>,
  now: string,
): Promise<void> {
  const query = { index: 'newest', equals: [], order: 'asc', limit: LISTED } as const;
  const { documents } = await readModels.find(collection, query);
  const old = documents.filter(({ doc }) => doc.expires_at <= now);
  if (old.length === 0) return;
  await readModels.write(
    collection,
    old.map(({ id }) => ({ id, doc: null, version: GONE })),
  );
}
