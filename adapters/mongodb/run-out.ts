/**
 * Whether a queue may hold entries whose lease has run out. Nearly always it holds none, so whoever claims does not look
 * for them each time: one question says of all queues when their next lease ends, and this process knows of the leases
 * that it takes itself.
 *
 * Others may take shorter ones meanwhile, so an answer counts for a quarter of the shortest lease that this process takes
 * in the queue, and for some seconds at most. What a dead holder leaves is found that much later.
 */
import { createCache } from '../../ports/cache.js';

export interface RunOut {
  /** @param now by the clock that leases end by */
  possible(queue: string, now: number): Promise<boolean>;
  /** This process is about to take a lease. */
  takes(queue: string, leaseMs: number, end: number): void;
  /** Leases may end earlier than they did. */
  forget(): void;
}

interface Known {
  askedAt: number;
  /** When the next lease ends, as far as it is known. */
  nextEnd: number;
  /** The same, of the leases that were taken since the question. */
  takenSince: number;
  freshMs: number;
  asking: Promise<void> | undefined;
}

const FRESH_MS = 5_000;
const MOST_QUEUES = 1_000;

/** @param earliestEnds when the first lease in each of these queues ends, or ended; nothing of those where none is held */
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
    // A clock that was set back makes it old, too.
    askedAt <= now ? now - askedAt : Infinity;

  /** Takes along the queues that will be asked for soon. */
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
