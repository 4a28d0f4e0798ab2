/**
 * Runs something in one process at a time, under a lease. Another process takes over within seconds when the holder is
 * gone.
 */
import type { Clock } from '../../ports/clock.js';
import type { Lease, Leases } from '../../ports/leases.js';
import type { Logger } from '../../ports/logger.js';
import { createBell } from '../../ports/waiting.js';
import { createThrottledErrorLog } from './throttled-error-log.js';

export interface ExclusiveRun {
  /** Resolves when all of its work has stopped. */
  stop(): Promise<void>;
  /** Resolves or rejects when the work ends by itself; the lease is then released and requested again. */
  readonly ended?: Promise<void>;
}

export interface Exclusive {
  /** True while this process holds the lease and runs. */
  running(): boolean;
  stop(): Promise<void>;
}

const ASK_EVERY_MS = 1_000;

export function whileHolding(
  deps: { readonly leases: Leases; readonly clock: Clock; readonly logger: Logger },
  name: string,
  run: (lease: Lease) => Promise<ExclusiveRun> | ExclusiveRun,
): Exclusive {
  const { leases, clock, logger } = deps;
  let stopping = false;
  let current = false;
  const bell = createBell(clock);
  let askToStop: () => void = () => undefined;
  const askedToStop = new Promise<void>((resolve) => (askToStop = resolve));

  async function hold(lease: Lease): Promise<void> {
    let active: ExclusiveRun | undefined;
    try {
      active = await run(lease);
      current = true;
      await Promise.race([lease.ended, active.ended ?? new Promise<void>(() => undefined), askedToStop]);
    } catch (error) {
      logger.error({ err: error, lease: name }, 'exclusive work failed; it is resumed');
    }
    current = false;
    await active
      ?.stop()
      .catch((error: unknown) =>
        logger.error({ err: error, lease: name }, 'exclusive work did not stop in order'),
      );
    await lease.release().catch(() => undefined);
  }

  async function loop(): Promise<void> {
    const asking = createThrottledErrorLog(deps, 'asking for a lease', { lease: name });
    while (!stopping) {
      let lease: Lease | null = null;
      try {
        lease = await leases.acquire(name);
        asking.worked();
      } catch (error) {
        asking.failed(error);
      }
      if (lease !== null) {
        if (stopping) await lease.release().catch(() => undefined);
        else await hold(lease);
      }
      if (!stopping) await bell.wait(ASK_EVERY_MS * (0.75 + Math.random() / 2));
    }
  }
  const done = loop();

  return {
    running: () => current,
    stop() {
      stopping = true;
      askToStop();
      bell.ring();
      return done;
    },
  };
}
