/** Which channel a send goes through (spec §4: the resolution rule of sends and flow executions). */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ReadModels } from '../../ports/read-models.js';

export interface SendingChannel {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly waba_id: string;
  readonly phone_number_id: string;
  readonly display_name: string | null;
  readonly status: string;
  readonly access_token_sealed: string;
}

export async function chooseChannel(
  readModels: ReadModels,
  companyUuid: string,
  channelUuid: string | undefined,
): Promise<SendingChannel> {
  if (channelUuid !== undefined) {
    const channel = (await readModels.get<SendingChannel>('channels', channelUuid))?.doc;
    if (channel?.company_uuid !== companyUuid) {
      throw new Refusal('channel_not_found', 'There is no such channel. List yours with GET /channels.', {
        channel_uuid: channelUuid,
      });
    }
    if (channel.status !== 'connected') throw notConnected(channel);
    return channel;
  }
  const { documents } = await readModels.find<SendingChannel>('channels', {
    index: 'by_company',
    equals: [companyUuid],
    order: 'asc',
    limit: 100,
  });
  const all = documents.map((document) => document.doc);
  const connected = all.filter((channel) => channel.status === 'connected');
  if (connected.length === 1) return connected[0]!;
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
