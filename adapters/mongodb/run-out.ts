/**
 * Whether a queue may hold entries whose lease has run out. There are almost never any, so a claim does not query for
 * them each time. Instead, one query reads when the next lease of each queue ends, and this process knows the leases
 * that it takes itself.
 *
 * Other processes may take shorter leases meanwhile. So a result is valid for a quarter of the shortest lease that this
 * process takes in the queue, and at most for some seconds. Entries of a dead holder are found that much later.
 */
import { createCache } from '../../ports/cache.js';

export interface RunOut {
  /** @param now by the clock that leases end by */
  possible(queue: string, now: number): Promise<boolean>;
  /** Called before this process takes a lease. */
  takes(queue: string, leaseMs: number, end: number): void;
  /** Discards the known ends: leases may end earlier than known. */
  forget(): void;
}

interface Known {
  askedAt: number;
  /** When the next lease ends, as far as known. */
  nextEnd: number;
  /** The same, for the leases taken since the last query. */
  takenSince: number;
  freshMs: number;
  asking: Promise<void> | undefined;
}

const FRESH_MS = 5_000;
const MOST_QUEUES = 1_000;

/**
 * @param earliestEnds when the first lease in each of these queues ends, or ended; a queue in which nothing is held is
 * absent
 */
export function createRunOut(
  earliestEnds: (queues: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): RunOut {
  const queues = createCache<string, Known>(MOST_QUEUES);

  function knownOf(queue: string): Known {
    let known = queues.get(queue);
    if (!known) {
      known = {
        askedAt: Infinity,
        nextEnd: Infinity,
        takenSince: Infinity,
        freshMs: FRESH_MS,
        asking: undefined,
      };
      queues.set(queue, known);
    }
    return known;
  }

  const age = ({ askedAt }: Known, now: number): number =>
    // A time in the future means that the clock was set back: the result counts as old.
    askedAt <= now ? now - askedAt : Infinity;

  /** The query includes queues whose result expires soon. */
  function ask(queue: string, now: number): Promise<void> {
    const asked = [...queues].filter(
      ([name, known]) => name === queue || (!known.asking && age(known, now) >= known.freshMs / 2),
    );
    for (const [, known] of asked) known.takenSince = Infinity;
    const asking = earliestEnds(asked.map(([name]) => name))
      .then((ends) => {
        for (const [name, known] of asked) {
          known.askedAt = now;
          known.nextEnd = Math.min(ends.get(name) ?? Infinity, known.takenSince);
        }
      })
      .finally(() => {
        for (const [, known] of asked) known.asking = undefined;
      });
    for (const [, known] of asked) known.asking = asking;
    return asking;
  }

  return {
    async possible(queue, now) {
      const known = knownOf(queue);
      if (age(known, now) >= known.freshMs) await (known.asking ?? ask(queue, now));
      return known.nextEnd <= now;
    },
    takes(queue, leaseMs, end) {
      const known = knownOf(queue);
      known.freshMs = Math.min(known.freshMs, leaseMs / 4);
      known.nextEnd = Math.min(known.nextEnd, end);
      known.takenSince = Math.min(known.takenSince, end);
    },
    forget: () => queues.clear(),
  };
}
