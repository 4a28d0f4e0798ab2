import type { Target } from './projection.js';

interface Copy {
  readonly target: Target;
}

/**
 * The newest copy of each projection first: a reader that switches to it from an older copy never sees less than
 * before.
 */
export function waves<T extends Copy>(copies: readonly T[]): readonly (readonly T[])[] {
  const newest = new Map<string, number>();
  for (const { target } of copies) {
    const { name } = target.projection;
    newest.set(name, Math.max(newest.get(name) ?? 0, target.generation ?? 0));
  }
  const leads = ({ target }: T): boolean => newest.get(target.projection.name) === (target.generation ?? 0);
  const others = copies.filter((copy) => !leads(copy));
  return others.length === 0 ? [copies] : [copies.filter(leads), others];
}
