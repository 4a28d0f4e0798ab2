/** Channel as the contract shows it (spec §2). */
import { channelCapabilities } from '../../domain/channel/capabilities.js';
import type { ChannelDoc } from '../../read-models/channels.js';

/** The fields of a `channels` document used here. */
export type ChannelSource = Pick<
  ChannelDoc,
  | 'uuid'
  | 'company_uuid'
  | 'display_name'
  | 'phone_number'
  | 'status'
  | 'quality_rating'
  | 'messaging_limit'
  | 'throughput_level'
  | 'name_status'
  | 'restrictions'
>;

/** Restrictions expire by themselves, so the capabilities of a channel depend on the current time. */
export function presentChannel(channel: ChannelSource, now: number) {
  const { uuid, display_name, phone_number, status } = channel;
  return {
    uuid,
    provider: 'whatsapp',
    display_name,
    phone_number,
    status,
    capabilities: channelCapabilities(channel, new Date(now).toISOString()),
    health: {
      quality: channel.quality_rating,
      messaging_limit: channel.messaging_limit,
      throughput: channel.throughput_level,
      name_status: channel.name_status,
    },
  } as const;
}

export type ChannelResource = ReturnType<typeof presentChannel>;
