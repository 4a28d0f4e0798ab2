import type { Behaviour } from './magic.js';
import { ORDINARY } from './magic.js';
import { userById, userByPhone } from './numbers.js';

/** One kind of failure for sends, by which tests and operators get it with any recipient. */
export interface Fault {
  /** Phone or user id of the recipient; left out: any recipient. */
  readonly to?: string;
  readonly phoneNumberId?: string;
  /** How many sends it affects; null: all until `clearFaults`. */
  readonly times: number | null;
  /** The differences from an ordinary recipient's behaviour. */
  readonly behaviour: Partial<Behaviour>;
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** The behaviour of the first fault that matches a send, of which one use is counted; null when none matches. */
  take(phoneNumberId: string, userKey: string): Behaviour | null;
  /** Number of faults that still have uses left. */
  count(): number;
}

export function createFaults(): Faults {
  let faults: (Fault & { key: string | null; left: number })[] = [];
  return {
    add(fault) {
      const key = fault.to === undefined ? null : (userByPhone(fault.to) ?? userById(fault.to))?.key;
      if (key === undefined) throw new Error('`to` is neither a phone nor a user id');
      faults.push({ ...fault, key, left: fault.times ?? Infinity });
    },
    clear() {
      faults = [];
    },
    take(phoneNumberId, userKey) {
      const found = faults.find(
        (fault) =>
          (fault.key ?? userKey) === userKey && (fault.phoneNumberId ?? phoneNumberId) === phoneNumberId,
      );
      if (found === undefined) return null;
      found.left -= 1;
      if (found.left <= 0) faults = faults.filter((fault) => fault !== found);
      return { ...ORDINARY, ...found.behaviour };
    },
    count: () => faults.length,
  };
}
