/** A customer's message: contact, conversation and message, once per provider message id. */
import type { App } from '../../../application/app.js';
import { attribute, optIn, optOut, type ContactRef } from '../../../application/contacts/marketing.js';
import type { CommandContext } from '../../../application/execute.js';
import { admitToConversation, placeOf } from '../../../application/people/admit-to-conversation.js';
import { companyAggregate } from '../../../domain/company/decide.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { inboundMessageId, messageAggregate } from '../../../domain/message/decide.js';
import { ANSWERED_AT, orderedAt } from '../../../domain/message/order.js';
import { LONGEST_SAID, readOptOutWord } from '../../../domain/policies/opt-out-words.js';
import { messageStream } from '../../../domain/streams.js';
import type {
  ProviderMessageContent,
  ProviderMessageContext,
  ProviderMessageUpdate,
} from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findMessage } from '../find-message.js';
import { resolvePerson } from '../sender.js';
import { happenedAt, writtenAt } from '../happened-at.js';

/** A message that came in takes this of the app. */
export type InboundApp = Pick<
  App,
  'clock' | 'executor' | 'indexSecret' | 'lastOrdinals' | 'personOwners' | 'readModels' | 'store'
>;

export function receiveMessage(
  app: InboundApp,
  channel: ChannelRef,
  update: ProviderMessageUpdate,
  asked: CommandContext,
): Promise<Applied> {
  // Of a new customer: their contact, conversation and message are there in one append.
  return app.executor.together((executor) => receive({ ...app, executor }, channel, update, asked));
}

async function receive(
  app: InboundApp,
  channel: ChannelRef,
  update: ProviderMessageUpdate,
  asked: CommandContext,
): Promise<Applied> {
  const context = writtenAt(asked, update.at);
  const uuid = inboundMessageId(channel.uuid, update.messageId);
  const sentAt = happenedAt(app, update.at);
  const noteInbound = async (conversationUuid: string): Promise<void> => {
    if (!opensServiceWindow(update)) return;
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      { type: 'NoteInbound', at: sentAt },
      { ...context, commandId: `${context.commandId}/window`, subject: null },
    );
  };
  // Meta repeats webhooks for days: a repeat must not reopen a conversation that was resolved meanwhile.
  const { state: known } = await app.executor.load(messageAggregate, uuid);
  if (known.exists) {
    // A previous process may have crashed between recording the message and this step.
    if (known.direction === 'inbound') await noteInbound(known.conversationUuid);
    return 'ok';
  }
  const person = { waId: update.from, userId: update.fromUserId, name: update.profileName };
  const contact = await resolvePerson(app, channel, person, context);
  if (contact === null) return { park: 'the message names no sender' };
  const own: CommandContext = { ...context, subject: contact.subject };
  const conversationUuid = await admitToConversation(
    app,
    placeOf(channel.company_uuid, channel.uuid, contact),
    'inbound',
    own,
  );
  // Before the message is recorded: a recorded message is not processed again, so its opt-out and attribution must be
  // stored by then.
  const ref: ContactRef = { companyUuid: channel.company_uuid, uuid: contact.uuid };
  await obey(app, ref, update, { at: sentAt, messageUuid: uuid }, own);
  if (update.referral !== null) {
    await attribute(app, ref, update.referral, { ...own, commandId: `${context.commandId}/ad` });
  }
  const data = {
    company_uuid: channel.company_uuid,
    channel_uuid: channel.uuid,
    conversation_uuid: conversationUuid,
    contact_uuid: contact.uuid,
    type: update.type,
    content: await contentOf(app, channel, update),
    provider_message_id: update.messageId,
    sent_at: sentAt,
    context: await contextOf(app, channel, update.context),
    referral: update.referral === null ? null : { ...update.referral },
  };
  await Promise.all([
    noteInbound(conversationUuid),
    app.executor.execute(
      messageAggregate,
      uuid,
      { type: 'ReceiveMessage', data },
      { ...own, commandId: `${context.commandId}/message`, assumeNew: true },
    ),
  ]);
  return 'ok';
}

/** Meta counts the window from the customer's last message or call; a reaction is neither. */
const opensServiceWindow = (update: ProviderMessageUpdate): boolean => update.type !== 'reaction';

async function obey(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  contact: ContactRef,
  update: ProviderMessageUpdate,
  said: { readonly at: string; readonly messageUuid: string },
  context: CommandContext,
): Promise<void> {
  const words = wordsOf(update);
  if (words === null || words.length > LONGEST_SAID) return;
  const { state: company } = await app.executor.load(companyAggregate, contact.companyUuid);
  const word = readOptOutWord(words, company.words);
  const wish = { source: 'keyword', ...said } as const;
  const to = { ...context, commandId: `${context.commandId}/opt-out` };
  if (word === 'stop') await optOut(app, contact, wish, to);
  if (word === 'resume') await optIn(app, contact, wish, to);
}

/** The text of the customer's message, or of a tapped button; null for other types. */
function wordsOf(update: ProviderMessageContent): string | null {
  switch (update.type) {
    case 'text':
    case 'button':
      return update.content.text;
    case 'interactive':
      return update.content.kind === 'nfm_reply' ? null : (update.content.title ?? null);
    default:
      return null;
  }
}

/** Adds the uuid of the message that a reaction refers to, if that message is known here. */
async function contentOf(
  app: Pick<App, 'executor' | 'readModels'>,
  channel: ChannelRef,
  update: ProviderMessageContent,
): Promise<Record<string, unknown>> {
  if (update.type !== 'reaction') return { ...update.content };
  const about = await findMessage(app, channel, update.content.message_id);
  return { ...update.content, message_uuid: about?.uuid ?? null };
}

/** Leaves out phone numbers: this part of the event is not sealed. */
export async function contextOf(
  app: Pick<App, 'executor' | 'readModels' | 'store'>,
  channel: ChannelRef,
  context: ProviderMessageContext | null,
): Promise<Record<string, unknown> | null> {
  if (context === null) return null;
  const { from: _from, ...kept } = context;
  if (context.id === null) return kept;
  const quoted = await findMessage(app, channel, context.id);
  if (quoted === null) return { ...kept, message_uuid: null };
  return { ...kept, message_uuid: quoted.uuid, [ANSWERED_AT]: await placeInTime(app, quoted.uuid) };
}

/** Order time of the quoted message, in case WhatsApp's clock and ours differ by more than a second. */
async function placeInTime(app: Pick<App, 'store'>, messageUuid: string): Promise<string | null> {
  const records = await app.store.read(messageStream.toName(messageUuid));
  const first = records.find(({ data }) => typeof data['conversation_uuid'] === 'string');
  if (first === undefined) return null;
  const { sent_at: sentAt, context } = first.data;
  const answered = (context as Readonly<Record<string, unknown>> | null | undefined)?.[ANSWERED_AT];
  return orderedAt(first.meta.occurred_at, typeof sentAt === 'string' ? sentAt : null, answered);
}
