import type { Behaviour } from './magic.js';
import { ORDINARY } from './magic.js';
import { userById, userByPhone } from './numbers.js';

/** One kind of trouble for sends; a test's or an operator's way to have it with any recipient. */
export interface Fault {
  /** Phone or user id; without it whoever is written to. */
  readonly to?: string;
  readonly phoneNumberId?: string;
  /** How many sends it hits; null hits until `clearFaults`. */
  readonly times: number | null;
  /** What differs from an ordinary recipient. */
  readonly behaviour: Partial<Behaviour>;
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** Behaviour of a send that some fault hits, which uses it up once; null when none does. */
  take(phoneNumberId: string, userKey: string): Behaviour | null;
  /** Faults that can still hit. */
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
