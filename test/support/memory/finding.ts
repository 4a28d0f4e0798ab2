/**
 * Adds `find` and `search` to read models in memory, by the indexes and words that the projections declare, and the
 * collections beside them that reactors read.
 */
import type { CollectionSpec, Document, Find, IndexValue, Search } from '../../../ports/read-models.js';
import { projections } from '../../../projections/catalog.js';
import { imageUploads } from '../../../read-models/image-uploads.js';
import type { MemoryReadModels } from './read-models.js';

type Key = readonly IndexValue[];

export function finding(models: MemoryReadModels): MemoryReadModels {
  /** Returns one page of the matching documents, ordered by these fields and then by id. */
  function page<T>(
    collection: string,
    isWanted: (doc: Document) => boolean,
    fields: readonly string[],
    { order, limit, after }: Pick<Find, 'order' | 'limit' | 'after'>,
  ) {
    const sign = { asc: 1, desc: -1 }[order];
    const rows = [...models.all(collection).values()]
      .filter(({ doc }) => isWanted(doc))
      .map((found) => ({
        found,
        key: [...fields.map((field) => found.doc[field] as IndexValue), found.id],
      }))
      .filter(({ key }) => after === undefined || sign * compare(key, after) > 0)
      .sort((a, b) => sign * compare(a.key, b.key));
    const shown = rows.slice(0, limit);
    return {
      documents: shown.map(({ found: { id, doc, version } }) => ({ id, doc: doc as T, version })),
      next: rows.length > limit ? shown.at(-1)!.key : null,
    };
  }

  const specs: readonly CollectionSpec[] = [...projections, imageUploads];
  const declared = (collection: string) => specs.find(({ name }) => name === collection)!;
  return {
    ...models,
    async find<T>(collection: string, { index, equals, ...range }: Find) {
      const fields = declared(collection).indexes[index]!;
      const isWanted = (doc: Document): boolean => equals.every((value, at) => doc[fields[at]!] === value);
      return page<T>(collection, isWanted, fields.slice(equals.length), range);
    },
    async search<T>(collection: string, { scope, prefixes, ...range }: Search) {
      const by = declared(collection).search!;
      const isWanted = (doc: Document): boolean =>
        doc[by.scope] === scope &&
        prefixes.every((prefix) => (doc[by.words] as string[]).some((word) => word.startsWith(prefix)));
      return page<T>(collection, isWanted, [by.orderBy], range);
    },
  };
}

/** Compares by the first value that differs; null sorts first. */
function compare(a: Key, b: Key): number {
  const at = a.findIndex((value, n) => value !== b[n]);
  if (at < 0) return 0;
  const [one, other] = [a[at]!, b[at]!];
  return one === null || (other !== null && one < other) ? -1 : 1;
}
