/** Which channel a provider's phone number id belongs to. */
import type { ReadModels } from '../../ports/read-models.js';

export interface ChannelRef {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly status: string;
}

export async function channelByPhoneNumberId(
  readModels: ReadModels,
  phoneNumberId: string,
): Promise<ChannelRef | null> {
  // Newest first: a number that was disconnected and connected again belongs to the newer channel.
  const { documents } = await readModels.find<ChannelRef>('channels', {
    index: 'by_phone_number_id',
    equals: [phoneNumberId],
    order: 'desc',
    limit: 10,
  });
  const channels = documents.map((document) => document.doc);
  return channels.find((channel) => channel.status !== 'disconnected') ?? channels[0] ?? null;
}
