/**
 * The second stage of the intake. A lane is read by one process at a time, a slice in each turn, and lanes take turns: by
 * rows of their own in the due-time store, which are claimed in the order in which they were put back.
 */
import type { App } from '../../application/app.js';
import { asItWas, type ClaimedEntry } from '../../ports/due-times.js';
import { every } from '../kernel/every.js';
import { pumpInRounds, type Rounds } from '../kernel/rounds.js';
import { createTrouble } from '../kernel/trouble.js';
import { dueAtOnce, INBOUND_LANES, INBOUND_UPDATES, laneRows, type Pool } from './hand-on.js';
import { takeTurn } from './lane-turn.js';
import type { PeopleInOrder } from './people-in-order.js';

export interface Lanes {
  /** Webhooks, by lane, that wait or are being read. */
  waiting(): Promise<number>;
  /** Resolves when what was in the lanes before the call was read, or will be read again, or this was stopped. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface LanesOptions {
  readonly people: PeopleInOrder;
  readonly onRead?: (count: number) => void;
}

/** Lanes of a pool that one process reads at once. */
const TURNS: Readonly<Record<Pool, number>> = { numbers: 16, histories: 2, accounts: 4 };
/** Updates that the lanes of one pool have under way together. */
const UNDER_WAY = 160;
/** Of one lane: an update that comes now waits for no more than these. */
const LARGEST_SLICE = 100;
const SMALLEST_SLICE = 10;

/** A process that died keeps its lanes for so long. One that reads a slice for longer gets company. */
const LEASE_MS = 60_000;
const AWAY_MS = 2_000;
const POLL_MS = 1_000;
const SWEEP_MS = 30_000;
const LOOK_AGAIN_MS = 500;

interface PoolState extends Rounds {
  readonly name: Pool;
  running: number;
}

export function startLanes(app: App, { people, onRead }: LanesOptions): Lanes {
  const { clock, dueTimes } = app;
  const pools = (Object.keys(TURNS) as Pool[]).map((name): PoolState => ({
    name,
    running: 0,
    pumping: false,
    again: false,
  }));
  const looking = createTrouble(app, 'looking for provider webhooks to read');
  const reading = createTrouble(app, 'reading provider webhooks');
  const under = new Set<Promise<void>>();
  const waiters = new Set<() => void>();
  let stopped = false;
  const stopping = (): boolean => stopped;

  async function fill(pool: PoolState): Promise<void> {
    while (!stopped && pool.running < TURNS[pool.name]) {
      const found = await dueTimes.claim({
        queue: INBOUND_LANES,
        lane: pool.name,
        now: clock.now(),
        limit: TURNS[pool.name] - pool.running,
        leaseMs: LEASE_MS,
      });
      looking.worked();
      if (found.length === 0) return;
      if (stopped) return void (await dueTimes.settle(found.map(asItWas)));
      for (const lane of found) start(pool, lane);
    }
  }

  function start(pool: PoolState, lane: ClaimedEntry): void {
    pool.running += 1;
    const work = turn(pool, lane)
      // The lane comes back when its claim runs out.
      .catch(reading.failed)
      .finally(() => {
        pool.running -= 1;
        for (const wake of waiters) wake();
        pump(pool);
      });
    track(work);
  }

  async function turn(pool: PoolState, claimed: ClaimedEntry): Promise<void> {
    const { queue, id, fence } = claimed;
    const putBack = (dueAt: number) => ({ queue, id, fence, then: 'again', dueAt }) as const;
    try {
      const { settlements, left, away, handled } = await takeTurn(app, id, sliceOf(pool), {
        people,
        stopping,
      });
      if (away !== undefined) reading.failed(away);
      else reading.worked();
      onRead?.(handled);
      const dueAt = away === undefined ? dueAtOnce(app) : clock.now() + AWAY_MS;
      await dueTimes.settle([...settlements, left ? putBack(dueAt) : { queue, id, fence, then: 'done' }]);
      if (!left) await lookOnceMore(id, settlements.length > 0);
    } catch (error) {
      reading.failed(error);
      await dueTimes.settle([putBack(clock.now() + AWAY_MS)]);
    }
  }

  /** Something may have come after the last look, when the lane still had its row. */
  async function lookOnceMore(lane: string, hadRows: boolean): Promise<void> {
    if ((await dueTimes.count(INBOUND_UPDATES, lane)) === 0) return;
    // What is there and could not be claimed is held still by who read the lane before.
    await dueTimes.schedule(laneRows([lane], hadRows ? dueAtOnce(app) : clock.now() + POLL_MS));
  }

  const sliceOf = ({ running }: PoolState): number =>
    Math.max(SMALLEST_SLICE, Math.min(LARGEST_SLICE, Math.floor(UNDER_WAY / running)));

  function pump(pool: PoolState): void {
    if (!stopped) track(pumpInRounds(pool, () => fill(pool)).catch(looking.failed));
  }

  function track(work: Promise<void>): void {
    under.add(work);
    void work.finally(() => under.delete(work));
  }

  /** A process that died between the end of a turn and its last look leaves a lane without a row. */
  async function sweep(): Promise<void> {
    const lanes = await dueTimes.lanes(INBOUND_UPDATES, clock.now());
    await dueTimes.schedule(
      laneRows(
        lanes.map(({ lane }) => lane),
        dueAtOnce(app),
      ),
    );
  }

  let cancelPoll: () => void = () => undefined;
  function poll(): void {
    cancelPoll = clock.after(POLL_MS, () => {
      pools.forEach(pump);
      poll();
    });
  }

  const unlisten = dueTimes.onScheduled((queue, lane) => {
    const pool = pools.find(({ name }) => queue === INBOUND_LANES && name === lane);
    if (pool) pump(pool);
  });
  poll();
  pools.forEach(pump);
  const sweeps = every(app, SWEEP_MS, 'looking for lanes of provider webhooks', sweep);
  track(sweep().catch(looking.failed));

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
      cancelPoll();
      unlisten();
      for (const wake of waiters) wake();
      await sweeps.stop();
      while (under.size > 0) await Promise.all(under);
    },
  };
}
