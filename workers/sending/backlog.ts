/** What waits in the channels that this process paces, and in those that it only schedules for: how long a new send waits. */
import type { App } from '../../application/app.js';
import { parseLane } from '../../application/send/queue.js';
import { createCache } from '../../ports/cache.js';
import { isStopped, nextSendAt, paceAt } from './lane.js';
import type { ChannelLanes } from './lanes.js';
import type { Backlog } from './send-scheduler.js';

const MOMENT_MS = 1_000;

export function createBacklog(app: Pick<App, 'clock' | 'settings'>, lanes: ChannelLanes): Backlog {
  const { clock, settings } = app;
  /** Messages added within a second, of channels that have no lane open here. */
  const moments = createCache<string, { readonly since: number; count: number }>(10_000);
  function momentOf(channelUuid: string): { count: number } {
    const now = clock.monotonic();
    let moment = moments.get(channelUuid);
    if (!moment || now - moment.since > MOMENT_MS)
      moments.set(channelUuid, (moment = { since: now, count: 0 }));
    return moment;
  }

  return {
    expectedWaitMs(name) {
      const { channelUuid, urgency } = parseLane(name);
      const lane = lanes.get(channelUuid);
      // Not opened yet, or held by another process: only the rate and the messages added in this second are known.
      if (!lane) return momentOf(channelUuid).count * (1000 / settings.channelRate);
      if (isStopped(lane, urgency)) return settings.pacingWindowMs;
      const pace = paceAt(lane, clock.monotonic(), settings.channelRate);
      const { service, marketing } = lane.waiting;
      const before = service.backlog + (urgency === 'marketing' ? marketing.backlog : 0);
      return Math.max(0, nextSendAt(lane, pace) - clock.monotonic()) + before * pace.intervalMs;
    },
    isStopped(name) {
      const { channelUuid, urgency } = parseLane(name);
      const lane = lanes.get(channelUuid);
      return lane !== undefined && isStopped(lane, urgency);
    },
    isHeld: (name) => lanes.get(parseLane(name).channelUuid)?.lease.held() === true,
    added(name, count) {
      const { channelUuid, urgency } = parseLane(name);
      if (!lanes.get(channelUuid)) momentOf(channelUuid).count += count;
      lanes.with(channelUuid, 'scheduled', (lane) => (lane.waiting[urgency].backlog += count));
    },
  };
}
