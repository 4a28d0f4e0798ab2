/**
 * Current holders of due-time entries. A release takes effect only when its transaction commits: until then the entry
 * must appear held, and after a rollback it is still held.
 */
import { PassingMap } from '../../ports/passing.js';

export interface Hold {
  readonly lane: string;
  /** Row of the entry. */
  readonly seq: number;
  readonly claims: number;
  readonly fence: number;
  /**
   * End of the lease, on a scale that clock steps do not move. After it the holder may still settle, as long as nobody
   * else has claimed.
   */
  readonly until: number;
}

export interface Holds {
  /** Undefined also for a hold that the current transaction is releasing. */
  get(queue: string, id: string): Hold | undefined;
  isHeld(queue: string, id: string, now: number): boolean;
  /** When the entry's hold ends or has ended; undefined without a hold. */
  until(queue: string, id: string): number | undefined;
  /** Number of held entries in a lane, including holds that have run out. */
  count(queue: string, lane: string): number;
  take(queue: string, id: string, hold: Hold): void;
  /** In a transaction that stores the entry: the hold ends if it is rolled back. */
  adopt(queue: string, id: string, hold: Hold): void;
  /** In a transaction. */
  release(queue: string, id: string): void;
  committed(): void;
  rolledBack(): void;
}

export function createHolds(): Holds {
  const holds = new PassingMap<string, Hold>();
  const perLane = new PassingMap<string, number>();
  let releasing = new Set<string>();
  let adopted: string[] = [];
  const key = (queue: string, id: string): string => `${queue}\n${id}`;

  function add(queueLane: string, difference: 1 | -1): void {
    const count = (perLane.get(queueLane) ?? 0) + difference;
    if (count === 0) perLane.delete(queueLane);
    else perLane.set(queueLane, count);
  }

  function drop(entry: string): void {
    const hold = holds.get(entry);
    if (!hold) return;
    holds.delete(entry);
    add(key(entry.slice(0, entry.indexOf('\n')), hold.lane), -1);
  }

  function take(queue: string, id: string, hold: Hold): void {
    drop(key(queue, id));
    holds.set(key(queue, id), hold);
    add(key(queue, hold.lane), 1);
  }

  return {
    get: (queue, id) => (releasing.has(key(queue, id)) ? undefined : holds.get(key(queue, id))),
    isHeld(queue, id, now) {
      const hold = holds.get(key(queue, id));
      return hold !== undefined && hold.until > now;
    },
    until: (queue, id) => holds.get(key(queue, id))?.until,
    count: (queue, lane) => perLane.get(key(queue, lane)) ?? 0,
    take,
    adopt(queue, id, hold) {
      take(queue, id, hold);
      adopted.push(key(queue, id));
    },
    release(queue, id) {
      if (holds.has(key(queue, id))) releasing.add(key(queue, id));
    },
    committed() {
      adopted = [];
      if (releasing.size === 0) return;
      for (const entry of releasing) drop(entry);
      releasing = new Set();
    },
    rolledBack() {
      for (const entry of adopted) drop(entry);
      adopted = [];
      if (releasing.size > 0) releasing = new Set();
    },
  };
}
