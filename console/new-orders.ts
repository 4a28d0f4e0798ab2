/** Orders that arrived while the console was open: a mark on each, the sum in the title, and a sound where it is on. */
import { useEffect } from 'preact/hooks';
import { ApiError, list } from './api.js';
import { chime } from './chime.js';
import type { Order } from './shapes.js';

const LOOK_EVERY_MS = 10_000;
const NEWEST = 20;
/** Looks that are left out where there is no store: five minutes. */
const RESTS = 30;

/** Their uuids, until they are opened. */
export const freshOrders = new Set<string>();

let section = '';

/** Names the page; a number of new orders stands before the name. */
export function nameTitle(title = section): void {
  section = title;
  document.title = freshOrders.size === 0 ? title : `(${freshOrders.size}) ${title}`;
}

/** An order that somebody opened here was seen. */
export function sawOrder(uuid: string): void {
  if (freshOrders.delete(uuid)) nameTitle();
}

/** Watches the company's newest orders, whatever section is open, also while another tab is in front. */
export function useNewOrders(company: string): void {
  useEffect(() => {
    /** The highest number that was there; null until the first answer. */
    let newest: number | null = null;
    const look = async (): Promise<void> => {
      const { data } = await list<Order>(`/companies/${company}/store/orders`, { limit: NEWEST });
      const before = newest;
      newest = Math.max(before ?? 0, ...data.map(({ number }) => number));
      if (before === null) return;
      const arrived = data.filter(({ number }) => number > before);
      for (const { uuid } of arrived) freshOrders.add(uuid);
      nameTitle();
      if (arrived.length > 0) chime();
    };
    let rest = 0;
    const again = (): void => {
      if (rest > 0) {
        rest -= 1;
        return;
      }
      look().catch((error: unknown) => {
        // A company without a store has no orders to wait for, until somebody opens one.
        if (error instanceof ApiError && error.status === 404) rest = RESTS;
      });
    };
    const timer = setInterval(again, LOOK_EVERY_MS);
    again();
    return () => {
      clearInterval(timer);
      freshOrders.clear();
    };
  }, [company]);
}
