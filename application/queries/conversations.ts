/** Reads behind the conversation routes. */
import { readContacts } from '../contacts/read.js';
import type { ChannelSource } from '../resources/channel.js';
import type { ContactSource } from '../resources/contact.js';
import type { ConversationSource } from '../resources/conversation.js';
import type { MessageSource } from '../resources/message.js';
import { readOwned, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

export interface ConversationWithContact {
  readonly conversation: ConversationSource;
  readonly contact: ContactSource | undefined;
}

/** Most recently active first (spec §4). @throws Refusal invalid_cursor */
export async function listConversations(
  deps: QueryDeps,
  companyUuid: string,
  status: string | undefined,
  page: PageRequest,
): Promise<Page<ConversationWithContact>> {
  const find =
    status === undefined
      ? ({ index: 'by_company', equals: [companyUuid], order: 'desc' } as const)
      : ({ index: 'by_status', equals: [companyUuid, status], order: 'desc' } as const);
  const scope = { list: 'conversations', companyUuid, filters: [status ?? null] };
  const { documents, nextCursor } = await readPage<ConversationSource>(
    deps,
    'conversations',
    find,
    scope,
    page,
  );
  const ids = [...new Set(documents.map((conversation) => conversation.contact_uuid))];
  const contacts = await readContacts(deps.readModels, ids);
  return {
    documents: documents.map((conversation) => ({
      conversation,
      contact: contacts.get(conversation.contact_uuid),
    })),
    nextCursor,
  };
}

/** @throws Refusal not_found */
export async function readConversation(
  deps: QueryDeps,
  companyUuid: string,
  uuid: string,
): Promise<ConversationWithContact & { readonly channel: ChannelSource | undefined }> {
  const conversation = await ownedConversation(deps, companyUuid, uuid);
  const [contact, channel] = await Promise.all([
    readContacts(deps.readModels, [conversation.contact_uuid]),
    deps.readModels.get<ChannelSource>('channels', conversation.channel_uuid),
  ]);
  return { conversation, contact: contact.get(conversation.contact_uuid), channel: channel?.doc };
}

/** Newest first, as an inbox reads them. @throws Refusal not_found, invalid_cursor */
export async function listMessages(
  deps: QueryDeps,
  companyUuid: string,
  conversationUuid: string,
  page: PageRequest,
): Promise<Page<MessageSource>> {
  await ownedConversation(deps, companyUuid, conversationUuid);
  return readPage<MessageSource>(
    deps,
    'messages',
    { index: 'by_conversation', equals: [conversationUuid], order: 'desc' },
    { list: 'messages', companyUuid, filters: [conversationUuid] },
    page,
  );
}

const ownedConversation = (deps: QueryDeps, companyUuid: string, uuid: string): Promise<ConversationSource> =>
  readOwned<ConversationSource>(deps.readModels, 'conversations', uuid, companyUuid, 'conversation');
