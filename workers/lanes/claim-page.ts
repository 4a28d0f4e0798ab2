/** The one place where rows of the due-time store are claimed: a page of one lane, or page after page. */
import type { App } from '../../application/app.js';
import type { ClaimedEntry } from '../../ports/due-times.js';

export interface PageOfLane {
  readonly queue: string;
  readonly lane: string;
  readonly limit: number;
  /** From now, also where `dueBy` is earlier: a claim's lease counts from the time that it names. */
  readonly leaseMs: number;
  /** Only rows that were due by this time (epoch milliseconds); by now where it is left out. */
  readonly dueBy?: number | undefined;
}

export function claimPage(
  { dueTimes, clock }: Pick<App, 'dueTimes' | 'clock'>,
  { queue, lane, limit, leaseMs, dueBy }: PageOfLane,
): Promise<readonly ClaimedEntry[]> {
  const now = clock.now();
  const by = dueBy ?? now;
  // eslint-disable-next-line no-restricted-properties -- the one place
  return dueTimes.claim({ queue, lane, now: by, limit, leaseMs: leaseMs + now - by });
}

/** Until nothing is due. The caller settles or removes each page before it asks for the next one. */
export async function* claimPages(
  app: Pick<App, 'dueTimes' | 'clock'>,
  page: PageOfLane,
): AsyncGenerator<readonly ClaimedEntry[]> {
  for (;;) {
    const rows = await claimPage(app, page);
    if (rows.length === 0) return;
    yield rows;
  }
}
