/**
 * The second stage of the webhook inbox. One process at a time reads a lane, one slice per claim. Lanes are served
 * round-robin: each has a row in the due-time store, and rows are claimed in the order in which they were put back.
 */
import type { App } from '../../application/app.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { every } from '../kernel/every.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import type { Policy } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import { dueAtOnce, INBOUND_LANES, INBOUND_UPDATES, laneRows, type Pool } from './hand-on.js';
import { takeTurn } from './lane-slice.js';
import type { PeopleInOrder } from './people-in-order.js';
import type { InboundDeps } from './apply.js';

export interface Lanes {
  /** Number of webhooks that wait or are being read; a webhook counts once in each of its lanes. */
  waiting(): Promise<number>;
  /**
   * Resolves when everything that was in the lanes before the call has been read or scheduled for a retry, or this was
   * stopped.
   */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface LanesOptions {
  readonly people: PeopleInOrder;
  readonly onRead?: (count: number) => void;
}

/** Lanes of a pool that one process reads at once. */
const TURNS: Readonly<Record<Pool, number>> = { numbers: 16, histories: 2, accounts: 4 };
/** No pool uses the slots of another. */
const policy: Policy = {
  free: () => Infinity,
  room: (pool, load) => (TURNS[pool as Pool] ?? 0) - load.of(pool),
  order: (pools) => pools,
};
/** Updates that all lanes of one pool process at once. */
const UNDER_WAY = 160;
/** Largest slice of a lane: a new update waits for at most this many others. */
const LARGEST_SLICE = 100;
const SMALLEST_SLICE = 10;

/**
 * Time after which the lanes of a dead process become free. A slice that takes longer may run concurrently with
 * another.
 */
const LEASE_MS = 60_000;
const AWAY_MS = 2_000;
const POLL_MS = 1_000;
const SWEEP_MS = 30_000;
const LOOK_AGAIN_MS = 500;

export function startLanes(
  app: InboundDeps & Pick<App, 'barrier' | 'codec' | 'logger'>,
  { people, onRead }: LanesOptions,
): Lanes {
  const { clock, dueTimes } = app;
  const looking = createThrottledErrorLog(app, 'looking for provider webhooks to read');
  const reading = createThrottledErrorLog(app, 'reading provider webhooks');
  const waiters = new Set<() => void>();
  let stopped = false;
  /**
   * Largest slice so far. A slice applies nothing before it has opened its webhooks, which takes seconds while the rest
   * of a start takes the event loop. A process that lives for a moment only, again and again, would never apply any.
   */
  let most = SMALLEST_SLICE;

  async function turn(row: ClaimedEntry, stopping: () => boolean): Promise<End> {
    const { queue, id, fence, lane: pool } = row;
    try {
      const share = Math.floor(UNDER_WAY / scheduler.load.of(pool));
      const slice = Math.max(SMALLEST_SLICE, Math.min(most, share));
      const { settlements, left, away, handled } = await takeTurn(app, id, slice, { people, stopping });
      if (away !== undefined) reading.failed(away);
      else reading.worked();
      onRead?.(handled);
      if (away === undefined) most = Math.min(LARGEST_SLICE, 2 * most);
      const dueAt = away === undefined ? dueAtOnce(app) : clock.now() + AWAY_MS;
      const own = { queue, id, fence };
      await dueTimes.settle([
        ...settlements,
        left ? { ...own, then: 'again', dueAt } : { ...own, then: 'done' },
      ]);
      if (!left) await lookOnceMore(id, settlements.length > 0);
      return 'settled';
    } catch (error) {
      reading.failed(error);
      return { dueAt: clock.now() + AWAY_MS };
    } finally {
      for (const wake of waiters) wake();
    }
  }

  /** Something may have arrived after the last claim, while the lane still had its row. */
  async function lookOnceMore(lane: string, hadRows: boolean): Promise<void> {
    if ((await dueTimes.count(INBOUND_UPDATES, lane)) === 0) return;
    // Rows that exist but could not be claimed are still claimed by the previous reader of the lane.
    await dueTimes.schedule(laneRows([lane], hadRows ? dueAtOnce(app) : clock.now() + POLL_MS));
  }

  /** Repairs lanes without a row: a process may have died between the end of a slice and its last check. */
  async function sweep(): Promise<void> {
    const lanes = await dueTimes.lanes(INBOUND_UPDATES, clock.now());
    await dueTimes.schedule(
      laneRows(
        lanes.map(({ lane }) => lane),
        dueAtOnce(app),
      ),
    );
  }

  const scheduler = startScheduler(app, {
    queue: INBOUND_LANES,
    policy,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    prompt: true,
    work: turn,
    trouble: looking,
    onLost: reading.failed,
  });
  const sweeps = every(app, SWEEP_MS, 'looking for lanes of provider webhooks', sweep);
  const swept = sweep().catch(looking.failed);

  const news = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        cancel();
        waiters.delete(done);
        resolve();
      };
      const cancel = clock.after(LOOK_AGAIN_MS, done);
      waiters.add(done);
    });

  return {
    waiting: () => dueTimes.count(INBOUND_UPDATES),
    async caughtUp() {
      const now = clock.now();
      while (!stopped && (await dueTimes.count(INBOUND_UPDATES, undefined, now)) > 0) await news();
    },
    async stop() {
      stopped = true;
      for (const wake of waiters) wake();
      await Promise.all([scheduler.stop(), sweeps.stop(), swept]);
    },
  };
}
