/** Removes documents whose time is over. For collections beside the history, whenever one is written. */
import type { CollectionName, Document } from '../ports/read-models.js';
import { versionAfter } from '../ports/versions.js';
import type { App } from './app.js';

/** @param index orders the documents by their end; the first `atOnce` of them are looked at */
export async function removeEnded<Doc extends Document, Index extends string>(
  { readModels, clock }: Pick<App, 'readModels' | 'clock'>,
  collection: CollectionName<Doc, Index>,
  index: Index,
  hasEnded: (doc: Doc) => boolean,
  atOnce: number,
): Promise<void> {
  const query = { index, equals: [], order: 'asc', limit: atOnce } as const;
  const { documents } = await readModels.find(collection, query);
  const ended = documents.filter(({ doc }) => hasEnded(doc));
  if (ended.length === 0) return;
  await readModels.write(
    collection,
    ended.map(({ id, version }) => ({ id, doc: null, version: versionAfter(version, clock.now()) })),
  );
}
