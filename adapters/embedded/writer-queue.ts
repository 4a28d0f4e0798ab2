/** Operations that wait for a transaction, in order. */

export interface Pending {
  readonly operation: () => unknown;
  readonly weight: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  refused: boolean;
  outcome: unknown;
}

export interface Queue {
  waiting: Pending[];
  /** Of all that wait. */
  weight: number;
}

export function add(queue: Queue, pending: Pending): void {
  queue.weight += pending.weight;
  queue.waiting.push(pending);
}

/**
 * Takes operations of so much weight, and at least one of any weight, so that a queue always makes progress. The array is
 * the caller's own.
 */
export function take(queue: Queue, room: number): Pending[] {
  const { waiting } = queue;
  let weight = 0;
  let count = 0;
  while (count < waiting.length && (count === 0 || weight + waiting[count]!.weight <= room)) {
    weight += waiting[count]!.weight;
    count += 1;
  }
  queue.weight -= weight;
  if (count < waiting.length) return waiting.splice(0, count);
  queue.waiting = [];
  return waiting;
}
