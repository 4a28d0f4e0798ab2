/** Finds the channels that a provider's ids belong to. */
import type { ReadModels } from '../../ports/read-models.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';

export type ChannelRef = Pick<ChannelDoc, 'uuid' | 'company_uuid' | 'status' | 'phone_number' | 'taken_off'>;

export async function channelByPhoneNumberId(
  readModels: ReadModels,
  phoneNumberId: string,
): Promise<ChannelRef | null> {
  // Newest first: a number that was disconnected and connected again belongs to the newer channel.
  const { documents } = await readModels.find(channels.name, {
    index: 'by_phone_number_id',
    equals: [phoneNumberId],
    order: 'desc',
    limit: 10,
  });
  const found = documents.map((document) => document.doc);
  return found.find((channel) => channel.status !== 'disconnected') ?? found[0] ?? null;
}

/** More numbers than an account may have (25 by Meta's present limits). */
const MAX_NUMBERS = 200;

/** Numbers of a WhatsApp Business account, in any state, except those that an operator took off. */
export async function channelsOfAccount(
  readModels: ReadModels,
  wabaId: string,
): Promise<readonly ChannelRef[]> {
  const { documents } = await readModels.find(channels.name, {
    index: 'by_waba_id',
    equals: [wabaId],
    order: 'desc',
    limit: MAX_NUMBERS,
  });
  return documents.map(({ doc }) => doc).filter(({ taken_off }) => !taken_off);
}
