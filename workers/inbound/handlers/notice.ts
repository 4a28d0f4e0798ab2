/** Something about a conversation that neither party said (spec §2, system_notice). */
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
  app: App,
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
  // What it is about may be on its way.
  return noticed ? 'ok' : { retry: `no conversation is known that the notice "${update.notice}" belongs to` };
}

/** Puts it into the contact's latest conversation on the channel, which it neither opens nor reopens. False without one. */
export async function recordNotice(
  app: App,
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
