/** The operators' list of conversations: filtered, with agents and the last message of each. */
import { readContacts } from '../contacts/read.js';
import type { Find, Found, IndexValue } from '../../ports/read-models.js';
import { conversations, type ConversationDoc } from '../../read-models/conversations.js';
import { messages, type MessageDoc } from '../../read-models/messages.js';
import { team } from '../../read-models/team.js';
import type { ContactSource } from '../resources/contact.js';
import type { AssigneeSource } from '../resources/conversation.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { readFilteredPages, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

export interface InboxFilter {
  readonly status?: string | undefined;
  /** Null: those that nobody is in charge of. */
  readonly agent?: string | null | undefined;
  readonly channel?: string | undefined;
  /** All uuids of one contact: conversations stay under the uuid with which they began, also after a merge. */
  readonly person?: readonly string[] | undefined;
  readonly unread?: boolean | undefined;
  /** Whether a flow is in charge. */
  readonly withFlow?: boolean | undefined;
}

export interface InboxRow {
  readonly conversation: ConversationDoc;
  readonly contact: ContactSource | undefined;
  readonly agent: AssigneeSource | undefined;
  /** Undefined before the first message. */
  readonly last: MessageDoc | undefined;
}

/** Documents that one request reads at most. A page ends there, also if it is not full: its cursor continues. */
const MOST_READ = 500;

type Range = Pick<
  Find<'by_company' | 'by_status' | 'by_agent' | 'by_channel' | 'by_unread'>,
  'index' | 'equals'
>;

/**
 * Most recently active first; those of one contact newest first by channel. One filter selects the range of an index,
 * which is read alone; the others select within it. @throws Refusal invalid_cursor
 */
export async function listInbox(
  deps: QueryDeps,
  company: string,
  filter: InboxFilter,
  page: PageRequest,
): Promise<Page<InboxRow>> {
  const { documents, ...rest } = await select(deps, company, filter, page);
  const [contacts, agents, last] = await Promise.all([
    readContacts(deps.readModels, [...new Set(documents.map(({ contact_uuid }) => contact_uuid))]),
    deps.readModels.getMany(team.name, [
      ...new Set(documents.flatMap(({ assigned_agent_uuid }) => assigned_agent_uuid ?? [])),
    ]),
    Promise.all(documents.map(({ uuid }) => lastMessage(deps, uuid))),
  ]);
  const agentOf = new Map(agents.map(({ id, doc }) => [id, doc]));
  return {
    documents: documents.map((conversation, index) => ({
      conversation,
      contact: contacts.get(conversation.contact_uuid),
      agent: agentOf.get(conversation.assigned_agent_uuid ?? ''),
      last: last[index],
    })),
    ...rest,
  };
}

async function lastMessage({ readModels }: QueryDeps, conversation: string): Promise<MessageDoc | undefined> {
  const found = await readModels.find(messages.name, {
    index: 'by_conversation',
    equals: [conversation],
    order: 'desc',
    limit: 1,
  });
  return found.documents[0]?.doc;
}

async function select(
  deps: QueryDeps,
  company: string,
  filter: InboxFilter,
  request: PageRequest,
): Promise<Page<ConversationDoc>> {
  const { status, agent, channel, person, unread, withFlow } = filter;
  const scope = {
    list: 'inbox',
    companyUuid: company,
    filters: [
      status ?? null,
      agent === null ? 'none' : (agent ?? null),
      channel ?? null,
      person?.join() ?? null,
      String(unread),
      ...(withFlow === undefined ? [] : [String(withFlow)]),
    ],
  };
  if (person !== undefined) {
    const finds = person.map(
      (uuid) => ({ index: 'by_contact_channel', equals: [uuid], order: 'desc' }) as const,
    );
    return readFilteredPages(
      deps,
      conversations.name,
      finds,
      scope,
      request,
      (doc) => matches(doc, company, filter),
      ({ id, doc }) => [doc.channel_uuid, doc.ordinal, id],
    );
  }
  const range = rangeOf(company, filter);
  const selecting = [status, agent, channel, unread === true ? true : undefined].filter(
    (one) => one !== undefined,
  );
  if (selecting.length <= 1 && withFlow === undefined)
    return readPage(deps, conversations.name, { ...range, order: 'desc' }, scope, request);
  const { after, limit } = request;
  let from: readonly IndexValue[] | null =
    after === undefined ? null : decodeCursor(deps.cursorSecret, scope, after);
  const documents: ConversationDoc[] = [];
  for (let read = 0; read < MOST_READ; read += limit) {
    const found: Found<ConversationDoc> = await deps.readModels.find(conversations.name, {
      ...range,
      order: 'desc',
      limit,
      ...(from ? { after: from } : {}),
    });
    for (const { id, doc } of found.documents) {
      if (!matches(doc, company, filter)) continue;
      documents.push(doc);
      if (documents.length === limit)
        return { documents, nextCursor: encodeCursor(deps.cursorSecret, scope, [doc.last_activity_at, id]) };
    }
    from = found.next;
    if (from === null) return { documents, nextCursor: null };
  }
  return { documents, nextCursor: from === null ? null : encodeCursor(deps.cursorSecret, scope, from) };
}

/** The narrowest range by rule of thumb: unread ones are few, then those of an agent. */
function rangeOf(company: string, { status, agent, channel, unread, withFlow }: InboxFilter): Range {
  if (unread === true) return { index: 'by_unread', equals: [company, 'some'] };
  if (agent !== undefined) return { index: 'by_agent', equals: [company, agent] };
  if (status !== undefined) return { index: 'by_status', equals: [company, status] };
  // While a flow is in charge, a conversation is pending.
  if (withFlow === true) return { index: 'by_status', equals: [company, 'pending'] };
  if (channel !== undefined) return { index: 'by_channel', equals: [company, channel] };
  return { index: 'by_company', equals: [company] };
}

const matches = (
  doc: ConversationDoc,
  company: string,
  { status, agent, channel, unread, withFlow }: InboxFilter,
): boolean =>
  doc.company_uuid === company &&
  (status === undefined || doc.status === status) &&
  (agent === undefined || doc.assigned_agent_uuid === agent) &&
  (channel === undefined || doc.channel_uuid === channel) &&
  (withFlow === undefined || (doc.execution_uuid !== null) === withFlow) &&
  (unread !== true || doc.unread === 'some');
