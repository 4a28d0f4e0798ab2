/**
 * Imports a thread of the Business app's history without side effects. It sends no webhook, makes nothing unread, opens
 * no service window and reopens no conversation. It also ignores opt-out keywords, which may be months old.
 */
import type { App } from '../../../application/app.js';
import { currentConversation } from '../../../application/conversation/current.js';
import type { CommandContext } from '../../../application/execute.js';
import type { ResolvedContact } from '../../../application/people/resolve-contact.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { inboundMessageId, messageAggregate } from '../../../domain/message/decide.js';
import type { ProviderHistoryUpdate, ProviderPastMessage } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findMessage } from '../find-message.js';
import { resolvePerson } from '../sender.js';
import { contextOf } from './message.js';
import { happenedAt, writtenAt } from '../happened-at.js';

/** Parallel appends: a chunk may hold thousands of messages, and live messages must get through beside it. */
const AT_ONCE = 20;

const STATUS: Readonly<Record<string, string>> = {
  PENDING: 'queued',
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  PLAYED: 'read',
  ERROR: 'failed',
};

export async function importHistory(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  channel: ChannelRef,
  update: ProviderHistoryUpdate,
  context: CommandContext,
): Promise<Applied> {
  const person = { waId: update.waId, userId: update.userId, name: null };
  const contact = await resolvePerson(app, channel, person, context, 'import');
  if (contact === null) return { park: 'the history names nobody' };
  const place = {
    company_uuid: channel.company_uuid,
    channel_uuid: channel.uuid,
    conversation_uuid: await threadOf(app, channel, contact, context),
    contact_uuid: contact.uuid,
  };
  for (let from = 0; from < update.messages.length; from += AT_ONCE) {
    await Promise.all(
      update.messages
        .slice(from, from + AT_ONCE)
        .map((message) =>
          importMessage(app, channel, place, message, { ...context, subject: contact.subject }),
        ),
    );
  }
  return 'ok';
}

/** The latest conversation in any state; without one, a first conversation is created. */
async function threadOf(
  app: Pick<App, 'executor' | 'readModels'>,
  channel: ChannelRef,
  { uuid: contactUuid, contact }: ResolvedContact,
  context: CommandContext,
): Promise<string> {
  const place = { channelUuid: channel.uuid, contactUuid };
  const known = await currentConversation(app, { ...place, absorbed: contact.absorbed });
  if (known !== null) return known.uuid;
  const ordinal = 0;
  const uuid = conversationId(contactUuid, channel.uuid, ordinal);
  await app.executor.execute(
    conversationAggregate,
    uuid,
    { type: 'AdmitMessage', by: 'history', companyUuid: channel.company_uuid, ...place, ordinal },
    { ...context, commandId: `${context.commandId}/conversation`, subject: null },
  );
  return uuid;
}

async function importMessage(
  app: Pick<App, 'clock' | 'executor' | 'readModels' | 'store'>,
  channel: ChannelRef,
  place: {
    readonly company_uuid: string;
    readonly channel_uuid: string;
    readonly conversation_uuid: string;
    readonly contact_uuid: string;
  },
  message: ProviderPastMessage,
  context: CommandContext,
): Promise<void> {
  // One of our own sends, which the app's history also contains.
  const known = await findMessage(app, channel, message.messageId);
  if (known !== null && known.operationUuid !== null) return;
  await app.executor.execute(
    messageAggregate,
    inboundMessageId(channel.uuid, message.messageId),
    {
      type: 'ImportMessage',
      data: {
        ...place,
        direction: message.direction,
        type: message.type,
        content: { ...message.content },
        status: message.direction === 'inbound' ? 'received' : (STATUS[message.status ?? ''] ?? 'sent'),
        provider_message_id: message.messageId,
        sent_at: happenedAt(app, message.at),
        context: await contextOf(app, channel, message.context),
      },
    },
    { ...writtenAt(context, message.at), commandId: `${context.commandId}/${message.messageId}` },
  );
}
