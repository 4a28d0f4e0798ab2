/** Where the user is: the address is the state, so that back, links and new tabs work. */
import { useEffect, useState } from 'preact/hooks';

export const SECTIONS = [
  'overview',
  'inbox',
  'contacts',
  'messages',
  'orders',
  'products',
  'shop',
  'channels',
  'templates',
  'flows',
  'webhooks',
  'keys',
  'history',
  'projections',
  'people',
  'audit',
  'settings',
  'account',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Place {
  /** Null until one is chosen. */
  readonly company: string | null;
  readonly section: Section;
  /** Such as a conversation; null for the list. */
  readonly id: string | null;
  readonly query: URLSearchParams;
}

const MOVED = 'recado:moved';

function placeNow(): Place {
  const [, , company, section, id] = location.pathname.split('/');
  return {
    company: company === undefined || company === '' ? null : company,
    section: SECTIONS.find((one) => one === section) ?? 'overview',
    id: id === undefined || id === '' ? null : id,
    query: new URLSearchParams(location.search),
  };
}

export function addressOf(
  company: string,
  section: Section,
  id?: string | null,
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(query).toString();
  const path = ['/console', company, section, ...(id ? [id] : [])].join('/');
  return search === '' ? path : `${path}?${search}`;
}

type How = 'push' | 'replace';

export function go(address: string, how: How = 'push'): void {
  if (guard?.(address, () => move(address, how)) === true) return;
  move(address, how);
}

let shown = location.pathname + location.search;

function move(address: string, how: How): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  shown = address;
  dispatchEvent(new Event(MOVED));
}

/** Whether it sees to the move itself, which `leave` then does. */
type Guard = (address: string, leave: () => void) => boolean;
let guard: Guard | null = null;

/** Asked before each move. @returns what ends that */
export function guardMoves(asked: Guard): () => void {
  guard = asked;
  return () => {
    if (guard === asked) guard = null;
  };
}

// Before all others: the browser has moved already, so the address is put back until the guard has decided.
addEventListener('popstate', (event) => {
  const address = location.pathname + location.search;
  if (guard?.(address, () => move(address, 'push')) !== true) {
    shown = address;
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(null, '', shown);
});

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const moved = (): void => setPlace(placeNow());
    addEventListener('popstate', moved);
    addEventListener(MOVED, moved);
    return () => {
      removeEventListener('popstate', moved);
      removeEventListener(MOVED, moved);
    };
  }, []);
  return place;
}

/** A click that the page handles itself; with a modifier key the browser opens a tab. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.getAttribute('href')!);
}
