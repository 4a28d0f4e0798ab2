/** Rules of the category tree: at most three levels, no cycles, slugs unique in the store, positions without gaps. */
import { Refusal } from '../kernel/refusal.js';
import type { StoreEvent } from './events.js';
import { plainSlug } from './slug.js';
import type { Category, Store } from './state.js';

export const MAX_LEVELS = 3;
/** Each write of a product reads the whole tree, and one answer contains it. */
export const MAX_CATEGORIES = 500;

type Categories = ReadonlyMap<string, Category>;

export type CategoryCommand =
  | {
      readonly type: 'CreateCategory';
      readonly uuid: string;
      readonly name: string;
      /** Left out: made from the name. */
      readonly slug?: string | undefined;
      readonly parentUuid?: string | null | undefined;
      /** Position among its siblings, from 0; left out: the last. */
      readonly position?: number | undefined;
      readonly active?: boolean | undefined;
    }
  /** Fields that are left out keep their values. */
  | {
      readonly type: 'ChangeCategory';
      readonly uuid: string;
      readonly name?: string | undefined;
      readonly slug?: string | undefined;
      readonly parentUuid?: string | null | undefined;
      readonly position?: number | undefined;
      readonly active?: boolean | undefined;
    }
  | { readonly type: 'RemoveCategory'; readonly uuid: string };

/** @throws Refusal not_found when the store has no such category */
export function findCategory(store: Pick<Store, 'categories'>, uuid: string): Category {
  const category = store.categories.get(uuid);
  if (category) return category;
  throw new Refusal('not_found', 'There is no such category in this store.', { resource: 'category', uuid });
}

/** The categories with one parent, in their order. */
export function siblings(categories: Categories, parentUuid: string | null): readonly Category[] {
  return [...categories.values()]
    .filter((category) => category.parentUuid === parentUuid)
    .sort((a, b) => a.position - b.position);
}

/** The tree from the top: each category before its children, siblings in their order. */
export function inTreeOrder(categories: Categories, parentUuid: string | null = null): readonly Category[] {
  return siblings(categories, parentUuid).flatMap((category) => [
    category,
    ...inTreeOrder(categories, category.uuid),
  ]);
}

/** The category and all below it. */
export function subtree(categories: Categories, uuid: string): readonly Category[] {
  const top = categories.get(uuid);
  return top ? [top, ...inTreeOrder(categories, uuid)] : [];
}

/** The category after its ancestors, the topmost first; empty when the category does not exist. */
export function pathTo(categories: Categories, uuid: string | null): readonly Category[] {
  const category = uuid === null ? undefined : categories.get(uuid);
  return category ? [...pathTo(categories, category.parentUuid), category] : [];
}

export function decideCategory(command: CategoryCommand, state: Store): readonly StoreEvent[] {
  switch (command.type) {
    case 'CreateCategory':
      return state.categories.has(command.uuid) ? [] : create(command, state.categories);
    case 'ChangeCategory':
      return change(command, findCategory(state, command.uuid), state.categories);
    case 'RemoveCategory':
      return state.categories.has(command.uuid) ? remove(command.uuid, state.categories) : [];
    default:
      return command satisfies never;
  }
}

function create(
  command: Extract<CategoryCommand, { type: 'CreateCategory' }>,
  categories: Categories,
): readonly StoreEvent[] {
  if (categories.size >= MAX_CATEGORIES) {
    throw new Refusal('category_limit_reached', `A store has at most ${MAX_CATEGORIES} categories.`, {
      limit: MAX_CATEGORIES,
    });
  }
  const { uuid, parentUuid = null, position } = command;
  const name = checkName(command.name);
  checkParent(categories, parentUuid, 1);
  const slug = command.slug ?? freeSlug(categories, name);
  checkSlug(categories, slug, uuid);
  const placed = place(categories, uuid, parentUuid, position);
  return [
    {
      type: 'CategoryCreated',
      data: {
        uuid,
        name,
        slug,
        parent_uuid: parentUuid,
        position: placed.position,
        active: command.active ?? true,
      },
    },
    ...placed.shifted,
  ];
}

function change(
  command: Extract<CategoryCommand, { type: 'ChangeCategory' }>,
  category: Category,
  categories: Categories,
): readonly StoreEvent[] {
  const { uuid } = category;
  const name = command.name === undefined ? category.name : checkName(command.name);
  const { slug = category.slug, parentUuid = category.parentUuid, active = category.active } = command;
  if (slug !== category.slug) checkSlug(categories, slug, uuid);
  const moved = parentUuid !== category.parentUuid;
  if (moved) checkMove(categories, category, parentUuid);
  const placed =
    moved || command.position !== undefined
      ? place(categories, uuid, parentUuid, command.position)
      : { position: category.position, shifted: [] };
  const changed = {
    ...(name !== category.name && { name }),
    ...(slug !== category.slug && { slug }),
    ...(moved && { parent_uuid: parentUuid }),
    ...(placed.position !== category.position && { position: placed.position }),
    ...(active !== category.active && { active }),
  };
  return [
    ...(Object.keys(changed).length > 0
      ? [{ type: 'CategoryChanged', data: { uuid, ...changed } } as const]
      : []),
    ...placed.shifted,
  ];
}

function remove(uuid: string, categories: Categories): readonly StoreEvent[] {
  const children = siblings(categories, uuid);
  if (children.length > 0) {
    throw new Refusal('category_has_children', 'Move or remove the categories below this one first.', {
      category_uuid: uuid,
      children: children.map((child) => child.uuid),
    });
  }
  return [{ type: 'CategoryRemoved', data: { uuid } }];
}

function checkName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 200) return name;
  throw invalid('name', 'name_invalid', 'A category has a name of 1 to 200 characters.');
}

function checkSlug(categories: Categories, slug: string, uuid: string): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/.test(slug)) {
    throw invalid(
      'slug',
      'slug_invalid',
      'A slug has up to 80 lower-case letters, digits and dashes, such as camisetas-lisas.',
    );
  }
  const holder = [...categories.values()].find((other) => other.slug === slug && other.uuid !== uuid);
  if (!holder) return;
  throw new Refusal('category_slug_taken', `Another category of this store has the slug ${slug}.`, {
    field: 'slug',
    slug,
    category_uuid: holder.uuid,
  });
}

/** `levels`: number of levels of the subtree that is placed there. */
function checkParent(categories: Categories, parentUuid: string | null, levels: number): void {
  if (parentUuid === null) return;
  if (!categories.has(parentUuid)) {
    throw new Refusal('category_not_found', 'There is no such category to put it under.', {
      field: 'parent_uuid',
      category_uuid: parentUuid,
    });
  }
  if (pathTo(categories, parentUuid).length + levels > MAX_LEVELS) {
    throw new Refusal('category_too_deep', `Categories have at most ${MAX_LEVELS} levels.`, {
      field: 'parent_uuid',
      limit: MAX_LEVELS,
    });
  }
}

function checkMove(categories: Categories, category: Category, parentUuid: string | null): void {
  if (subtree(categories, category.uuid).some(({ uuid }) => uuid === parentUuid)) {
    throw new Refusal('category_cycle', 'A category cannot be put under itself.', {
      field: 'parent_uuid',
      category_uuid: category.uuid,
    });
  }
  checkParent(categories, parentUuid, levelsOf(categories, category.uuid));
}

function levelsOf(categories: Categories, uuid: string): number {
  return 1 + Math.max(0, ...siblings(categories, uuid).map((child) => levelsOf(categories, child.uuid)));
}

/** Inserts a category among its siblings; the others shift. */
function place(
  categories: Categories,
  uuid: string,
  parentUuid: string | null,
  wanted: number | undefined,
): { readonly position: number; readonly shifted: readonly StoreEvent[] } {
  const others = siblings(categories, parentUuid).filter((other) => other.uuid !== uuid);
  const position = Math.min(wanted ?? others.length, others.length);
  const shifted = others.flatMap((other, index) => {
    const now = index < position ? index : index + 1;
    if (now === other.position) return [];
    return [{ type: 'CategoryChanged', data: { uuid: other.uuid, position: now } } as const];
  });
  return { position, shifted };
}

function freeSlug(categories: Categories, name: string): string {
  const taken = new Set([...categories.values()].map(({ slug }) => slug));
  const base = plainSlug(name, 70) || 'categoria';
  let slug = base;
  for (let n = 2; taken.has(slug); n += 1) slug = `${base}-${n}`;
  return slug;
}

const invalid = (path: string, code: string, message: string): Refusal =>
  new Refusal('validation_failed', message, { fields: [{ path, code, message }] });
