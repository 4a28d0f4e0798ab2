/**
 * A message that someone at the business wrote in the WhatsApp Business app: part of the conversation, not sent by us.
 */
import type { CommandContext } from '../../../application/execute.js';
import { admitToConversation, placeOf } from '../../../application/people/admit-to-conversation.js';
import { inboundMessageId, messageAggregate } from '../../../domain/message/decide.js';
import type { ProviderEchoUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findMessage } from '../find-message.js';
import { resolvePerson } from '../sender.js';
import { contextOf, type InboundApp } from './message.js';
import { happenedAt, writtenAt } from '../happened-at.js';

export function receiveEcho(
  app: InboundApp,
  channel: ChannelRef,
  update: ProviderEchoUpdate,
  asked: CommandContext,
): Promise<Applied> {
  return app.executor.together((executor) => receive({ ...app, executor }, channel, update, asked));
}

async function receive(
  app: InboundApp,
  channel: ChannelRef,
  update: ProviderEchoUpdate,
  asked: CommandContext,
): Promise<Applied> {
  const context = writtenAt(asked, update.at);
  // Already known: a repeated webhook, or one of our own sends.
  if ((await findMessage(app, channel, update.messageId)) !== null) return 'ok';
  const person = { waId: update.to, userId: update.toUserId, name: null };
  const contact = await resolvePerson(app, channel, person, context);
  if (contact === null) return { park: 'the echo names no recipient' };
  const own: CommandContext = { ...context, subject: contact.subject };
  const conversationUuid = await admitToConversation(
    app,
    placeOf(channel.company_uuid, channel.uuid, contact),
    'outbound',
    own,
  );
  await app.executor.execute(
    messageAggregate,
    inboundMessageId(channel.uuid, update.messageId),
    {
      type: 'EchoMessage',
      data: {
        company_uuid: channel.company_uuid,
        channel_uuid: channel.uuid,
        conversation_uuid: conversationUuid,
        contact_uuid: contact.uuid,
        type: update.type,
        content: { ...update.content },
        provider_message_id: update.messageId,
        sent_at: happenedAt(app, update.at),
        context: await contextOf(app, channel, update.context),
      },
    },
    { ...own, commandId: `${context.commandId}/message`, assumeNew: true },
  );
  return 'ok';
}
