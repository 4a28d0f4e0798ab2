/** Saved replies: reading all of them, finding one by what was typed, and putting the customer's name in. */
import { pagesOf, type Schemas } from './api.js';
import { useLoad, type Loaded } from './load.js';

export type SavedReply = Schemas['SavedReply'];

/** There are few, so all are read. */
async function readAll(company: string): Promise<readonly SavedReply[]> {
  const all: SavedReply[] = [];
  for await (const { data } of pagesOf<SavedReply>(`/companies/${company}/saved-replies`)) all.push(...data);
  return all;
}

/** @param wanted read only once somebody looks for one */
export function useSavedReplies(company: string, wanted = true): Loaded<readonly SavedReply[] | null> {
  return useLoad(
    () => (wanted ? readAll(company) : Promise.resolve(null)),
    [company, wanted],
    wanted ? ['saved_reply'] : 0,
  );
}

/** Without accents and in small letters. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Those whose short cut begins with what was typed come first, then those that have it anywhere. */
export function findReplies(all: readonly SavedReply[], typed: string): readonly SavedReply[] {
  const word = plain(typed);
  const rank = ({ short_cut: shortCut, title, text }: SavedReply): number =>
    shortCut.startsWith(word) ? 0 : plain(title).includes(word) ? 1 : plain(text).includes(word) ? 2 : 3;
  return all
    .map((reply) => ({ reply, at: rank(reply) }))
    .filter(({ at }) => at < 3)
    .sort((one, other) => one.at - other.at)
    .map(({ reply }) => reply);
}

/** A short cut for a title: `Prazo de entrega` is `prazo-de-entrega`. */
export const shortCutOf = (title: string): string =>
  plain(title)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '');

const PLACEHOLDER = /\{\{\s*contact\.(first_name|name)\s*(?:\|([^{}]*))?\}\}/g;

/** The text for this customer. Who has no name gets what stands behind the bar. */
export function filledIn(text: string, name: string | null | undefined): string {
  const full = name?.trim() ?? '';
  const [first = ''] = full.split(/\s+/);
  return text.replace(PLACEHOLDER, (_all, which: string, otherwise: string | undefined) => {
    const known = which === 'name' ? full : first;
    return known === '' ? (otherwise ?? '').trim() : known;
  });
}

/** What was typed behind a slash that begins a word, up to the caret. */
export interface Slash {
  /** Where the slash is. */
  readonly from: number;
  readonly typed: string;
}

export function slashBefore(text: string, caret: number): Slash | null {
  const found = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret));
  const typed = found?.[1];
  return typed === undefined ? null : { from: caret - typed.length - 1, typed };
}
