/** Texts of saved replies: `Oi {{contact.first_name|tudo bem}}`, written as those of flows, with names only. */
export const NAMES = ['contact.name', 'contact.first_name'] as const;

/** Everything between two pairs of braces, or behind a pair that is never closed. */
const PLACEHOLDER = /\{\{(?:([^{}]*)\}\})?/g;

/** What is wrong with the text, for its author; null: nothing. */
export function faultOfText(text: string): string | null {
  for (const [all, inside] of text.matchAll(PLACEHOLDER)) {
    if (inside === undefined) return '"{{" must be closed with "}}".';
    const [path = ''] = inside.split('|', 1);
    if (!NAMES.some((name) => name === path.trim())) {
      return `"${all.slice(0, 80)}" is not known; there are {{contact.name}} and {{contact.first_name}}.`;
    }
  }
  return null;
}
