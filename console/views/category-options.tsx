import { get } from '../api.js';
import { useLoad } from '../load.js';
import type { Category } from '../shapes.js';

export function useCategories(company: string): readonly Category[] {
  const loaded = useLoad(() => get<readonly Category[]>(`/companies/${company}/store/categories`), [company]);
  return loaded.data ?? [];
}

/** In the order of the tree, with its depth in front of the name. */
export const CategoryOptions = ({ categories }: { readonly categories: readonly Category[] }) => (
  <>
    {categories.map(({ uuid, name, parent_uuid: parent }) => (
      <option key={uuid} value={uuid}>
        {'– '.repeat(depthOf(categories, parent)) + name}
      </option>
    ))}
  </>
);

export const depthOf = (categories: readonly Category[], parent: string | null): number =>
  parent === null
    ? 0
    : 1 + depthOf(categories, categories.find(({ uuid }) => uuid === parent)?.parent_uuid ?? null);
