/**
 * Updates about a number or a whole WhatsApp account. The webhook is only a trigger; the state is read from the
 * number's own node.
 */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { checkChannel } from '../../../application/provisioning/channels.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { ProviderAccountUpdate, ProviderNumberUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import { channelsOfAccount, type ChannelRef } from '../channels.js';

export async function applyNumber(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'readModels' | 'secrets'>,
  update: ProviderNumberUpdate,
  context: CommandContext,
): Promise<Applied> {
  const channels = await channelsOf(app, update.wabaId);
  const concerned = channels.filter((channel) => channel.phone_number?.replace(/\D/g, '') === update.phone);
  return check(app, concerned, context);
}

/** Alerts and reviews change no stored state. They are parked so that an operator sees them. */
export async function applyAccount(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'readModels' | 'secrets'>,
  update: ProviderAccountUpdate,
  context: CommandContext,
): Promise<Applied> {
  if (update.about === 'alert' || update.about === 'review')
    return { park: `WhatsApp account ${update.about}: ${update.summary}` };
  const channels = await channelsOf(app, update.wabaId);
  if (update.about === 'update') {
    for (const channel of channels) await reportAccount(app, channel, update, context);
  }
  return check(app, channels, context);
}

/** Only webhooks report bans and restrictions of the account; the numbers' nodes do not contain them. */
async function reportAccount(
  app: Pick<App, 'executor'>,
  channel: ChannelRef,
  update: ProviderAccountUpdate,
  context: CommandContext,
): Promise<void> {
  await app.executor.execute(
    channelAggregate,
    channel.uuid,
    {
      type: 'ReportAccount',
      event: update.event ?? 'UNKNOWN',
      banState: update.banState,
      restrictions: update.restrictions.map(({ type, expiresAt }) => ({ type, expires_at: expiresAt })),
      at: update.at,
    },
    { ...context, company: channel.company_uuid, commandId: `${context.commandId}/account/${channel.uuid}` },
  );
}

const channelsOf = async (
  app: Pick<App, 'readModels'>,
  wabaId: string | null,
): Promise<readonly ChannelRef[]> => (wabaId === null ? [] : channelsOfAccount(app.readModels, wabaId));

async function check(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'secrets'>,
  channels: readonly ChannelRef[],
  context: CommandContext,
): Promise<Applied> {
  if (channels.length === 0) return { park: 'no channel belongs to this WhatsApp account or number' };
  const { actor, correlationId } = context;
  for (const { uuid } of channels) {
    try {
      await checkChannel(app, { channelUuid: uuid }, { actor, correlationId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // `provider_unavailable` may pass. The other codes are final, and an operator has to solve them.
      const reason = `the state of the channel ${uuid} could not be read: ${error.code}`;
      return error.code === 'provider_unavailable' ? { retry: reason } : { park: reason };
    }
  }
  return 'ok';
}
