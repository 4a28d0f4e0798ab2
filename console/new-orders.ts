/** Orders that arrived while the console was open: a mark on each, the sum in the title, and a sound where it is on. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { list } from './api.js';
import { chime } from './chime.js';
import { useLive, type Watched } from './live.js';
import type { Order } from './shapes.js';

const NEWEST = 20;

/** Their uuids, until they are opened. */
const freshOrders = new Set<string>();
const listeners = new Set<() => void>();

let section = '';

/** Names the page; a number of new orders stands before the name. */
export function nameTitle(title = section): void {
  section = title;
  document.title = freshOrders.size === 0 ? title : `(${freshOrders.size}) ${title}`;
}

function tell(): void {
  nameTitle();
  for (const listener of listeners) listener();
}

/** Whether the order has the mark. It may get it after the board has shown the order. */
export function useIsFresh(uuid: string): boolean {
  const [fresh, setFresh] = useState(freshOrders.has(uuid));
  useEffect(() => {
    const look = (): void => setFresh(freshOrders.has(uuid));
    look();
    listeners.add(look);
    return () => void listeners.delete(look);
  }, [uuid]);
  return fresh;
}

/** An order that somebody opened here was seen. */
export function sawOrder(uuid: string): void {
  if (freshOrders.delete(uuid)) tell();
}

/** Watches the company's newest orders, whatever section is open, also while another tab is in front. */
export function useNewOrders(company: string): void {
  /** The highest number that was there; null until the first answer. */
  const newest = useRef<number | null>(null);
  const look = async (): Promise<void> => {
    const { data } = await list<Order>(`/companies/${company}/store/orders`, { limit: NEWEST });
    const before = newest.current;
    newest.current = Math.max(before ?? 0, ...data.map(({ number }) => number));
    if (before === null) return;
    const arrived = data.filter(({ number }) => number > before);
    for (const { uuid } of arrived) freshOrders.add(uuid);
    tell();
    if (arrived.length > 0) chime();
  };
  // A company without a store has no orders to wait for, until somebody opens one.
  const again = (): void => void look().catch(() => undefined);
  useLive(WATCHED, again);
  useEffect(() => {
    again();
    return () => {
      newest.current = null;
      freshOrders.clear();
    };
  }, [company]);
}

const WATCHED: Watched = { kinds: ['order', 'store'], evenHidden: true };
