import { notFound } from '../../application/provisioning/common.js';
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { parsePhone } from '../../domain/policies/phone.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { SandboxControl } from '../../ports/sandbox-control.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';
import { one } from '../routes/replies.js';
import { accepted, readAll, type AdminHandlers } from './support.js';
import { pathParam } from '../middleware/call.js';

type Body = Readonly<Record<string, unknown>>;

interface ReplyBody {
  readonly from: string;
  readonly text: string;
  readonly channel_uuid?: ChannelUuid;
}

async function channelsOf(readModels: ReadModels, sandbox: SandboxControl): Promise<readonly ChannelDoc[]> {
  const { phone_numbers: numbers } = await sandbox.play('info', {});
  const found = await Promise.all(
    (numbers as readonly { readonly phone_number_id: string }[]).map(({ phone_number_id }) =>
      readAll(readModels, channels.name, 'by_phone_number_id', [phone_number_id]),
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

function required(sandbox: SandboxControl | null): SandboxControl {
  if (sandbox) return sandbox;
  throw new Refusal('sandbox_disabled', 'The sandbox is not running: this deployment talks to WhatsApp.');
}

function noneWhereDisabled(error: unknown): null {
  if (error instanceof Refusal && error.code === 'sandbox_disabled') return null;
  throw error;
}

export const sandboxRoutes = (readModels: ReadModels, sandbox: SandboxControl | null): AdminHandlers => ({
  getSandbox: async () => {
    const channels = sandbox ? await channelsOf(readModels, sandbox).catch(noneWhereDisabled) : null;
    return one({
      enabled: channels !== null,
      api_url: channels === null ? null : (sandbox?.url ?? null),
      channels: (channels ?? []).map(({ uuid, phone_number_id, phone_number }) => ({
        channel_uuid: uuid,
        phone_number_id,
        phone_number,
      })),
    });
  },

  playSandboxReply: async (_call, { from, text, channel_uuid }: ReplyBody) => {
    const running = required(sandbox);
    const phone = parsePhone(from, 'from');
    const channel = choose(await channelsOf(readModels, running), channel_uuid?.toLowerCase());
    const { message_id } = await running.play('message', {
      phone_number_id: channel.phone_number_id,
      from: phone.e164,
      type: 'text',
      text,
    });
    return accepted({ message_id, channel_uuid: channel.uuid });
  },

  playSandbox: async ({ params }, body: Body & { readonly channel_uuid?: ChannelUuid }) => {
    const running = required(sandbox);
    const { channel_uuid: uuid, ...play } = body;
    if (uuid === undefined) return one(await running.play(pathParam(params, 'play'), play));
    const channel = choose(await channelsOf(readModels, running), uuid.toLowerCase());
    return one(
      await running.play(pathParam(params, 'play'), { ...play, phone_number_id: channel.phone_number_id }),
    );
  },
});
