/** Which channels a provider's ids belong to. */
import type { ReadModels } from '../../ports/read-models.js';

export interface ChannelRef {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly status: string;
  readonly phone_number: string | null;
  readonly taken_off: boolean;
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

/** More numbers than an account may have (25 by Meta's present limits). */
const MAX_NUMBERS = 200;

/** Numbers of a WhatsApp Business account, whatever WhatsApp says of them; not those that an operator took off. */
export async function channelsOfAccount(
  readModels: ReadModels,
  wabaId: string,
): Promise<readonly ChannelRef[]> {
  const { documents } = await readModels.find<ChannelRef>('channels', {
    index: 'by_waba_id',
    equals: [wabaId],
    order: 'desc',
    limit: MAX_NUMBERS,
  });
  return documents.map(({ doc }) => doc).filter(({ taken_off }) => !taken_off);
}
