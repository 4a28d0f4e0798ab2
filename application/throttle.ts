/** Limits how often somebody may do something: the generic cell rate algorithm, in bounded memory. */
import { isIPv6 } from 'node:net';
import { advance, conformsAt, type Pace } from '../domain/policies/gcra.js';
import { createCache } from '../ports/cache.js';

const MAX_KEYS = 10_000;

export interface Throttle {
  /** Returns the seconds to wait; 0 when it may be done, and is then counted. */
  take(key: string, now: number): number;
  /** The key starts anew. */
  forgive(key: string): void;
}

export function createThrottle(pace: Pace): Throttle {
  /** The least recently used key is evicted first. */
  const arrivals = createCache<string, number>(MAX_KEYS);
  return {
    take(key, now) {
      const arrival = arrivals.get(key) ?? 0;
      const wait = conformsAt(Math.max(arrival, now), pace) - now;
      if (wait > 0) return Math.ceil(wait / 1000);
      arrivals.set(key, advance(arrival, now, pace));
      return 0;
    },
    forgive: (key) => void arrivals.delete(key),
  };
}

/** A household or a phone gets a whole /64 of IPv6 addresses (RFC 6177). */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.replace(/%.*/s, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
