/**
 * What somebody had typed when the session ended, which takes the views away. It is kept in the memory of this tab, and
 * given to the same person alone. Passwords are not kept.
 */
import { useEffect, useRef } from 'preact/hooks';

export interface Unsent {
  readonly label: string;
  readonly text: string;
}

type Field = HTMLTextAreaElement | HTMLInputElement;

const FIELDS =
  'main :is(textarea, input:is(:not([type]), [type=text], [type=tel], [type=email], [type=url]))';
const touched = new Set<Field>();
const sources = new Set<() => Unsent | null>();
let kept: { readonly whose: string; readonly texts: readonly Unsent[] } | null = null;

addEventListener('input', ({ target }) => {
  if (
    (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) &&
    target.matches(FIELDS) &&
    !touched.has(target)
  ) {
    for (const field of touched) if (!field.isConnected) touched.delete(field);
    touched.add(target);
  }
});

/** Of a view whose changes stand in no field. @param source null while there is nothing to lose */
export function useUnsent(source: () => Unsent | null): void {
  const newest = useRef(source);
  newest.current = source;
  useEffect(() => {
    const own = (): Unsent | null => newest.current();
    sources.add(own);
    return () => void sources.delete(own);
  }, []);
}

const labelOf = (field: Field): string =>
  field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent?.trim() ?? field.name;

/** Called while the views still stand. */
export function keepUnsent(whose: string): void {
  const fields = [...touched]
    .filter((field) => field.isConnected && field.value.trim() !== '')
    .map((field) => ({ label: labelOf(field), text: field.value }));
  touched.clear();
  const texts = [...fields, ...[...sources].map((source) => source()).filter((one) => one !== null)];
  // Several calls may find that the session is over: the first of them has taken what was typed.
  if (texts.length === 0 && kept?.whose === whose) return;
  kept = texts.length === 0 ? null : { whose, texts };
}

export const isUnsentKept = (): boolean => kept !== null;

/** What was kept of this person, and nothing of others; it is forgotten at once. */
export function takeUnsent(whose: string): readonly Unsent[] {
  const found = kept?.whose === whose ? kept.texts : [];
  kept = null;
  return found;
}
