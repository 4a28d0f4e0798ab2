/**
 * The channels that this process paces, each held under a lease. A channel belongs where its messages are scheduled: a
 * process that only finds work scheduled by another one releases the channel once its calls have ended.
 */
import type { App } from '../../application/app.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import type { ChannelLane } from './lane.js';
import { newLane, readFacts } from './new-lane.js';
import { createLines, type Lines } from './lines.js';

/** A channel is idle here when nothing was scheduled for this long. */
const IDLE_MS = 10_000;
/** Pause after a release, so that another process can acquire the channel. */
const AVOID_MS = 3_000;

export interface ChannelLanes {
  /** Calls `use` once this process holds the channel; never, when another process holds it. */
  with(channelUuid: string, why: 'scheduled' | 'found', use: (lane: ChannelLane) => void): void;
  get(channelUuid: string): ChannelLane | undefined;
  all(): Iterable<ChannelLane>;
  /** Releases channels that are idle here, or that another process should pace. */
  tidy(): void;
  /** Reads the channels and the operators' controls again. */
  refresh(): Promise<void>;
  /** Releases all channels for good: none is opened afterwards. */
  releaseAll(): Promise<void>;
}

/** @param onClosed called when this process no longer paces the channel */
export function createChannelLanes(
  app: Pick<
    App,
    'barrier' | 'clock' | 'dueTimes' | 'executor' | 'leases' | 'logger' | 'readModels' | 'replay' | 'settings'
  >,
  onClosed: (lane: ChannelLane) => void,
): ChannelLanes {
  const { clock, logger } = app;
  const lanes = new Map<string, ChannelLane>();
  const opening = new Map<string, Promise<ChannelLane | null>>();
  const avoid = new Map<string, number>();
  /**
   * Lines of channels that were released while calls were under way: a channel opened again gets them back, since these
   * calls still hold them.
   */
  const leftLines = new Map<string, Lines>();
  const trouble = createThrottledErrorLog(app, 'opening a channel for sending');
  let released = false;

  async function open(channelUuid: string): Promise<ChannelLane | null> {
    const lease = await app.leases.acquire(`send:${channelUuid}`);
    if (lease === null) return null;
    try {
      const opened = await newLane(app, lease, channelUuid);
      const lane = { ...opened, lines: leftLines.get(channelUuid) ?? createLines(clock) };
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

  function stays(lane: ChannelLane): void {
    lane.scheduledAt = clock.monotonic();
    lane.leaving = false;
  }

  /**
   * Calls under way end normally: the operations' streams allow one call each, no matter which process holds the
   * channel.
   */
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
        // Rows scheduled here are still being sent, and no other process waits for the channel.
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
          lane.facts = await readFacts(app, lane.channelUuid);
        }),
      );
    },
    async releaseAll() {
      released = true;
      // A channel that is being opened would keep its lease until the lease expires.
      await Promise.allSettled(opening.values());
      await Promise.allSettled([...lanes.values()].map((lane) => lane.lease.release()));
    },
  };
}
