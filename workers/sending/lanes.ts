/**
 * The channels that this process paces. Each is held under a lease, and goes where its messages come in: a process that
 * only ever finds the work of a channel, because another one schedules it, lets the channel go.
 */
import type { App } from '../../application/app.js';
import { newLane, type Lane } from './lane.js';
import { SEND_QUEUE } from './queue.js';

/** Without work that was scheduled here for this long. */
const IDLE_MS = 10_000;
/** After letting go, so that another process gets its chance. */
const AVOID_MS = 3_000;

interface ChannelPacingDoc {
  readonly channel_tat: number;
}

export interface Lanes {
  /** Calls `use` once the channel is this process's; never, when it is another's. */
  with(channelUuid: string, why: 'scheduled' | 'found', use: (lane: Lane) => void): void;
  get(channelUuid: string): Lane | undefined;
  all(): Iterable<Lane>;
  /** Lets go of channels that are better off elsewhere. */
  tidy(): void;
  releaseAll(): Promise<void>;
}

export function createLanes(app: App, onClosed: () => void): Lanes {
  const { clock, logger } = app;
  const lanes = new Map<string, Lane>();
  const opening = new Map<string, Promise<Lane | null>>();
  const avoid = new Map<string, number>();

  async function open(channelUuid: string): Promise<Lane | null> {
    const lease = await app.leases.acquire(`send:${channelUuid}`);
    if (lease === null) return null;
    try {
      const stored = await app.readModels.get<ChannelPacingDoc>('channel_pacing', channelUuid);
      const backlog = await app.dueTimes.count(SEND_QUEUE, channelUuid);
      const lane = newLane(lease, channelUuid, stored?.doc.channel_tat ?? 0, backlog, clock.now());
      lanes.set(channelUuid, lane);
      void lease.ended.then(() => close(lane));
      return lane;
    } catch (error) {
      await lease.release().catch(() => undefined);
      throw error;
    }
  }

  /** What it has begun ends as it may: the operations' streams allow one call each, whoever holds the channel. */
  function close(lane: Lane): void {
    lane.cancelWake?.();
    if (lanes.get(lane.channelUuid) === lane) lanes.delete(lane.channelUuid);
    onClosed();
  }

  return {
    get: (channelUuid) => lanes.get(channelUuid),
    all: () => lanes.values(),
    with(channelUuid, why, use) {
      const known = lanes.get(channelUuid);
      if (known) {
        if (why === 'scheduled') known.scheduledAt = clock.now();
        return use(known);
      }
      if (why === 'found' && (avoid.get(channelUuid) ?? 0) > clock.now()) return;
      let pending = opening.get(channelUuid);
      if (!pending) {
        pending = open(channelUuid).finally(() => opening.delete(channelUuid));
        opening.set(channelUuid, pending);
      }
      pending.then(
        (lane) => {
          if (lane !== null) use(lane);
        },
        (error: unknown) =>
          logger.error({ err: error, channel_uuid: channelUuid }, 'could not open the channel for sending'),
      );
    },
    tidy() {
      const now = clock.now();
      for (const [channelUuid, until] of avoid) if (until <= now) avoid.delete(channelUuid);
      for (const lane of lanes.values()) {
        if (lane.pumping || now - lane.scheduledAt <= IDLE_MS) continue;
        avoid.set(lane.channelUuid, now + AVOID_MS);
        close(lane);
        lane.lease
          .release()
          .catch((error: unknown) =>
            logger.warn({ err: error, channel_uuid: lane.channelUuid }, 'a channel could not be let go'),
          );
      }
    },
    async releaseAll() {
      for (const lane of lanes.values()) lane.cancelWake?.();
      await Promise.allSettled([...lanes.values()].map((lane) => lane.lease.release()));
    },
  };
}
