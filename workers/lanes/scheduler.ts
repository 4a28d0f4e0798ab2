/**
 * Works on rows of the due-time store, lane by lane: it finds due rows, claims as many as a policy allows, and settles
 * those that have ended. Any number of processes do this side by side: a row belongs to the fence of its last claim.
 */
import type { App } from '../../application/app.js';
import { asItWas, type ClaimedEntry, type LaneState, type Settlement } from '../../ports/due-times.js';
import type { Rounds } from '../kernel/rounds.js';
import type { ThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { noteDue, startClaims, type DueLane, type Next, type Turn } from './claims.js';
import type { Load, Policy } from './policy.js';
import { PassingMap } from '../../ports/passing.js';

/** Shortest time between two listings, where a lane has more due times than were remembered. */
const LIST_GAP_MS = 250;

/** The fate of a row after its work. `settled`: the work has settled it, together with others. */
export type End = 'done' | 'as it was' | 'settled' | Pick<Again, 'dueAt' | 'payload'>;
type Again = Extract<Settlement, { then: 'again' }>;

export interface SchedulerOptions {
  readonly queue: string;
  readonly policy: Policy;
  /** Longer than the work can take: once a claim expires, another process may begin the same work. */
  readonly leaseMs: number;
  /** Time until the next poll: since the last one, or, without `prompt`, since the end of all work that it began. */
  readonly pollMs: number;
  /** Also polls at the start, and reacts when this process schedules rows. */
  readonly prompt?: boolean;
  readonly work: (row: ClaimedEntry, stopping: () => boolean) => Promise<End>;
  /** Called where a row may begin: claims rows that were due by the returned time. Null: none for now. */
  readonly dueBy?: (now: number, stopping: () => boolean) => Promise<number | null>;
  /** Failures of finding work. */
  readonly trouble: ThrottledErrorLog;
  /** The work threw, or the row could not be settled: the row comes back when its claim expires. */
  readonly onLost?: (error: unknown) => void;
}

export interface Scheduler {
  readonly load: Load;
  /** Begins nothing more; resolves when all work under way has ended. */
  stop(): Promise<void>;
}

export function startScheduler(
  { dueTimes, clock }: Pick<App, 'dueTimes' | 'clock'>,
  options: SchedulerOptions,
): Scheduler {
  const { queue, policy, trouble, dueBy, onLost = trouble.failed } = options;
  const known = new Map<string, DueLane>();
  const everything: Rounds = { pumping: false, again: false };
  const running = new PassingMap<string, number>();
  const load = { all: 0, of: (lane: string) => running.get(lane) ?? 0 };
  /** Something failed since rows were last claimed. */
  let failing = false;
  /** A listing was skipped because there was no room. */
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

  /** Asks `dueBy` for the due time up to which rows may begin; only where something may begin. */
  async function ready(): Promise<boolean> {
    if (dueLanes().length === 0) return false;
    const answer = await dueBy!(clock.now(), stopping);
    until = answer ?? undefined;
    return answer !== null;
  }

  /** Lanes that have something due and room for it. */
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
    // Moves the lane behind the others that have been due equally long.
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
