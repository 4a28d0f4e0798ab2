/** Chooses the channel of a send (spec §4: the resolution rule of sends and flow executions). */
import { restrictionsOn, type ChannelCapabilities } from '../../domain/channel/capabilities.js';
import type { ChannelUuid, CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import { opening } from '../../domain/policies/gates.js';
import type { ReadModels } from '../../ports/read-models.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';

export type SendingChannel = Pick<
  ChannelDoc,
  | 'uuid'
  | 'company_uuid'
  | 'waba_id'
  | 'phone_number_id'
  | 'display_name'
  | 'status'
  | 'restrictions'
  | 'access_token_sealed'
>;

export async function chooseChannel(
  readModels: ReadModels,
  companyUuid: CompanyUuid,
  channelUuid: ChannelUuid | undefined,
): Promise<SendingChannel> {
  if (channelUuid !== undefined) {
    const channel = (await readModels.get(channels.name, channelUuid))?.doc;
    if (channel?.company_uuid !== companyUuid) {
      throw new Refusal('channel_not_found', 'There is no such channel. List yours with GET /channels.', {
        channel_uuid: channelUuid,
      });
    }
    if (channel.status !== 'connected') throw notConnected(channel);
    return channel;
  }
  const { documents } = await readModels.find(channels.name, {
    index: 'by_company',
    equals: [companyUuid],
    order: 'asc',
    limit: 100,
  });
  const all = documents.map((document) => document.doc);
  const connected = all.filter((channel) => channel.status === 'connected');
  const [one, second] = connected;
  if (one && !second) return one;
  const [only] = all;
  if (only === undefined) {
    throw new Refusal('channel_not_connected', 'This company has no channel. Connect one first.', {});
  }
  if (all.length === 1) throw notConnected(only);
  throw new Refusal('channel_required', 'This company has several channels: name one in channel_uuid.', {
    channels: (connected.length > 0 ? connected : all).map(({ uuid, display_name, status }) => ({
      uuid,
      display_name,
      status,
    })),
  });
}

function notConnected(channel: SendingChannel): Refusal {
  return new Refusal(
    'channel_not_connected',
    'This channel is not connected to WhatsApp, so it can not send. See its status in GET /channels.',
    { channel_uuid: channel.uuid, status: channel.status },
  );
}

export interface Restriction {
  /** Epoch milliseconds; null when WhatsApp does not give an end. */
  readonly endsAt: number | null;
  readonly refusal: Refusal;
}

/**
 * The restriction that prevents a connected channel from sending. A restricted account may keep some capabilities,
 * shown in `capabilities` of GET /channels. Null when it is not restricted.
 * @param now epoch milliseconds
 */
export function restrictionOf(
  channel: SendingChannel,
  capability: keyof ChannelCapabilities,
  now: number,
): Restriction | null {
  const restrictions = restrictionsOn(channel, capability, new Date(now).toISOString());
  if (restrictions.length === 0) return null;
  const ends = restrictions.map(({ expires_at: at }) => (at === null ? Infinity : Date.parse(at)));
  const endsAt = ends.includes(Infinity) ? null : Math.max(...ends);
  const { uuid, status } = channel;
  return {
    endsAt,
    refusal: new Refusal(
      'channel_not_connected',
      'WhatsApp restricts the account of this channel, so it can not send this now. See its capabilities in GET /channels.',
      {
        channel_uuid: uuid,
        status,
        capability,
        restrictions: restrictions.map((restriction) => ({ ...restriction })),
        ...(endsAt === null ? {} : opening(endsAt, now)),
      },
    ),
  };
}

/** The capability that a send requires: every message that is no template is free-form, like text. */
export const capabilityFor = (messageType: SendAsAccepted['message_type']): 'send_text' | 'send_template' =>
  messageType === 'template' ? 'send_template' : 'send_text';
