/**
 * A simulation of several processes, one lease table and the network between them, in virtual time. A test sets the
 * latency of requests and answers. Processes can pause and continue, and their clocks run at slightly different rates.
 */
import type { LeaseRow } from '../../../adapters/mongodb/leases-rows.js';
import type { LeaseTable } from '../../../adapters/mongodb/leases-table.js';
import { createLeases } from '../../../adapters/mongodb/leases.js';
import type { Lease } from '../../../ports/leases.js';
import { StoreUnavailable } from '../../../ports/event-store.js';

const ANSWER_MS = 5_000;

export interface Process {
  acquire(name: string): Promise<Lease | null>;
  /** Every lease that the process was ever given. */
  readonly leases: readonly Lease[];
  paused(): boolean;
}

export interface World {
  readonly now: () => number;
  /** `rate` is the speed of the process's clock relative to the simulation's. */
  process(name: string, rate?: number): Process;
  at(time: number, task: () => void): void;
  /** Stops the process for `ms` from now, as SIGSTOP does: no timers fire and no answers arrive. */
  pause(process: Process, ms: number): void;
  /**
   * Runs the simulation for `ms`. Calls `look` after every single event, and before any other event when a process
   * wakes.
   */
  run(ms: number, look?: () => void): Promise<void>;
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly task: () => void;
  readonly of: { pausedUntil: number } | null;
}

/** `delay` is called twice for each request: for the way there and for the way back. In milliseconds. */
export function leasesWorld(delay: () => number): World {
  let now = 0;
  let order = 0;
  let happenings: Happening[] = [];
  const rows = new Map<string, LeaseRow>();
  const states = new Map<Process, { pausedUntil: number }>();

  function add(at: number, task: () => void, of: Happening['of'] = null): () => void {
    const happening: Happening = { at, order: (order += 1), task, of };
    happenings.push(happening);
    return () => {
      happenings = happenings.filter((other) => other !== happening);
    };
  }

  function tableOf(state: { pausedUntil: number }): LeaseTable {
    /** The table applies a request on arrival; the caller may have timed out by then. */
    const ask = <T>(apply: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const [there, back] = [delay(), delay()];
        let result: T;
        add(now + there, () => {
          result = apply();
        });
        add(
          now + Math.min(there + back, ANSWER_MS),
          () => {
            if (there + back < ANSWER_MS) resolve(result);
            else reject(new StoreUnavailable('too late'));
          },
          state,
        );
      });
    const isSame = (row: LeaseRow, other: LeaseRow | undefined): boolean =>
      other?.fence === row.fence && other.holder === row.holder;
    return {
      read: (name) => ask(() => rows.get(name) ?? null),
      take: (name, found, holder, termMs) =>
        ask(() => {
          const row = rows.get(name);
          if (found === null ? row : !row || !isSame(found, row) || row.beat !== found.beat) return null;
          const taken: LeaseRow = {
            name,
            holder,
            termMs,
            fence: (found?.fence ?? 0) + 1,
            beat: (found?.beat ?? 0) + 1,
            left: found?.left ?? null,
          };
          rows.set(name, taken);
          return taken;
        }),
      renew: (row, beat, left) =>
        ask(() => {
          const stored = rows.get(row.name);
          if (!stored || !isSame(row, stored) || stored.beat >= beat) return false;
          rows.set(row.name, { ...stored, beat, left });
          return true;
        }),
      free: (row, left) =>
        ask(() => {
          const stored = rows.get(row.name);
          if (stored && isSame(row, stored)) rows.set(row.name, { ...stored, holder: null, left });
        }),
      holders: () => ask(() => []),
    };
  }

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  return {
    now: () => now,
    process(name, rate = 1) {
      const state = { pausedUntil: 0 };
      const given: Lease[] = [];
      const store = createLeases(tableOf(state), {
        holder: name,
        clock: {
          monotonic: () => now * rate,
          after: (ms, task) => add(now + Math.max(0, ms) / rate, task, state),
        },
      });
      const process: Process = {
        leases: given,
        paused: () => state.pausedUntil > now,
        async acquire(of) {
          const lease = await store.acquire(of);
          if (lease) given.push(lease);
          return lease;
        },
      };
      states.set(process, state);
      return process;
    },
    at: (time, task) => void add(time, task),
    pause(process, ms) {
      const state = states.get(process)!;
      state.pausedUntil = Math.max(state.pausedUntil, now + ms);
      // An empty event makes `run` call `look` on waking, before any delayed timer or answer.
      add(state.pausedUntil, () => undefined);
    },
    async run(ms, look = () => undefined) {
      const end = now + ms;
      for (;;) {
        await settled();
        look();
        const next = happenings
          .map((happening) => ({
            happening,
            at: Math.max(happening.at, happening.of?.pausedUntil ?? 0, now),
          }))
          .sort(
            (a, b) =>
              a.at - b.at ||
              Number(a.happening.of !== null) - Number(b.happening.of !== null) ||
              a.happening.order - b.happening.order,
          )[0];
        if (!next || next.at > end) break;
        happenings = happenings.filter((other) => other !== next.happening);
        now = next.at;
        next.happening.task();
      }
      now = end;
      await settled();
      look();
    },
  };
}
