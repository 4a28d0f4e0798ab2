/** Finds the categories of a table by path (`Roupas > Camisetas`), slug or name, and creates them on request. */
import { maybe, text } from '../answer.js';
import type { Client, Resource } from '../client.js';

export interface CategoryFinder {
  /** The uuid; undefined when the category does not exist and must not be created. */
  find(path: string): Promise<string | undefined>;
}

interface Known {
  readonly uuid: string;
  readonly parent: string | null;
  readonly name: string;
}

/** @param make creates a missing category, given its parent's uuid; undefined: create none */
export async function categoryFinder(client: Client, target: string, make: boolean): Promise<CategoryFinder> {
  const known: Known[] = [];
  const bySlug = new Map<string, string>();
  const learn = (category: Resource): Known => {
    const entry = {
      uuid: text(category['uuid']),
      parent: maybe(category['parent_uuid'], text),
      name: fold(text(category['name'])),
    };
    known.push(entry);
    bySlug.set(text(category['slug']), entry.uuid);
    return entry;
  };
  for (const category of (await client.page(target, {})).data) learn(category);

  const child = (parent: string | null, name: string) =>
    known.find((category) => category.parent === parent && category.name === fold(name));
  const anywhere = (name: string): string | undefined => {
    const found = known.filter((category) => category.name === fold(name));
    return found.length === 1 ? found[0]!.uuid : undefined;
  };

  return {
    async find(path) {
      const names = path
        .split('>')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      let parent: string | null = null;
      for (const [depth, name] of names.entries()) {
        const found: string | undefined =
          child(parent, name)?.uuid ??
          (names.length === 1 && depth === 0 ? (bySlug.get(name) ?? anywhere(name)) : undefined);
        if (found !== undefined) parent = found;
        else if (!make) return undefined;
        else parent = learn(await client.send('POST', target, { name, parent_uuid: parent })).uuid;
      }
      return parent ?? undefined;
    },
  };
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
