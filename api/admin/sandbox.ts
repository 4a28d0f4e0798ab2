import { notFound } from '../../application/provisioning/common.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { parsePhone } from '../../domain/policies/phone.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { ChannelDoc } from '../../projections/models/channels.js';
import { one } from '../routes/replies.js';
import { accepted, readAll, type AdminHandlers } from './support.js';

/** As much of the built-in sandbox as an operator plays with. */
export interface SandboxControl {
  /** Graph base address. */
  readonly url: string;
  readonly phoneNumbers: readonly { readonly id: string }[];
  /** A person writes to one of the numbers; answers the message id. */
  reply(text: { phoneNumberId: string; from: string; text: string }): string;
}

async function channelsOf(readModels: ReadModels, sandbox: SandboxControl): Promise<readonly ChannelDoc[]> {
  const found = await Promise.all(
    sandbox.phoneNumbers.map(({ id }) =>
      readAll<ChannelDoc>(readModels, 'channels', 'by_phone_number_id', [id]),
    ),
  );
  return found.flat().filter(({ status }) => status !== 'disconnected');
}

function choose(channels: readonly ChannelDoc[], uuid: string | undefined): ChannelDoc {
  if (uuid !== undefined) {
    const named = channels.find((channel) => channel.uuid === uuid);
    if (!named) throw notFound('channel', 'channel of the sandbox');
    return named;
  }
  const [only, ...others] = channels;
  if (only && others.length === 0) return only;
  throw only
    ? new Refusal(
        'channel_required',
        'Several channels are connected to the sandbox; name one as channel_uuid.',
      )
    : new Refusal('channel_not_connected', 'No channel is connected to the sandbox. Connect one first.');
}

export const sandboxRoutes = (readModels: ReadModels, sandbox: SandboxControl | null): AdminHandlers => ({
  getSandbox: async () => {
    const channels = sandbox ? await channelsOf(readModels, sandbox) : [];
    return one({
      enabled: sandbox !== null,
      api_url: sandbox?.url ?? null,
      channels: channels.map(({ uuid, phone_number_id, phone_number }) => ({
        channel_uuid: uuid,
        phone_number_id,
        phone_number,
      })),
    });
  },

  playSandboxReply: async ({ body }) => {
    if (!sandbox) {
      throw new Refusal('sandbox_disabled', 'The sandbox is not running: this deployment talks to WhatsApp.');
    }
    const { from, text, channel_uuid } = body as {
      readonly from: string;
      readonly text: string;
      readonly channel_uuid?: string;
    };
    const phone = parsePhone(from, 'from');
    const channel = choose(await channelsOf(readModels, sandbox), channel_uuid?.toLowerCase());
    const messageId = sandbox.reply({ phoneNumberId: channel.phone_number_id, from: phone.e164, text });
    return accepted({ message_id: messageId, channel_uuid: channel.uuid });
  },
});
