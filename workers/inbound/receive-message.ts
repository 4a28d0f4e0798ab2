/** A customer's message: contact, conversation and message, once per provider message id. */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { admitToConversation } from '../../application/people/admit-to-conversation.js';
import { resolveContact } from '../../application/people/resolve-contact.js';
import { subjectOf } from '../../application/people/subject.js';
import { contactAggregate, type ContactCommand } from '../../domain/contact/decide.js';
import { inboundMessageId, messageAggregate } from '../../domain/message/decide.js';
import { phoneKey } from '../../domain/policies/phone.js';
import type { ProviderMessageUpdate } from '../../ports/provider-webhook.js';
import type { ChannelRef } from './channels.js';

/** False when the payload does not say who wrote: nothing can be made of it. */
export async function receiveMessage(
  app: App,
  channel: ChannelRef,
  update: ProviderMessageUpdate,
  context: CommandContext,
): Promise<boolean> {
  const phone = update.from === null ? null : `+${update.from}`;
  const key = phone === null ? null : phoneKey(phone);
  const who = key ?? update.fromUserId;
  if (who === null) return false;
  const subject = subjectOf(app.indexSecret, channel.company_uuid, who);
  const base: CommandContext = { ...context, subject };
  const contact = await resolveContact(
    app,
    channel.company_uuid,
    { phone, phoneKey: key, waUserId: update.fromUserId, name: update.profileName },
    'inbound',
    base,
  );
  const learn = (command: ContactCommand, step: string) =>
    app.executor.execute(contactAggregate, contact.uuid, command, {
      ...base,
      commandId: `${base.commandId}/${step}`,
      subject: contact.subject,
    });
  if (update.profileName !== null)
    await learn({ type: 'LearnProfileName', name: update.profileName }, 'name');
  if (update.from !== null && contact.contact.phone !== phone) {
    await learn({ type: 'LearnWaId', channelUuid: channel.uuid, waId: update.from }, 'wa-id');
  }
  const conversationUuid = await admitToConversation(
    app,
    { companyUuid: channel.company_uuid, channelUuid: channel.uuid, contactUuid: contact.uuid },
    'inbound',
    base,
  );
  await app.executor.execute(
    messageAggregate,
    inboundMessageId(channel.uuid, update.messageId),
    {
      type: 'ReceiveMessage',
      data: {
        company_uuid: channel.company_uuid,
        channel_uuid: channel.uuid,
        conversation_uuid: conversationUuid,
        contact_uuid: contact.uuid,
        type: update.type,
        content: { ...update.content },
        provider_message_id: update.messageId,
        sent_at: update.at ?? new Date(app.clock.now()).toISOString(),
        context: update.context === null ? null : { ...update.context },
        referral: update.referral === null ? null : { ...update.referral },
      },
    },
    { ...base, commandId: `${base.commandId}/message`, subject: contact.subject, assumeNew: true },
  );
  return true;
}
