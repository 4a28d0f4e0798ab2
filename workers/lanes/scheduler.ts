/**
 * Work on rows of the due-time store, lane by lane: finds what is due, claims as much as a policy lets begin, and settles
 * what has ended. Any number of processes do it side by side: a row belongs to the fence of its last claim.
 */
import type { App } from '../../application/app.js';
import { asItWas, type ClaimedEntry, type LaneState, type Settlement } from '../../ports/due-times.js';
import type { Rounds } from '../kernel/rounds.js';
import type { Trouble } from '../kernel/trouble.js';
import { noteDue, startClaims, type DueLane, type Next, type Turn } from './claims.js';
import type { Load, Policy } from './policy.js';

/** Between two listings, where one finds more than was known. */
const LIST_GAP_MS = 250;

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
  const { queue, policy, trouble, dueBy, onLost = trouble.failed } = options;
  const known = new Map<string, DueLane>();
  const everything: Rounds = { pumping: false, again: false };
  const running = new Map<string, number>();
  const load = { all: 0, of: (lane: string) => running.get(lane) ?? 0 };
  /** Something failed since rows were claimed last. */
  let failing = false;
  /** No listing was made since there was no room. */
  let unlisted = false;
  let until: number | undefined;
  let stopped = false;
  const stopping = (): boolean => stopped;

  const claims = startClaims<Rounds>(
    { dueTimes, clock },
    {
      queue,
      leaseMs: options.leaseMs,
      pollMs: options.pollMs,
      prompt: options.prompt === true,
      ...(options.prompt ? { listGapMs: LIST_GAP_MS } : { pollAfterAll: true }),
      ...(dueBy ? { ready } : {}),
      next,
      take,
      failed,
      heard(name, dueAt, why) {
        const lane = known.get(name) ?? { nextDueAt: Infinity, moreLater: false };
        known.set(name, lane);
        noteDue(lane, dueAt, clock.now());
        if (why === 'found') lane.moreLater = true;
        else claims.look(everything);
      },
      beforeList() {
        unlisted = policy.free(load) <= 0;
        return !unlisted;
      },
      listed() {
        if (!everything.pumping)
          for (const [name, { nextDueAt }] of known) if (nextDueAt === Infinity) known.delete(name);
        claims.look(everything);
      },
      trouble: { failed, worked: () => failing || trouble.worked() },
    },
  );

  /** Rows begin that are due by what `dueBy` says, which is asked where something may begin. */
  async function ready(): Promise<boolean> {
    if (dueLanes().length === 0) return false;
    const answer = await dueBy!(clock.now(), stopping);
    until = answer ?? undefined;
    return answer !== null;
  }

  /** Lanes with something due and room for it. */
  function dueLanes(): readonly LaneState[] {
    const now = clock.now();
    if (policy.free(load) <= 0) return [];
    return [...known]
      .filter(([lane, { nextDueAt }]) => nextDueAt <= now && policy.room(lane, load) > 0)
      .map(([lane, { nextDueAt }]) => ({ lane, nextDueAt }))
      .sort((a, b) => a.nextDueAt - b.nextDueAt);
  }

  function next(): Next {
    for (const { lane } of policy.order(dueLanes(), load)) {
      const limit = Math.min(policy.free(load), policy.room(lane, load));
      if (limit > 0) return { lane: known.get(lane)!, name: lane, limit, dueBy: until };
    }
    if (!options.prompt) return null;
    const now = clock.now();
    const later = [...known.values()].map(({ nextDueAt }) => nextDueAt - now).filter((inMs) => inMs > 0);
    const inMs = Math.min(...later);
    return inMs < Infinity ? { inMs } : null;
  }

  function take(_: Rounds, { lane, name }: Turn, rows: readonly ClaimedEntry[]): void {
    failing = false;
    trouble.worked();
    // Behind the others that have something due as long.
    known.delete(name);
    known.set(name, lane);
    for (const row of rows) claims.track(workOn(row));
  }

  function failed(error: unknown): void {
    failing = true;
    trouble.failed(error);
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
    if (policy.free(load) <= 0) return;
    if (unlisted || !options.prompt) void claims.list();
    else claims.look(everything);
  }

  function count(lane: string, change: 1 | -1): void {
    load.all += change;
    if (load.of(lane) + change > 0) running.set(lane, load.of(lane) + change);
    else running.delete(lane);
  }

  if (options.prompt) void claims.list();

  return {
    load,
    stop() {
      stopped = true;
      return claims.stop();
    },
  };
}

function settlementOf(row: ClaimedEntry, end: Exclude<End, 'settled'>): Settlement {
  if (end === 'as it was') return asItWas(row);
  const { queue, id, fence } = row;
  return end === 'done' ? { queue, id, fence, then: 'done' } : { queue, id, fence, then: 'again', ...end };
}
