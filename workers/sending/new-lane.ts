/** A channel that this process begins to pace: what is known of it, and where its last holder stopped. */
import type { App } from '../../application/app.js';
import { presentDocument } from '../../application/present-document.js';
import { laneName, SEND_QUEUE, type Urgency } from '../../application/send/queue.js';
import { channelControlsAggregate } from '../../domain/channel-controls/decide.js';
import { channelStream } from '../../domain/streams.js';
import { ceilingOf } from '../../domain/policies/rate.js';
import type { Lease } from '../../ports/leases.js';
import { channels } from '../../read-models/channels.js';
import { channelPacing } from '../../read-models/pacing.js';
import type { ChannelLane, LaneFacts, Waiting } from './lane.js';
import { restoredPace } from './restored-pace.js';

type LaneApp = Pick<
  App,
  'readModels' | 'dueTimes' | 'clock' | 'settings' | 'executor' | 'barrier' | 'replay'
>;

/**
 * Continues where the last holder stopped: from the state it left in its lease, or from its last attempt in the
 * history.
 */
export async function newLane(
  app: LaneApp,
  lease: Lease,
  channelUuid: string,
): Promise<Omit<ChannelLane, 'lines'>> {
  const { clock } = app;
  const [stored, facts, service, marketing] = await Promise.all([
    app.readModels.get(channelPacing.name, channelUuid),
    readFacts(app, channelUuid),
    waitingOf(app, channelUuid, 'service'),
    waitingOf(app, channelUuid, 'marketing'),
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

async function waitingOf(app: LaneApp, channelUuid: string, urgency: Urgency): Promise<Waiting> {
  const backlog = await app.dueTimes.count(SEND_QUEUE, laneName(channelUuid, urgency));
  // Due at once: a claim returns no row that is not due.
  return { backlog, nextDueAt: backlog > 0 ? 0 : Infinity, moreLater: false };
}

/** What the channel and the operators' controls say of it now. */
export async function readFacts(app: LaneApp, channelUuid: string): Promise<LaneFacts> {
  const [channel, { state }] = await Promise.all([
    presentDocument(app, channels.name, channelStream.toName(channelUuid), channelUuid),
    app.executor.load(channelControlsAggregate, channelUuid),
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
