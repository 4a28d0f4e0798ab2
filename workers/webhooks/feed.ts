/**
 * Brings due rows from the store into the lanes: woken by what this process schedules, by a timer for the next known
 * due time, and by a slow poll for what nobody announced (other processes, leases that ended).
 */
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry, DueTimes } from '../../ports/due-times.js';
import type { ReadModels } from '../../ports/read-models.js';
import { deliveries } from '../../read-models/deliveries.js';
import { createTrouble } from '../kernel/trouble.js';
import { again, done, type Held } from './attempt.js';
import { DELIVERY_QUEUE } from './documents.js';
import { noteDue, type Lane, type Lanes } from './lanes.js';
import type { DispatcherLogger, WebhookLimits } from './options.js';
import { freeSlots } from './pace.js';
import type { Recorder } from './recorder.js';

/** Own faults (store or directory not answering): pause before asking again. Not an attempt. */
export const OWN_FAULT_PAUSE_MS = 1_000;
/** A backlog of this many unrecorded verdicts means that the store is the bottleneck: take nothing new. */
export const MAX_UNRECORDED = 2_000;
/** Claimed ahead for an endpoint that answers quickly, as a multiple of its slots. */
const AHEAD = 8;
const QUICK_MS = 200;
const MAX_CLAIMS_AT_ONCE = 64;
const REFRESH_GAP_MS = 250;

export interface Feed {
  /** Looks at a lane: gives back what it must not keep, and claims what it can take. */
  consider(lane: Lane): void;
  /** The recorder has room again. */
  considerQueued(): void;
  /** Settles a row without an attempt: it is due again at `dueAt`. */
  giveBack(lane: Lane, held: Held, dueAt: number): void;
  claiming(): boolean;
  stop(): void;
}

export interface FeedDeps {
  readonly dueTimes: DueTimes;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly logger: DispatcherLogger;
  readonly limits: WebhookLimits;
  readonly lanes: Lanes;
  readonly recorder: Recorder;
  /** Settles rows without an attempt. */
  readonly record: (lane: Lane, verdict: Parameters<Recorder['record']>[0]) => void;
  /** Lanes may have something to start, or the last activity may just have ended. */
  readonly changed: () => void;
}

export function createFeed(deps: FeedDeps): Feed {
  const { dueTimes, clock, lanes, limits, logger, recorder } = deps;
  const listing = createTrouble(deps, 'listing due webhook deliveries');
  const queued = new Set<Lane>();
  let claims = 0;
  let refreshing = false;
  let refreshPlanned = false;
  let lastRefresh = -Infinity;
  let stopped = false;
  let wake: { readonly at: number; readonly cancel: () => void } | undefined;
  let cancelPoll: () => void = () => undefined;

  function considerAll(): void {
    for (const lane of lanes.all()) consider(lane);
    deps.changed();
  }

  function wakeAt(at: number): void {
    if (wake !== undefined && wake.at <= at) return;
    wake?.cancel();
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      wake = undefined;
      considerAll();
    });
    wake = { at, cancel };
  }

  async function refresh(): Promise<void> {
    if (refreshing || stopped) return;
    refreshing = true;
    lastRefresh = clock.monotonic();
    try {
      for (const state of await dueTimes.lanes(DELIVERY_QUEUE, clock.now())) {
        const lane = lanes.get(state.lane);
        lane.nextDueAt = Math.min(lane.nextDueAt, state.nextDueAt);
        lane.moreLater = true;
      }
      lanes.sweep();
      listing.worked();
    } catch (error) {
      listing.failed(error);
    }
    refreshing = false;
    considerAll();
  }

  function refreshSoon(): void {
    if (refreshPlanned) return;
    refreshPlanned = true;
    clock.after(Math.max(0, lastRefresh + REFRESH_GAP_MS - clock.monotonic()), () => {
      refreshPlanned = false;
      void refresh();
    });
  }

  function poll(): void {
    cancelPoll = clock.after(limits.pollMs, () => {
      void refresh();
      poll();
    });
  }

  /** How many rows to ask for: what can start at once, and some ahead for an endpoint that is quick. */
  function appetite(lane: Lane): number {
    // Not in dribs, since every claim is a transaction of the store; but before the lane runs dry.
    if (lane.held.length > Math.max(lane.pace.slots, lane.claimSize / 2)) return 0;
    const quick = lane.pace.restedMs === 0 && lane.pace.meanMs < QUICK_MS;
    const ahead = quick ? lane.pace.slots * AHEAD : 0;
    const room = freeSlots(lane.pace, lane.inFlight, clock.monotonic()) + ahead - lane.held.length;
    return Math.max(0, Math.min(room, lane.claimSize));
  }

  function consider(lane: Lane): void {
    if (stopped || lane.claiming) return;
    const now = clock.now();
    const restedAt = Math.ceil(now + Math.max(0, lane.pace.restUntil - clock.monotonic()));
    if (now < restedAt) {
      for (const held of lane.held.splice(0)) giveBack(lane, held, restedAt);
    }
    const dueAt = Math.max(lane.nextDueAt, restedAt);
    if (lane.nextDueAt === Infinity) return;
    if (dueAt > now) return wakeAt(dueAt);
    const wanted = appetite(lane);
    if (wanted === 0) return;
    if (claims < MAX_CLAIMS_AT_ONCE && recorder.backlog() < MAX_UNRECORDED) void claim(lane, wanted);
    else queued.add(lane);
  }

  /** Lanes that had to wait go before the one that has just had its turn. */
  function considerQueued(): void {
    for (const lane of queued) {
      if (claims >= MAX_CLAIMS_AT_ONCE || recorder.backlog() >= MAX_UNRECORDED) return;
      queued.delete(lane);
      consider(lane);
    }
  }

  async function claim(lane: Lane, limit: number): Promise<void> {
    lane.claiming = true;
    claims += 1;
    lane.nextDueAt = Infinity;
    const now = clock.now();
    const leaseUntil = clock.monotonic() + limits.leaseMs;
    try {
      const { endpointUuid, moreLater } = lane;
      const request = { queue: DELIVERY_QUEUE, lane: endpointUuid, now, limit, leaseMs: limits.leaseMs };
      const entries = await dueTimes.claim(request);
      if (entries.length > 0) await hold(lane, entries, leaseUntil);
      if (entries.length === limit) {
        lane.nextDueAt = Math.min(lane.nextDueAt, now);
        lane.claimSize = Math.min(lane.claimSize * 2, limits.maxPerEndpoint * (AHEAD + 1));
      } else {
        lane.claimSize = Math.max(limits.maxPerEndpoint, Math.floor(lane.claimSize / 2));
      }
      if (entries.length < limit && moreLater) {
        lane.moreLater = false;
        refreshSoon();
      }
    } catch (error) {
      logger.warn(
        { err: error, endpoint_uuid: lane.endpointUuid },
        'webhook deliveries could not be claimed',
      );
      noteDue(lane, clock.now() + OWN_FAULT_PAUSE_MS, clock.now());
    }
    claims -= 1;
    lane.claiming = false;
    lanes.offer(lane);
    considerQueued();
    consider(lane);
    deps.changed();
  }

  async function hold(lane: Lane, entries: readonly ClaimedEntry[], leaseUntil: number): Promise<void> {
    const ids = entries.map(({ id }) => id);
    const found = await deps.readModels.getMany(deliveries.name, ids);
    const byId = new Map(found.map((stored) => [stored.id, stored]));
    for (const entry of entries) {
      const stored = byId.get(entry.id);
      if (stored === undefined || stored.doc.status !== 'pending') {
        // A holder recorded the end and died before it settled the row: nothing is left to send.
        if (stored === undefined) logger.error({ delivery_id: entry.id }, 'webhook delivery has no document');
        deps.record(lane, { delivery: null, attempt: null, settlement: done(entry) });
        continue;
      }
      const { attempts, next_attempt_at: next } = stored.doc;
      if (attempts > Number(entry.payload['attempts'] ?? 0) && next !== null) {
        // Likewise, but the attempt was a failure: its next one is not due yet.
        const settlement = again(entry, Date.parse(next), attempts);
        deps.record(lane, { delivery: null, attempt: null, settlement });
        continue;
      }
      lane.held.push({ entry, stored, leaseUntil });
    }
  }

  function giveBack(lane: Lane, held: Held, dueAt: number): void {
    const settlement = again(held.entry, dueAt, held.stored.doc.attempts);
    deps.record(lane, { delivery: null, attempt: null, settlement });
  }

  const forgetScheduled = dueTimes.onScheduled((queue, endpointUuid, dueAt) => {
    if (queue !== DELIVERY_QUEUE || stopped) return;
    const lane = lanes.get(endpointUuid);
    noteDue(lane, dueAt, clock.now());
    consider(lane);
  });
  poll();
  void refresh();

  return {
    consider,
    considerQueued,
    giveBack,
    claiming: () => claims > 0 || refreshing,
    stop() {
      stopped = true;
      forgetScheduled();
      wake?.cancel();
      cancelPoll();
    },
  };
}
