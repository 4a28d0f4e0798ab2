/**
 * The one loop that claims rows of the due-time store. It remembers for each lane when something is due next. It learns
 * this from rows that this process schedules, from an occasional listing of the store, and from the results of its own
 * claims. Lanes that share a budget form a group, in which one claim is under way at a time. The callers decide how
 * much a group may claim, and process the rows.
 */
import type { App } from '../../application/app.js';
import { asItWas, type ClaimedEntry, type LaneState } from '../../ports/due-times.js';
import { pumpInRounds, type Rounds } from '../kernel/rounds.js';
import type { ThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { createAlarms } from './alarms.js';
import { claimPage } from './claim-page.js';
import { PassingSet } from '../../ports/passing.js';

/** Pause before a failed claim is retried. */
export const CLAIM_AGAIN_MS = 1_000;

/** The due times known of a lane. */
export interface DueLane {
  /** Earliest due time (of day) known; infinite when none is, and while the due rows are being claimed. */
  nextDueAt: number;
  /** Later due times were reported but not remembered; only the store has them. */
  moreLater: boolean;
}

/** A claim that may be made now. */
export interface Turn {
  readonly lane: DueLane;
  readonly name: string;
  readonly limit: number;
  /** Claims rows that were due by this time; by now where it is left out. */
  readonly dueBy?: number | undefined;
}

/** Null: nothing until the next notification. `crowded`: asked again once there is room. */
export type Next = Turn | { readonly inMs: number } | 'crowded' | null;

export interface ClaimOptions<Group extends Rounds> {
  readonly queue: string;
  readonly leaseMs: number;
  /** About the pause between two listings. Listings of a process begin on one beat, so that a store can combine them. */
  readonly pollMs: number;
  /** Counts `pollMs` from the end of all work under way instead. */
  readonly pollAfterAll?: boolean;
  /**
   * If set, lists again soon after the known due times of a lane are used up; at the earliest this long after the last
   * listing.
   */
  readonly listGapMs?: number;
  /** Receives notifications of the rows that this process schedules. */
  readonly prompt: boolean;
  readonly claimsAtOnce?: number;
  /** Called when something is due in a lane. */
  readonly heard: (name: string, dueAt: number, why: 'scheduled' | 'found') => void;
  /** Called before each round of a group; false: not now. */
  readonly ready?: () => Promise<boolean>;
  readonly next: (group: Group) => Next;
  /** Called when the claim of `next` begins; it ends with `take` or `failed`. */
  readonly begins?: (group: Group, turn: Turn) => void;
  /**
   * Receives the rows of a claim, which is held until `heldUntil` by the monotonic clock. The group continues to claim
   * once it resolves.
   */
  readonly take: (
    group: Group,
    turn: Turn,
    rows: readonly ClaimedEntry[],
    heldUntil: number,
  ) => Promise<void> | void;
  /** Called when a claim, or the processing of its rows, failed. */
  readonly failed: (error: unknown, turn?: Turn) => void;
  /** Called before a listing; false: not now. */
  readonly beforeList?: () => Promise<boolean> | boolean;
  readonly listed?: () => void;
  /** Called when a listing, or the round of a group, has ended. */
  readonly changed?: () => void;
  /** Failures of listing. */
  readonly trouble: ThrottledErrorLog;
}

export interface Claims<Group extends Rounds> {
  /** Claims what the group may claim, now and until there is no more. */
  look(group: Group): void;
  /** Asks the crowded groups again, in the order in which they became crowded or in the caller's order. */
  roomAgain(order?: (a: Group, b: Group) => number): void;
  /** Asks the store which lanes have something due, unless a listing is under way. */
  list(): Promise<void>;
  /** A listing or a claim is under way. */
  busy(): boolean;
  /** Work that a stop waits for; it never rejects. */
  track(work: Promise<void>): void;
  /** Claims nothing more, and puts rows of claims under way back as they were. Resolves when all work has ended. */
  stop(): Promise<void>;
}

export function startClaims<Group extends Rounds>(
  { dueTimes, clock }: Pick<App, 'dueTimes' | 'clock'>,
  options: ClaimOptions<Group>,
): Claims<Group> {
  const { queue, claimsAtOnce = Infinity } = options;
  const crowded = new Set<Group>();
  const under = new PassingSet<Promise<void>>();
  let claims = 0;
  let listing = false;
  let listedAt = -Infinity;
  let stopped = false;
  let cancelPoll: (() => void) | undefined;
  let cancelListing: (() => void) | undefined;
  const alarms = createAlarms<Group>(clock, look);

  function look(group: Group): void {
    if (stopped) return;
    const pumped = pumpInRounds(group, () => round(group)).catch(options.failed);
    track(pumped.then(() => options.changed?.()));
  }

  async function round(group: Group): Promise<void> {
    if (options.ready && !(await options.ready())) return;
    while (!stopped) {
      const next = options.next(group);
      if (next === null) return;
      if (next === 'crowded' || ('limit' in next && claims >= claimsAtOnce)) return void crowded.add(group);
      if ('inMs' in next) return alarms.set(group, next.inMs);
      await claim(group, next);
    }
  }

  async function claim(group: Group, turn: Turn): Promise<void> {
    const { lane, limit } = turn;
    const { moreLater } = lane;
    const dueBy = turn.dueBy ?? clock.now();
    const heldUntil = clock.monotonic() + options.leaseMs;
    lane.nextDueAt = Infinity;
    claims += 1;
    options.begins?.(group, turn);
    try {
      const rows = await claimPage(
        { dueTimes, clock },
        { queue, lane: turn.name, limit, leaseMs: options.leaseMs, dueBy },
      );
      if (!stopped) await options.take(group, turn, rows, heldUntil);
      else if (rows.length > 0) await dueTimes.settle(rows.map(asItWas));
      if (rows.length === limit) lane.nextDueAt = Math.min(lane.nextDueAt, dueBy);
      else if (moreLater) {
        lane.moreLater = false;
        listSoon();
      }
    } catch (error) {
      options.failed(error, turn);
      noteDue(lane, clock.now() + CLAIM_AGAIN_MS, clock.now());
    }
    claims -= 1;
    // Crowded groups go first, before the group that has just claimed.
    if (claims + 1 === claimsAtOnce) roomAgain();
  }

  function roomAgain(order?: (a: Group, b: Group) => number): void {
    let left = crowded.size;
    for (const group of order ? [...crowded].sort(order) : crowded) {
      // A group that is still crowded is added again at the end.
      if (left === 0 || claims >= claimsAtOnce) return;
      left -= 1;
      crowded.delete(group);
      look(group);
    }
  }

  function list(): Promise<void> {
    const listed = listing || stopped ? Promise.resolve() : listOnce();
    track(listed);
    return listed;
  }

  async function listOnce(): Promise<void> {
    listing = true;
    listedAt = clock.monotonic();
    try {
      if (!options.beforeList || (await options.beforeList())) tell(await dueTimes.lanes(queue, clock.now()));
    } catch (error) {
      options.trouble.failed(error);
    }
    listing = false;
    options.changed?.();
  }

  function tell(found: readonly LaneState[]): void {
    // Work that begins now may end, and request another listing, before this one has returned.
    listing = false;
    if (!stopped) for (const { lane, nextDueAt } of found) options.heard(lane, nextDueAt, 'found');
    options.listed?.();
    options.trouble.worked();
  }

  function listSoon(): void {
    if (options.listGapMs === undefined || cancelListing || stopped) return;
    const waitMs = Math.max(0, listedAt + options.listGapMs - clock.monotonic());
    cancelListing = clock.after(waitMs, () => {
      cancelListing = undefined;
      void list();
    });
  }

  function poll(): void {
    if (stopped) return;
    cancelPoll = clock.after(untilBeat(clock.monotonic(), options.pollMs), () => {
      void list();
      if (options.pollAfterAll) void ended().then(poll);
      else poll();
    });
  }

  function track(work: Promise<void>): void {
    under.add(work);
    void work.finally(() => under.delete(work));
  }

  async function ended(): Promise<void> {
    while (under.size > 0) await Promise.all(under);
  }

  const unlisten = options.prompt
    ? dueTimes.onScheduled((of, name, dueAt) => of === queue && options.heard(name, dueAt, 'scheduled'))
    : () => undefined;
  poll();

  return {
    look,
    roomAgain,
    list,
    busy: () => claims > 0 || listing,
    track,
    stop() {
      stopped = true;
      unlisten();
      alarms.clear();
      cancelPoll?.();
      cancelListing?.();
      return ended();
    },
  };
}

/** The next multiple, unless it comes at once: never much later than after `everyMs`. */
const untilBeat = (now: number, everyMs: number): number =>
  Math.floor((now + everyMs * 1.05) / everyMs) * everyMs - now;

/** Notes that a row of the lane is due at this time. */
export function noteDue(lane: DueLane, dueAt: number, now: number): void {
  if (dueAt === lane.nextDueAt) return;
  if (lane.nextDueAt < Infinity && Math.max(lane.nextDueAt, dueAt) > now) lane.moreLater = true;
  lane.nextDueAt = Math.min(lane.nextDueAt, dueAt);
}
