/**
 * The Leases port without a common clock. Whoever holds a lease raises its beat; whoever wants it watches the beat and
 * takes it over, by compare-and-set on fence and beat, once it has stood still for the whole term by the watcher's own
 * monotonic clock. The holder believes in it for two thirds of the term from when it began the last renewal that
 * succeeded. A renewal begins before its beat can be seen, so the belief ends first, whatever the wall clocks do and
 * however long an answer takes.
 *
 * A machine that is suspended as a whole may stop its monotonic clock as well; what a lease guards must therefore be
 * guarded by fences or revisions too, as docs/real-stack.md says.
 */
import type { Clock } from '../../ports/clock.js';
import type { Lease, Leases } from '../../ports/leases.js';
import type { LeaseRow } from './leases-rows.js';
import type { LeaseTable } from './leases-table.js';

export interface LeasesOptions {
  /** Names this process to operators. */
  readonly holder: string;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** How long a beat stands still before its holder counts as gone, milliseconds. Default 6,000. */
  readonly termMs?: number | undefined;
}

export interface LeasesOfProcess extends Leases {
  /** Lets go of everything that this process holds. */
  close(): Promise<void>;
}

interface Watched {
  readonly fence: number;
  readonly beat: number;
  /** When it was first seen. */
  readonly since: number;
}

export function createLeases(table: LeaseTable, options: LeasesOptions): LeasesOfProcess {
  const { holder, clock, termMs = 6_000 } = options;
  const beliefMs = (termMs * 2) / 3;
  const renewMs = termMs / 3;
  /** All leases of a process are renewed on one beat, so that the table can put it as one command. Never much later than asked. */
  const beatAfter = (time: number): number => Math.floor((time + renewMs * 1.05) / renewMs) * renewMs;
  const watching = new Map<string, Watched>();
  const own = new Set<Lease>();

  /** True once the beat has stood still for the holder's term, as far as this process has looked. */
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

    /** Asks the clock each time: a process that was paused must find out on its first look. */
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

    /** One that fails or gets no answer is neither a success nor a loss: the next one tells. */
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
            // Older ones are refused also when a newer one was quicker.
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
      // The answer came too late to be believed.
      return lease.held() ? lease : null;
    },
    holders: () => table.holders(),
    async close() {
      await Promise.all([...own].map((lease) => lease.release()));
    },
  };
}
