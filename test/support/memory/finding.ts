/** Read models in memory that are found by the indexes that the projections declare. */
import type { Find, Found, IndexValue } from '../../../ports/read-models.js';
import { projections } from '../../../projections/catalog.js';
import type { MemoryReadModels } from './read-models.js';

export function finding(models: MemoryReadModels): MemoryReadModels {
  return {
    ...models,
    async find<T>(collection: string, { index, equals, order, limit, after }: Find): Promise<Found<T>> {
      const fields = projections.find(({ name }) => name === collection)!.indexes[index]!;
      const sign = { asc: 1, desc: -1 }[order];
      const rows = [...models.all(collection).values()]
        .filter(({ doc }) => equals.every((value, at) => doc[fields[at]!] === value))
        .map((found) => ({
          found,
          key: [...fields.slice(equals.length).map((field) => found.doc[field] as IndexValue), found.id],
        }))
        .filter(({ key }) => after === undefined || sign * compare(key, after) > 0)
        .sort((a, b) => sign * compare(a.key, b.key));
      const page = rows.slice(0, limit);
      return {
        documents: page.map(({ found: { id, doc, version } }) => ({ id, doc: doc as T, version })),
        next: rows.length > limit ? page.at(-1)!.key : null,
      };
    },
  };
}

/** By the first value that differs; null comes first. */
function compare(a: readonly IndexValue[], b: readonly IndexValue[]): number {
  const at = a.findIndex((value, n) => value !== b[n]);
  if (at < 0) return 0;
  const [one, other] = [a[at]!, b[at]!];
  return one === null || (other !== null && one < other) ? -1 : 1;
}
