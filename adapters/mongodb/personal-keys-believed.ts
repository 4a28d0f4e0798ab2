/** Keys that this process has read, and trusts for a few seconds from when it began to read. */
import type { Clock } from '../../ports/clock.js';
import type { PersonalKey } from '../../ports/personal-keys.js';

export interface ReadKey extends PersonalKey {
  readonly askedAt: number;
}

export interface BelievedKeys {
  /** The key while it may be trusted. */
  believable(key: ReadKey): ReadKey | undefined;
  /** The trusted key of this person, if there is one. */
  of(subject: string): ReadKey | undefined;
  keep(subject: string, key: ReadKey): void;
  forget(subject: string): void;
}

/**
 * @param freshMs how long a key may be trusted
 * @param most people whose key is held in memory
 */
export function createBelievedKeys(
  clock: Pick<Clock, 'monotonic'>,
  freshMs: number,
  most: number,
): BelievedKeys {
  /** In the order of the requests: entries that are no longer trusted come first, and are removed when one is added. */
  const cache = new Map<string, ReadKey>();

  const believable = (key: ReadKey | undefined): ReadKey | undefined =>
    key !== undefined && clock.monotonic() < key.askedAt + freshMs ? key : undefined;

  return {
    believable,
    of: (subject) => believable(cache.get(subject)),
    keep(subject, key) {
      cache.delete(subject);
      cache.set(subject, key);
      for (const [oldest, known] of cache) {
        if (believable(known) !== undefined && cache.size <= most) return;
        cache.delete(oldest);
      }
    },
    forget(subject) {
      cache.delete(subject);
    },
  };
}
