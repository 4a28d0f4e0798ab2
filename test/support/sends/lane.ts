/** The lane of an idle channel, as the dispatcher sees it. */
import { startRate } from '../../../domain/policies/rate.js';
import type { Lease } from '../../../ports/leases.js';
import type { ChannelLane } from '../../../workers/sending/lane.js';
import { createLines } from '../../../workers/sending/lines.js';

const lease: Lease = {
  name: 'send:test',
  fence: 1,
  left: null,
  held: () => true,
  ended: new Promise(() => undefined),
  leave: () => undefined,
  release: async () => undefined,
};

export function makeLane(channelUuid: string, more: Partial<ChannelLane> = {}): ChannelLane {
  return {
    channelUuid,
    clock: { now: () => 0, monotonic: () => 0 },
    lease,
    facts: {
      companyUuid: channelUuid,
      stopped: 'nothing',
      throughputLevel: 'STANDARD',
      onBusinessApp: false,
      quality: 'GREEN',
      maxPerSecond: null,
    },
    rate: startRate(null, 0, 60),
    tat: 0,
    openedAt: 0,
    waiting: {
      service: { backlog: 0, nextDueAt: Infinity, moreLater: false },
      marketing: { backlog: 0, nextDueAt: Infinity, moreLater: false },
    },
    passedOver: 0,
    inFlight: 0,
    leaving: false,
    scheduledAt: 0,
    foreignAt: 0,
    pumping: false,
    again: false,
    lines: createLines({ now: () => 0, monotonic: () => 0 }),
    ready: [],
    ...more,
  };
}
