/** Reads behind the conversation routes. */
import type { CompanyUuid, ConversationUuid } from '../../domain/kernel/ids.js';
import { readContacts } from '../contacts/read.js';
import type { ContactSource } from '../resources/contact.js';
import type { AssigneeSource, ConversationParts, ConversationSource } from '../resources/conversation.js';
import type { MessageSource } from '../resources/message.js';
import { channels } from '../../read-models/channels.js';
import { conversations } from '../../read-models/conversations.js';
import { messages } from '../../read-models/messages.js';
import { team } from '../../read-models/team.js';
import { encodeCursor } from './cursor.js';
import { withReferences } from './message-references.js';
import { readOwned, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

export interface ConversationWithContact {
  readonly conversation: ConversationSource;
  readonly contact: ContactSource | undefined;
}

/**
 * Most recently active first (spec §4). A conversation that becomes active between two pages moves to the top, where
 * the next read from the start returns it. It never appears twice and displaces no other conversation: the cursor is a
 * place in the order, not a count.
 * @throws Refusal invalid_cursor
 */
export async function listConversations(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  status: string | undefined,
  page: PageRequest,
): Promise<Page<ConversationWithContact>> {
  const find =
    status === undefined
      ? ({ index: 'by_company', equals: [companyUuid], order: 'desc' } as const)
      : ({ index: 'by_status', equals: [companyUuid, status], order: 'desc' } as const);
  const scope = { list: 'conversations', companyUuid, filters: [status ?? null] };
  const { documents, ...rest } = await readPage(deps, conversations.name, find, scope, page);
  const ids = [...new Set(documents.map((conversation) => conversation.contact_uuid))];
  const contacts = await readContacts(deps.readModels, ids);
  return {
    documents: documents.map((conversation) => ({
      conversation,
      contact: contacts.get(conversation.contact_uuid),
    })),
    ...rest,
  };
}

/** @throws Refusal not_found */
export async function readConversation(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  uuid: string,
): Promise<ConversationParts & { readonly conversation: ConversationSource }> {
  const conversation = await ownedConversation(deps, companyUuid, uuid);
  const [contact, channel, agent, group] = await Promise.all([
    readContacts(deps.readModels, [conversation.contact_uuid]),
    deps.readModels.get(channels.name, conversation.channel_uuid),
    assignee(deps, conversation.assigned_agent_uuid),
    assignee(deps, conversation.assigned_group_uuid),
  ]);
  return {
    conversation,
    contact: contact.get(conversation.contact_uuid),
    channel: channel?.doc,
    agent,
    group,
  };
}

async function assignee(deps: QueryDeps, uuid: string | null): Promise<AssigneeSource | undefined> {
  return uuid === null ? undefined : (await deps.readModels.get(team.name, uuid))?.doc;
}

/** `newest`: newest first. `recorded`: in the order of recording, oldest first, for callers that poll. */
export type MessageOrder = 'newest' | 'recorded';

/** @throws Refusal not_found, invalid_cursor */
export async function listMessages(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  conversationUuid: ConversationUuid,
  page: PageRequest,
  order: MessageOrder = 'newest',
): Promise<Page<MessageSource>> {
  await ownedConversation(deps, companyUuid, conversationUuid);
  const { documents, nextCursor } =
    order === 'recorded'
      ? await readAsRecorded(deps, companyUuid, conversationUuid, page)
      : await readPage(
          deps,
          messages.name,
          { index: 'by_conversation', equals: [conversationUuid], order: 'desc' },
          // Cursors of the list `messages`, issued by older releases, contain another sort key.
          { list: 'messages-newest', companyUuid, filters: [conversationUuid] },
          page,
        );
  return { documents: await withReferences(deps.readModels, documents), nextCursor };
}

/**
 * The last page has a cursor too: with it, the caller polls for messages recorded since, including those that WhatsApp
 * delivered late. A store that writes the documents of a batch one by one may show a later one first, so no page goes
 * past the checkpoint.
 */
async function readAsRecorded(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  conversationUuid: ConversationUuid,
  page: PageRequest,
): Promise<Page<MessageSource>> {
  const { version } = await deps.readModels.generations('messages');
  const upTo = await deps.readModels.checkpoint(`messages@${version}`);
  const scope = { list: 'messages-recorded', companyUuid, filters: [conversationUuid] };
  const found = await readPage(
    deps,
    messages.name,
    { index: 'by_recording', equals: [conversationUuid], order: 'asc' },
    scope,
    page,
  );
  const documents = found.documents.filter(({ position }) => position <= upTo);
  const last = documents[documents.length - 1];
  const nextCursor = last
    ? encodeCursor(deps.cursorSecret, scope, [last.position, last.uuid])
    : (page.after ?? null);
  return { documents, nextCursor };
}

const ownedConversation = (
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  uuid: string,
): Promise<ConversationSource> =>
  readOwned(deps.readModels, conversations.name, uuid, companyUuid, 'conversation');
