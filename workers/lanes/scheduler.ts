/**
 * Work on rows of the due-time store, lane by lane: finds what is due, claims as much as a policy lets begin, and settles
 * what has ended. Any number of processes do it side by side: a row belongs to the fence of its last claim.
 */
import type { App } from '../../application/app.js';
import { asItWas, type ClaimedEntry, type LaneState, type Settlement } from '../../ports/due-times.js';
import { pumpInRounds } from '../kernel/rounds.js';
import type { Trouble } from '../kernel/trouble.js';
import type { Load, Policy } from './policy.js';

/** What becomes of a row. `settled`: the work has settled it, together with others. */
export type End = 'done' | 'as it was' | 'settled' | Pick<Again, 'dueAt' | 'payload'>;
type Again = Extract<Settlement, { then: 'again' }>;

export interface SchedulerOptions {
  readonly queue: string;
  readonly policy: Policy;
  /** Longer than the work can take: a claim that runs out is work that somebody else may begin. */
  readonly leaseMs: number;
  /** Until the next look: since the last one, or, where it is not prompt, since the end of all that it began. */
  readonly pollMs: number;
  /** Looks at the start too, and when this process schedules what is due. */
  readonly prompt?: boolean;
  readonly work: (row: ClaimedEntry, stopping: () => boolean) => Promise<End>;
  /** Asked where something may begin: rows begin that are due by its answer. Null: none for now. */
  readonly dueBy?: (now: number, stopping: () => boolean) => Promise<number | null>;
  /** Of looking for work. */
  readonly trouble: Trouble;
  /** Work threw, or its end could not be settled: the row comes back when its claim runs out. */
  readonly onLost?: (error: unknown) => void;
}

export interface Scheduler {
  readonly load: Load;
  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

export function startScheduler(
  { dueTimes, clock }: Pick<App, 'dueTimes' | 'clock'>,
  options: SchedulerOptions,
): Scheduler {
  const { queue, policy, trouble, onLost = trouble.failed } = options;
  const looks = { pumping: false, again: false };
  const running = new Map<string, number>();
  const load = { all: 0, of: (lane: string) => running.get(lane) ?? 0 };
  const under = new Set<Promise<void>>();
  let stopped = false;
  const stopping = (): boolean => stopped;

  async function fill(): Promise<void> {
    const now = clock.now();
    let lanes: readonly LaneState[] = (await dueTimes.lanes(queue, now)).filter(
      ({ lane, nextDueAt }) => nextDueAt <= now && policy.room(lane, load) > 0,
    );
    if (lanes.length === 0 || stopped) return;
    const until = options.dueBy ? await options.dueBy(now, stopping) : now;
    if (until === null) return;
    // What ends meanwhile asks for a new look, which sees the lanes that came since.
    do lanes = await claimIn(lanes, until);
    while (lanes.length > 0 && !looks.again);
  }

  /** Answers the lanes that may have more. */
  async function claimIn(lanes: readonly LaneState[], until: number): Promise<readonly LaneState[]> {
    const more: LaneState[] = [];
    for (const state of policy.order(lanes, load)) {
      if (stopped) return [];
      const limit = Math.min(policy.free(load), policy.room(state.lane, load));
      if (limit <= 0) continue;
      const leaseMs = options.leaseMs + clock.now() - until;
      const rows = await dueTimes.claim({ queue, lane: state.lane, now: until, limit, leaseMs });
      if (!stopped) for (const row of rows) track(workOn(row));
      else if (rows.length > 0) await dueTimes.settle(rows.map(asItWas));
      if (rows.length === limit) more.push(state);
    }
    return more;
  }

  async function workOn(row: ClaimedEntry): Promise<void> {
    count(row.lane, 1);
    try {
      const end = await options.work(row, stopping);
      if (end !== 'settled') await dueTimes.settle([settlementOf(row, end)]);
    } catch (error) {
      onLost(error);
    }
    count(row.lane, -1);
    look();
  }

  function count(lane: string, change: 1 | -1): void {
    load.all += change;
    if (load.of(lane) + change > 0) running.set(lane, load.of(lane) + change);
    else running.delete(lane);
  }

  function look(): void {
    const round = async (): Promise<void> => {
      if (!stopped && policy.free(load) > 0) await fill().then(trouble.worked, trouble.failed);
    };
    track(pumpInRounds(looks, round));
  }

  function track(work: Promise<void>): void {
    under.add(work);
    void work.finally(() => under.delete(work));
  }

  async function ended(): Promise<void> {
    while (under.size > 0) await Promise.all(under);
  }

  let cancelPoll: () => void;
  function poll(): void {
    if (stopped) return;
    cancelPoll = clock.after(options.pollMs, () => {
      look();
      if (options.prompt) poll();
      else void ended().then(poll);
    });
  }

  const unlisten = dueTimes.onScheduled((of, _lane, dueAt) => {
    if (options.prompt && of === queue && dueAt <= clock.now()) look();
  });
  poll();
  if (options.prompt) look();

  return {
    load,
    async stop() {
      stopped = true;
      cancelPoll();
      unlisten();
      await ended();
    },
  };
}

function settlementOf(row: ClaimedEntry, end: Exclude<End, 'settled'>): Settlement {
  if (end === 'as it was') return asItWas(row);
  const { queue, id, fence } = row;
  return end === 'done' ? { queue, id, fence, then: 'done' } : { queue, id, fence, then: 'again', ...end };
}
