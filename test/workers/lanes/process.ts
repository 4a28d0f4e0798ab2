/** A process that works on the rows of one queue, as a test sees it. */
import type { ClaimedEntry, DueEntry, DueTimes } from '../../../ports/due-times.js';
import { createThrottledErrorLog } from '../../../workers/kernel/throttled-error-log.js';
import { plain } from '../../../workers/lanes/policy.js';
import { startScheduler, type SchedulerOptions } from '../../../workers/lanes/scheduler.js';
import { deferred } from '../../conformance/support.js';
import { collectingLogger } from '../../support/app.js';
import type { ManualClock } from '../../support/fakes/manual-clock.js';

export const QUEUE = 'work';
export const LEASE_MS = 60_000;
export const POLL_MS = 1_000;

export interface ProcessOptions extends Partial<SchedulerOptions> {
  /** Rows whose work lasts until the test lets it end. */
  readonly slow?: (row: ClaimedEntry) => boolean;
}

export function startProcess(
  { dueTimes, clock }: { readonly dueTimes: DueTimes; readonly clock: ManualClock },
  { slow = () => false, work = async () => 'done', ...options }: ProcessOptions = {},
) {
  const { logger, log } = collectingLogger();
  const gate = deferred();
  const begun: ClaimedEntry[] = [];
  const under = new Set<ClaimedEntry>();
  const lost: unknown[] = [];
  const scheduler = startScheduler(
    { dueTimes, clock },
    {
      queue: QUEUE,
      policy: plain(4, 2),
      leaseMs: LEASE_MS,
      pollMs: POLL_MS,
      prompt: true,
      trouble: createThrottledErrorLog({ clock, logger }, 'looking for work'),
      onLost: (error) => lost.push(error),
      ...options,
      async work(row, stopping) {
        begun.push(row);
        under.add(row);
        if (slow(row)) await gate.promise;
        try {
          return await work(row, stopping);
        } finally {
          under.delete(row);
        }
      },
    },
  );
  return {
    load: scheduler.load,
    lost,
    begun: () => begun.map(({ id }) => id),
    under: () => [...under].map(({ id }) => id),
    says: () => log.map(({ level, message }) => `${level}: ${message}`),
    /** Ends the slow work. */
    letGo: () => gate.resolve(),
    stop: () => scheduler.stop(),
    close(): Promise<void> {
      gate.resolve();
      return scheduler.stop();
    },
  };
}

/** Rows of the queue, named by lane and number. */
export const rowsOf = (lane: string, count: number, dueAt: number): readonly DueEntry[] =>
  Array.from({ length: count }, (_, n) => ({ queue: QUEUE, id: `${lane}${n}`, lane, dueAt, payload: {} }));
