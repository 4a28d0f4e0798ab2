/** Channel as the contract shows it (spec §2). */
import { channelCapabilities } from '../../domain/channel/capabilities.js';
import type { ChannelRestriction } from '../../domain/channel/state.js';

/** What is read of a `channels` document. */
export interface ChannelSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly status: string;
  readonly quality_rating: string | null;
  readonly messaging_limit: string | null;
  readonly throughput_level: string | null;
  readonly name_status: string | null;
  readonly restrictions: readonly ChannelRestriction[];
}

/** Restrictions end by themselves, so what a channel can do depends on the moment it is shown. */
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
