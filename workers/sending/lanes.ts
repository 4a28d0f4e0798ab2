/**
 * The channels that this process paces. Each is held under a lease, and goes where its messages come in: a process that
 * only ever finds the work of a channel, because another one schedules it, lets the channel go once its calls have ended.
 */
import type { App } from '../../application/app.js';
import { presentDocument } from '../../application/present-document.js';
import { channelStream } from '../../domain/channel/stream.js';
import { ceilingOf } from '../../domain/policies/rate.js';
import { sendingAggregate } from '../../domain/sending/decide.js';
import type { Lease } from '../../ports/leases.js';
import { channels } from '../../read-models/channels.js';
import { channelPacing } from '../../read-models/pacing.js';
import { createTrouble } from '../kernel/trouble.js';
import type { ChannelLane, LaneFacts, Waiting } from './lane.js';
import { restoredPace } from './restored-pace.js';
import { createLines, type Lines } from './lines.js';
import { laneName, SEND_QUEUE, type Urgency } from '../../application/send/queue.js';

/** Nothing was scheduled here for this long. */
const IDLE_MS = 10_000;
/** After letting go, so that another process gets its chance. */
const AVOID_MS = 3_000;

export interface ChannelLanes {
  /** Calls `use` once the channel is this process's; never, when it is another's. */
  with(channelUuid: string, why: 'scheduled' | 'found', use: (lane: ChannelLane) => void): void;
  get(channelUuid: string): ChannelLane | undefined;
  all(): Iterable<ChannelLane>;
  /** Lets go of channels that are better off elsewhere. */
  tidy(): void;
  /** What has become of the channels, and what operators say of them. */
  refresh(): Promise<void>;
  /** For good: none is opened afterwards. */
  releaseAll(): Promise<void>;
}

/** @param onClosed this process paces the channel no more */
export function createLanes(app: App, onClosed: (lane: ChannelLane) => void): ChannelLanes {
  const { clock, logger } = app;
  const lanes = new Map<string, ChannelLane>();
  const opening = new Map<string, Promise<ChannelLane | null>>();
  const avoid = new Map<string, number>();
  /** Of channels that were let go while calls were under way: had again, their lines are still those of these calls. */
  const leftLines = new Map<string, Lines>();
  const trouble = createTrouble(app, 'opening a channel for sending');
  let released = false;

  async function open(channelUuid: string): Promise<ChannelLane | null> {
    const lease = await app.leases.acquire(`send:${channelUuid}`);
    if (lease === null) return null;
    try {
      const lane = await newLane(lease, channelUuid);
      if (released) {
        await lease.release();
        return null;
      }
      lanes.set(channelUuid, lane);
      void lease.ended.then(() => close(lane));
      return lane;
    } catch (error) {
      await lease.release().catch(() => undefined);
      throw error;
    }
  }

  /** Goes on where the last holder was: by its own word, or by what the history says of its last attempt. */
  async function newLane(lease: Lease, channelUuid: string): Promise<ChannelLane> {
    const [stored, facts, service, marketing] = await Promise.all([
      app.readModels.get(channelPacing.name, channelUuid),
      readFacts(channelUuid),
      waitingOf(channelUuid, 'service'),
      waitingOf(channelUuid, 'marketing'),
    ]);
    const now = clock.monotonic();
    return {
      channelUuid,
      clock,
      lease,
      facts,
      ...restoredPace(stored?.doc, lease.left ?? {}, clock, ceilingOf(app.settings.channelRate, facts)),
      openedAt: now,
      waiting: { service, marketing },
      lines: leftLines.get(channelUuid) ?? createLines(clock),
      ready: [],
      passedOver: 0,
      inFlight: 0,
      leaving: false,
      scheduledAt: now,
      foreignAt: 0,
      pumping: false,
      again: false,
    };
  }

  async function waitingOf(channelUuid: string, urgency: Urgency): Promise<Waiting> {
    const backlog = await app.dueTimes.count(SEND_QUEUE, laneName(channelUuid, urgency));
    // Looked for at once; nothing is claimed that is not due.
    return { backlog, nextDueAt: backlog > 0 ? 0 : Infinity, moreLater: false };
  }

  async function readFacts(channelUuid: string): Promise<LaneFacts> {
    const [channel, { state }] = await Promise.all([
      presentDocument(app, channels.name, channelStream.toName(channelUuid), channelUuid),
      app.executor.load(sendingAggregate, channelUuid),
    ]);
    return {
      companyUuid: channel?.company_uuid ?? channelUuid,
      throughputLevel: channel?.throughput_level ?? null,
      quality: channel?.quality_rating ?? null,
      onBusinessApp: channel?.on_business_app ?? false,
      maxPerSecond: state.maxPerSecond,
      stopped: state.stopped,
    };
  }

  function stays(lane: ChannelLane): void {
    lane.scheduledAt = clock.monotonic();
    lane.leaving = false;
  }

  /** What it has begun ends as it may: the operations' streams allow one call each, whoever holds the channel. */
  function close(lane: ChannelLane): void {
    if (lanes.get(lane.channelUuid) === lane) lanes.delete(lane.channelUuid);
    leftLines.set(lane.channelUuid, lane.lines);
    onClosed(lane);
  }

  return {
    get: (channelUuid) => lanes.get(channelUuid),
    all: () => lanes.values(),
    with(channelUuid, why, use) {
      const known = lanes.get(channelUuid);
      if (known) {
        if (why === 'scheduled') stays(known);
        return use(known);
      }
      if (released) return;
      if (why === 'found' && (avoid.get(channelUuid) ?? 0) > clock.monotonic()) return;
      let pending = opening.get(channelUuid);
      if (!pending) {
        pending = open(channelUuid).finally(() => opening.delete(channelUuid));
        opening.set(channelUuid, pending);
      }
      pending.then((lane) => {
        trouble.worked();
        if (lane !== null) use(lane);
      }, trouble.failed);
    },
    tidy() {
      const now = clock.monotonic();
      for (const [channelUuid, until] of avoid) if (until <= now) avoid.delete(channelUuid);
      for (const [channelUuid, lines] of leftLines) if (!lines.busy()) leftLines.delete(channelUuid);
      for (const lane of lanes.values()) {
        if (lane.pumping || now - lane.scheduledAt <= IDLE_MS) continue;
        // What was scheduled here is still being worked off, and nobody else waits for the channel.
        const { service, marketing } = lane.waiting;
        if (service.backlog + marketing.backlog > 0 && lane.foreignAt <= lane.scheduledAt) continue;
        lane.leaving = lane.inFlight > 0;
        if (lane.leaving) continue;
        avoid.set(lane.channelUuid, now + AVOID_MS);
        close(lane);
        lane.lease
          .release()
          .catch((error: unknown) =>
            logger.warn({ err: error, channel_uuid: lane.channelUuid }, 'a channel could not be let go'),
          );
      }
    },
    async refresh() {
      await Promise.all(
        [...lanes.values()].map(async (lane) => {
          lane.facts = await readFacts(lane.channelUuid);
        }),
      );
    },
    async releaseAll() {
      released = true;
      // One that is being opened would keep its lease until that runs out.
      await Promise.allSettled(opening.values());
      await Promise.allSettled([...lanes.values()].map((lane) => lane.lease.release()));
    },
  };
}
