import type { App } from '../../application/app.js';
import { listChannels } from '../../application/queries/channels.js';
import { presentChannel } from '../../application/resources/channel.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';

export const channelRoutes = ({
  readModels,
  clock,
}: Pick<App, 'readModels' | 'clock'>): Handlers<ApiCaller> => ({
  listChannels: async ({ caller }) => {
    const channels = await listChannels(readModels, caller.company);
    // Not paged, so without `meta` (spec §4).
    return { status: 200, body: { data: channels.map((channel) => presentChannel(channel, clock.now())) } };
  },
});
