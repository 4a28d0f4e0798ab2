/**
 * The clock of one process among several. One process writes deadlines and due times, another compares them, so they
 * must not depend on whose clock was just set. This clock advances with the monotonic clock and follows the time of a
 * server that all processes share.
 */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { systemClock } from './system.js';

export interface SharedClock extends Clock {
  /** Starts to follow the server; resolves after the first comparison. */
  follow(serverTime: () => Promise<number | null>): Promise<void>;
  stop(): void;
}

const EVERY_MS = 15_000;
/** The servers of one deployment are not expected to agree more closely than this. */
const TOLERANCE_MS = 500;
/** An answer that took longer is too imprecise to be used. */
const SLOW_MS = 2_000;
/** A difference larger than this is logged for the operator. */
const FAR_MS = 5_000;

export function createSharedClock(
  logger: Logger,
  /** The clock of this machine. */
  own: Clock = systemClock,
): SharedClock {
  let offset = own.now() - own.monotonic();
  let stopped = false;
  let cancel: (() => void) | undefined;
  const now = (): number => Math.round(offset + own.monotonic());

  async function look(serverTime: () => Promise<number | null>): Promise<void> {
    const asked = own.monotonic();
    const server = await serverTime().catch(() => null);
    const took = own.monotonic() - asked;
    if (server === null || took > SLOW_MS) return;
    const ahead = now() - (server + took / 2);
    if (Math.abs(ahead) <= TOLERANCE_MS) return;
    if (Math.abs(ahead) > FAR_MS) {
      logger.warn(
        { ahead_ms: Math.round(ahead) },
        'this machine and the database disagree about the time; the database is followed',
      );
    }
    offset -= ahead;
  }

  return {
    now,
    monotonic: () => own.monotonic(),
    after: (ms, task) => own.after(ms, task),
    async follow(serverTime) {
      const next = (): void => {
        if (stopped) return;
        cancel = own.after(EVERY_MS, () => void look(serverTime).then(next));
      };
      await look(serverTime);
      next();
    },
    stop() {
      stopped = true;
      cancel?.();
    },
  };
}
