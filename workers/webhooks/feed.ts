/**
 * Decides which deliveries are claimed for an endpoint, and handles their rows before and after the attempt. Rows come
 * from the store into the lanes, and return to it together with the records of their attempts.
 */
import type { Clock } from '../../ports/clock.js';
import type { ClaimedEntry, DueTimes, Settlement } from '../../ports/due-times.js';
import type { ReadModels, StoredDocument } from '../../ports/read-models.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { noteDue, startClaims, type Next, type Turn } from '../lanes/claims.js';
import { again, done, type DeliveryUpdate, type Held } from './attempt.js';
import { claimLimit, nextClaimSize } from './claim-size.js';
import { DELIVERY_QUEUE } from './documents.js';
import { deliveryRow } from './enqueue.js';
import type { EndpointLane, EndpointLanes } from './lanes.js';
import type { DispatcherLogger, WebhookLimits } from './options.js';
import { createHeldRoom } from './held-room.js';
import { isQuick } from './pace.js';
import type { MadeDeliveries } from './made-deliveries.js';
import type { Recorder } from './recorder.js';

/** A backlog of this many unrecorded updates means that the store is the bottleneck: claim nothing new. */
export const MAX_UNRECORDED = 2_000;
const MAX_CLAIMS_AT_ONCE = 64;
const LIST_GAP_MS = 250;

export interface Feed {
  /** Gives back the rows that the endpoint must not keep, and claims those that it can take. */
  look(lane: EndpointLane): void;
  /** The next delivery that the lane holds, which begins now. */
  takeHeld(lane: EndpointLane): Held;
  /** Gives back all that the lane holds; the rows are due again at `dueAt`, or as they were. */
  giveBackHeld(lane: EndpointLane, dueAt?: number): void;
  /** Makes the outcome of a row durable. */
  record(lane: EndpointLane, update: DeliveryUpdate): void;
  /** Settles a row without an attempt: it is due again at `dueAt`. */
  giveBack(lane: EndpointLane, held: Held, dueAt: number): void;
  /** A claim or a listing is under way. */
  busy(): boolean;
  /** Claims nothing more. Updates are still recorded. */
  stop(): void;
}

export interface FeedDeps {
  readonly dueTimes: DueTimes;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly logger: DispatcherLogger;
  readonly limits: WebhookLimits;
  readonly lanes: EndpointLanes;
  readonly recorder: Recorder;
  readonly made?: MadeDeliveries;
  /** Lanes may have something to start, or the last activity may just have ended. */
  readonly changed: () => void;
}

export function startFeed(deps: FeedDeps): Feed {
  const { clock, lanes, limits, logger, recorder, changed } = deps;
  const room = createHeldRoom(limits, () => claims.roomAgain());

  const claims = startClaims<EndpointLane>(deps, {
    queue: DELIVERY_QUEUE,
    leaseMs: limits.leaseMs,
    pollMs: limits.pollMs,
    listGapMs: LIST_GAP_MS,
    prompt: true,
    claimsAtOnce: MAX_CLAIMS_AT_ONCE,
    heard(endpointUuid, dueAt, why) {
      const lane = lanes.get(endpointUuid);
      noteDue(lane, dueAt, clock.now());
      if (why === 'found') lane.moreLater = true;
      claims.look(lane);
    },
    next,
    begins: (_, { name, limit }) => room.reserve(name, limit),
    take,
    failed(error, turn) {
      if (turn) room.unreserve(turn.name);
      logger.warn({ err: error, endpoint_uuid: turn?.name }, 'webhook deliveries could not be claimed');
    },
    listed: () => lanes.sweep(),
    changed,
    trouble: createThrottledErrorLog(deps, 'listing due webhook deliveries'),
  });

  function next(lane: EndpointLane): Next {
    const now = clock.now();
    const restedAt = Math.ceil(now + Math.max(0, lane.pace.restUntil - clock.monotonic()));
    if (now < restedAt) giveBackHeld(lane, restedAt);
    if (lane.nextDueAt === Infinity) return null;
    const inMs = Math.max(lane.nextDueAt, restedAt) - now;
    if (inMs > 0) return { inMs };
    const wanted = claimLimit(lane, clock.monotonic());
    if (wanted.now + wanted.ahead === 0) return null;
    if (recorder.backlog() >= MAX_UNRECORDED) return 'crowded';
    const quick = isQuick(lane.pace, limits);
    const limit = room.rows(quick, wanted);
    if (limit > 0) return { lane, name: lane.endpointUuid, limit };
    // The lane is asked again when its deliveries have ended. Only where it holds none does it wait for room.
    if (wanted.now === 0) return null;
    room.waits(quick);
    return 'crowded';
  }

  async function take(
    lane: EndpointLane,
    { name, limit }: Turn,
    rows: readonly ClaimedEntry[],
    leaseUntil: number,
  ): Promise<void> {
    if (rows.length > 0) await hold(lane, rows, leaseUntil);
    room.unreserve(name);
    lane.claimSize = nextClaimSize(lane.claimSize, rows.length === limit, limits);
    lanes.offer(lane);
    changed();
  }

  async function hold(lane: EndpointLane, rows: readonly ClaimedEntry[], leaseUntil: number): Promise<void> {
    const byId = await documentsOf(deps, rows);
    let hasRoom = true;
    for (const entry of rows) {
      const stored = byId.get(entry.id);
      if (stored === undefined) {
        void endWithoutDocument(lane, entry);
        continue;
      }
      const unsettled = leftUnsettled(entry, stored.doc);
      if (unsettled) {
        settle(lane, unsettled);
        continue;
      }
      hasRoom &&= room.add({ entry, stored, leaseUntil });
      if (hasRoom) lane.held.push({ entry, stored, leaseUntil });
      // The following ones too, so that none overtakes it.
      else giveBack(lane, { entry, stored, leaseUntil }, entry.dueAt);
    }
  }

  /**
   * A store may keep new documents in memory: after a crash, a row may be without one. The topic delivers its message
   * again, and `enqueueDeliveries` writes the document, but leaves a row that exists as it is. If that happens while the
   * row ends here, nobody else makes the row again.
   */
  async function endWithoutDocument(lane: EndpointLane, entry: ClaimedEntry): Promise<void> {
    const ended = await recorded(lane, { delivery: null, attempt: null, settlement: done(entry) });
    if (!ended) return;
    try {
      const made = await deps.readModels.get(deliveries.name, entry.id);
      if (made) await deps.dueTimes.schedule([deliveryRow(made.doc, clock.now())]);
      else
        logger.warn(
          { delivery_id: entry.id },
          'a webhook delivery had no document, as after a crash: the message that it came from makes it again',
        );
    } catch (error) {
      logger.error(
        { err: error, delivery_id: entry.id },
        'a webhook delivery may be left behind: send it again with `recado deliveries redeliver`',
      );
    }
  }

  function takeHeld(lane: EndpointLane): Held {
    const held = lane.held.shift()!;
    room.remove(held);
    return held;
  }

  function giveBackHeld(lane: EndpointLane, dueAt?: number): void {
    while (lane.held.length > 0) {
      const held = takeHeld(lane);
      giveBack(lane, held, dueAt ?? held.entry.dueAt);
    }
  }

  function giveBack(lane: EndpointLane, held: Held, dueAt: number): void {
    settle(lane, again(held.entry, dueAt, held.stored.doc.attempts));
  }

  /** Without an attempt. */
  function settle(lane: EndpointLane, settlement: Settlement): void {
    record(lane, { delivery: null, attempt: null, settlement });
  }

  function record(lane: EndpointLane, update: DeliveryUpdate): void {
    void recorded(lane, update);
  }

  /** False when another holder has taken the row over. */
  async function recorded(lane: EndpointLane, update: DeliveryUpdate): Promise<boolean> {
    const effective = await recorder.record(update);
    const { settlement } = update;
    // The lane may have been forgotten meanwhile.
    const current = lanes.get(lane.endpointUuid);
    if (!effective) {
      logger.debug({ delivery_id: settlement.id }, 'webhook delivery was taken over by another holder');
    } else if (settlement.then === 'again') {
      noteDue(current, settlement.dueAt, clock.now());
    }
    if (recorder.backlog() < MAX_UNRECORDED) claims.roomAgain();
    claims.look(current);
    changed();
    return effective;
  }

  void claims.list();

  return {
    look: (lane) => claims.look(lane),
    takeHeld,
    giveBackHeld,
    record,
    giveBack,
    busy: () => claims.busy(),
    stop: () => void claims.stop(),
  };
}

async function documentsOf(
  { made, readModels }: Pick<FeedDeps, 'made' | 'readModels'>,
  rows: readonly ClaimedEntry[],
): Promise<ReadonlyMap<string, StoredDocument<DeliveryDoc>>> {
  const known = rows.flatMap((row) => made?.take(row) ?? []);
  const byId = new Map(known.map((stored) => [stored.id, stored]));
  const unknown = rows.flatMap(({ id }) => (byId.has(id) ? [] : id));
  if (unknown.length === 0) return byId;
  for (const stored of await readModels.getMany(deliveries.name, unknown)) byId.set(stored.id, stored);
  return byId;
}

/**
 * How to settle a row whose holder recorded the end of the delivery, or a failure of which the next attempt is not due
 * yet, and died before it settled the row. Null: the delivery is to be sent.
 */
function leftUnsettled(entry: ClaimedEntry, doc: DeliveryDoc): Settlement | null {
  if (doc.status !== 'pending') return done(entry);
  const { attempts, next_attempt_at: at } = doc;
  const failed = attempts > Number(entry.payload['attempts'] ?? 0) && at !== null;
  return failed ? again(entry, Date.parse(at), attempts) : null;
}
