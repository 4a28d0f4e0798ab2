/** Typed stream names. All names are built and parsed here. */
import { isUuid, type Id } from './ids.js';

/** @template Kind of the ids in the names; any, where mixing them up would not hurt */
export interface StreamNames<Kind extends string = string> {
  readonly category: string;
  /** Prefix of every stream of the category, for subscriptions. */
  readonly prefix: string;
  toName(id: Id<Kind>): string;
  /** The id when the name belongs to this category, else undefined. */
  match(name: string): Id<Kind> | undefined;
}

export function streamNames<Kind extends string = string>(category: string): StreamNames<Kind> {
  const prefix = `${category}-`;
  return {
    category,
    prefix,
    toName: (id) => prefix + id,
    match: (name) => {
      if (!name.startsWith(prefix)) return undefined;
      const id = name.slice(prefix.length);
      return isUuid(id) ? id : undefined;
    },
  };
}

/** The parts of any stream's name, for readers of the whole history. */
export function streamParts(name: string): { readonly category: string; readonly id: string } {
  const dash = name.indexOf('-');
  return { category: name.slice(0, dash), id: name.slice(dash + 1) };
}
