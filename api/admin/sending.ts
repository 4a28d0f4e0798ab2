import type { App } from '../../application/app.js';
import { changeSending, readSending } from '../../application/provisioning/sending.js';
import type { ChannelControls, Stopped } from '../../domain/channel-controls/state.js';
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { channelPacing } from '../../read-models/pacing.js';
import { laneName, SEND_QUEUE } from '../../application/send/queue.js';
import { one } from '../routes/replies.js';
import { commander, type AdminHandlers } from './support.js';
import { pathParam } from '../middleware/call.js';

export function sendingRoutes(app: App): AdminHandlers {
  /** `per_second` is the pace of the last attempt, because another process may pace the channel now. */
  const present = async (channelUuid: ChannelUuid, { stopped, maxPerSecond, pause }: ChannelControls) => {
    const [pacing, service, marketing] = await Promise.all([
      app.readModels.get(channelPacing.name, channelUuid),
      app.dueTimes.count(SEND_QUEUE, laneName(channelUuid, 'service')),
      app.dueTimes.count(SEND_QUEUE, laneName(channelUuid, 'marketing')),
    ]);
    const doc = pacing?.doc;
    const paused = pause !== null && Date.parse(pause.until) > app.clock.now();
    return {
      channel_uuid: channelUuid,
      stopped,
      max_per_second: maxPerSecond,
      marketing_paused_until: paused ? pause.until : null,
      waiting: { service, marketing },
      last_attempt_at: doc === undefined ? null : new Date(doc.last_at).toISOString(),
      per_second: doc === undefined || doc.interval_ms === 0 ? null : Math.round(1e5 / doc.interval_ms) / 100,
    };
  };

  return {
    getSending: async ({ params }) => {
      const channelUuid = pathParam(params, 'channel_uuid');
      return one(await present(channelUuid, await readSending(app, channelUuid)));
    },

    changeSending: async (
      call,
      body: { readonly stopped?: Stopped; readonly max_per_second?: number | null },
    ) => {
      const channelUuid = pathParam(call.params, 'channel_uuid');
      const input = { channelUuid, stopped: body.stopped, maxPerSecond: body.max_per_second };
      return one(await present(channelUuid, await changeSending(app, input, commander(call))));
    },
  };
}
