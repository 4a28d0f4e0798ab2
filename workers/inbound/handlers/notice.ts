/** A notice about a conversation that neither party wrote (spec §2, system_notice). */
import type { App } from '../../../application/app.js';
import { currentConversation } from '../../../application/conversation/current.js';
import type { CommandContext } from '../../../application/execute.js';
import type { ResolvedContact } from '../../../application/people/resolve-contact.js';
import { inboundMessageId, messageAggregate } from '../../../domain/message/decide.js';
import type { ProviderNoticeUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findPerson } from '../sender.js';
import { happenedAt } from '../happened-at.js';

export async function applyNotice(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  channel: ChannelRef,
  update: ProviderNoticeUpdate,
  context: CommandContext,
): Promise<Applied> {
  const contact = await findPerson(app, channel, { waId: update.from, userId: update.fromUserId });
  const noticed =
    contact !== null &&
    (await recordNotice(
      app,
      channel,
      {
        contact,
        kind: update.notice,
        providerMessageId: update.messageId,
        at: update.at,
      },
      context,
    ));
  // The conversation that it is about may still arrive.
  return noticed ? 'ok' : { retry: `no conversation is known that the notice "${update.notice}" belongs to` };
}

/**
 * Adds the notice to the contact's latest conversation on the channel, without opening or reopening it. False when the
 * contact has no conversation there.
 */
export async function recordNotice(
  app: Pick<App, 'clock' | 'executor' | 'readModels'>,
  channel: ChannelRef,
  notice: {
    readonly contact: ResolvedContact;
    readonly kind: string;
    readonly providerMessageId: string;
    readonly at: string | null;
  },
  context: CommandContext,
): Promise<boolean> {
  const { contact } = notice;
  const conversation = await currentConversation(app, {
    channelUuid: channel.uuid,
    contactUuid: contact.uuid,
    absorbed: contact.contact.absorbed,
  });
  if (conversation === null) return false;
  await app.executor.execute(
    messageAggregate,
    inboundMessageId(channel.uuid, notice.providerMessageId),
    {
      type: 'RecordNotice',
      data: {
        company_uuid: channel.company_uuid,
        channel_uuid: channel.uuid,
        conversation_uuid: conversation.uuid,
        contact_uuid: contact.uuid,
        kind: notice.kind,
        provider_message_id: notice.providerMessageId,
        at: happenedAt(app, notice.at),
      },
    },
    { ...context, commandId: `${context.commandId}/notice`, subject: null },
  );
  return true;
}
