/**
 * The clock of one of several processes. Deadlines and due times are times of day that one process writes and another
 * compares, so they must not depend on whose clock was just set: this one goes by the monotonic clock and follows the
 * time of a server that all processes share.
 */
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { systemClock } from './system.js';

export interface SharedClock extends Clock {
  /** From now on follows the server; resolves after the first look. */
  follow(serverTime: () => Promise<number | null>): Promise<void>;
  stop(): void;
}

const EVERY_MS = 15_000;
/** Closer than this the servers of one deployment are not expected to agree. */
const TOLERANCE_MS = 500;
/** An answer that took longer says too little about now. */
const SLOW_MS = 2_000;
/** Worth telling an operator. */
const FAR_MS = 5_000;

export function createSharedClock(
  logger: Logger,
  /** Of this machine. */
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
