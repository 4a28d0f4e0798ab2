/**
 * The Leases port without a common clock. The holder of a lease raises its beat. A process that wants the lease watches
 * the beat. It takes over, by compare-and-set on fence and beat, once the beat has not changed for the whole term by
 * its own monotonic clock. The holder considers the lease valid for two thirds of the term, from the start of its last
 * successful renewal. A renewal starts before its beat is visible, so the holder's validity ends first, for any wall
 * clocks and any delay of answers.
 *
 * Suspending a whole machine may stop its monotonic clock as well. So work under a lease must also be protected by
 * fences or revisions, as docs/real-stack.md says.
 */
import type { Clock } from '../../ports/clock.js';
import type { Lease, Leases } from '../../ports/leases.js';
import type { LeaseRow } from './leases-rows.js';
import type { LeaseTable } from './leases-table.js';

export interface LeasesOptions {
  /** Name of this process, shown to operators. */
  readonly holder: string;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** How long a beat must stay unchanged before its holder counts as dead, milliseconds. Default 6,000. */
  readonly termMs?: number | undefined;
}

export interface LeasesOfProcess extends Leases {
  /** Releases all leases of this process. */
  close(): Promise<void>;
}

interface Watched {
  readonly fence: number;
  readonly beat: number;
  /** When this beat was first seen. */
  readonly since: number;
}

export function createLeases(table: LeaseTable, options: LeasesOptions): LeasesOfProcess {
  const { holder, clock, termMs = 6_000 } = options;
  const beliefMs = (termMs * 2) / 3;
  const renewMs = termMs / 3;
  /**
   * All leases of a process are renewed on the same beat, so that the table can combine them. Never much later than
   * requested.
   */
  const beatAfter = (time: number): number => Math.floor((time + renewMs * 1.05) / renewMs) * renewMs;
  const watching = new Map<string, Watched>();
  const own = new Set<Lease>();

  /** True once this process has seen the beat unchanged for the holder's term. */
  function stoodStill(row: LeaseRow): boolean {
    const now = clock.monotonic();
    const watched = watching.get(row.name);
    if (watched?.fence === row.fence && watched.beat === row.beat) {
      return now - watched.since >= Math.max(termMs, row.termMs);
    }
    watching.set(row.name, { fence: row.fence, beat: row.beat, since: now });
    return false;
  }

  function hold(row: LeaseRow, begunAt: number): Lease {
    const { name, fence } = row;
    let believedUntil = begunAt + beliefMs;
    let over = false;
    let left = row.left;
    let newestBeat = row.beat;
    let finish: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let cancelRenewal: () => void = () => undefined;
    let cancelEnd: () => void = () => undefined;

    function end(): void {
      over = true;
      own.delete(lease);
      cancelRenewal();
      cancelEnd();
      finish();
    }

    /** Reads the clock on each call: a process that was paused must notice the loss on its first check. */
    function held(): boolean {
      if (!over && clock.monotonic() >= believedUntil) end();
      return !over;
    }

    function endInTime(): void {
      cancelEnd = clock.after(believedUntil - clock.monotonic(), () => {
        if (held()) endInTime();
      });
    }

    function renewIn(ms: number): void {
      cancelRenewal();
      cancelRenewal = clock.after(Math.max(0, ms), renew);
    }

    /** A failed or unanswered renewal is neither a success nor a loss: the next one decides. */
    function renew(): void {
      if (!held()) return;
      const from = clock.monotonic();
      const beat = (newestBeat += 1);
      renewIn(renewMs / 2);
      table.renew(row, beat, left).then(
        (renewed) => {
          if (!held()) return;
          if (renewed) {
            believedUntil = Math.max(believedUntil, from + beliefMs);
            renewIn(beatAfter(from) - clock.monotonic());
          } else if (beat === newestBeat) {
            // An older renewal is also refused when a newer one was faster, so its refusal proves nothing.
            end();
          }
        },
        () => undefined,
      );
    }

    const lease: Lease = {
      name,
      fence,
      left: row.left,
      held,
      ended,
      leave: (state) => {
        left = state;
      },
      async release() {
        if (!held()) return;
        end();
        await table.free(row, left);
      },
    };
    own.add(lease);
    endInTime();
    renewIn(beatAfter(begunAt) - clock.monotonic());
    return lease;
  }

  return {
    async acquire(name) {
      const found = await table.read(name);
      if (found !== null && found.holder !== null && !stoodStill(found)) return null;
      const begunAt = clock.monotonic();
      const taken = await table.take(name, found, holder, termMs);
      if (taken === null) return null;
      watching.delete(name);
      const lease = hold(taken, begunAt);
      // The answer came too late: the lease has already expired for the holder.
      return lease.held() ? lease : null;
    },
    holders: () => table.holders(),
    async close() {
      await Promise.all([...own].map((lease) => lease.release()));
    },
  };
}
