/**
 * Keyboard short cuts: `g` then a letter goes to a section, `/` and Ctrl-K search, `?` lists them. Single letters can be
 * switched off, because speech input and screen readers press them too.
 */
import { useEffect } from 'preact/hooks';
import { SECTIONS, type Section } from './place.js';

const LETTERS: Readonly<Record<string, string>> = {
  overview: 'v',
  inbox: 'i',
  contacts: 'c',
  messages: 'm',
  orders: 'o',
  products: 'p',
  shop: 's',
  channels: 'n',
  templates: 't',
  flows: 'f',
  webhooks: 'w',
  keys: 'k',
  history: 'h',
  projections: 'r',
  people: 'u',
  audit: 'a',
  settings: 'e',
  account: 'y',
};

export const SHORT_CUTS: readonly { readonly letter: string; readonly section: Section }[] = SECTIONS.flatMap(
  (section) => {
    const letter = LETTERS[section];
    return letter === undefined ? [] : [{ letter, section }];
  },
);

const OFF = 'recado.keys';
export const lettersAreOn = (): boolean => localStorage.getItem(OFF) !== 'off';
export const switchLetters = (on: boolean): void => localStorage.setItem(OFF, on ? 'on' : 'off');

/** How long the letter after `g` may take. */
const PAUSE_MS = 1_500;

export interface KeyTargets {
  readonly goTo: (section: Section) => void;
  readonly search: () => void;
  readonly help: () => void;
}

/** Where letters are text. */
const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

export function useKeys({ goTo, search, help }: KeyTargets): void {
  useEffect(() => {
    let afterG = 0;
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const dialog = document.querySelector('dialog[open]') !== null;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!dialog) search();
        return;
      }
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!plain || dialog || writes(event.target) || !lettersAreOn()) return;
      const aimed = event.timeStamp - afterG < PAUSE_MS && afterG > 0;
      afterG = 0;
      if (event.key === '/') search();
      else if (event.key === '?') help();
      else if (event.key === 'g' && !aimed) afterG = event.timeStamp;
      else {
        const cut = aimed && SHORT_CUTS.find(({ letter }) => letter === event.key);
        if (!cut) return;
        goTo(cut.section);
      }
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [goTo, search, help]);
}
