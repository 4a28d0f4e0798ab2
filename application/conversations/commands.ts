/** Operators' commands on conversations. Each returns the position of the event it wrote. */
import { conversationAggregate, type ConversationCommand } from '../../domain/conversation/decide.js';
import type { Conversation } from '../../domain/conversation/state.js';
import type { CompanyUuid, ConversationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { teamAggregate } from '../../domain/team/decide.js';
import type { TeamKind } from '../../domain/team/state.js';
import { conversations } from '../../read-models/conversations.js';
import { directCommand, type App } from '../app.js';
import { currentConversation } from '../conversation/current.js';
import { handOverExecution } from '../flows/park.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { notFound, type Caller, type Written } from '../provisioning/common.js';

export interface ConversationRef {
  readonly conversationUuid: ConversationUuid;
}

/** @throws Refusal not_found */
export const resolveConversation = (
  app: Pick<App, 'executor' | 'newId'>,
  input: ConversationRef,
  caller: Caller,
): Promise<Written> => run(app, input, { type: 'ResolveConversation' }, caller);

/** @throws Refusal not_found; conversation_closed when another conversation of the contact is open on the channel */
export const reopenConversation = (
  app: Pick<App, 'executor' | 'newId' | 'readModels'>,
  input: ConversationRef,
  caller: Caller,
): Promise<Written> => wake(app, input, { type: 'ReopenConversation' }, caller);

/** @throws Refusal not_found; conversation_closed when another conversation of the contact is open on the channel */
export const markConversationPending = (
  app: Pick<App, 'executor' | 'newId' | 'readModels'>,
  input: ConversationRef,
  caller: Caller,
): Promise<Written> => wake(app, input, { type: 'MarkConversationPending' }, caller);

/**
 * A person takes over from the flow in charge, which ends. No message of the customer starts another flow until the
 * conversation is resolved.
 * @throws Refusal not_found; conversation_closed when another conversation of the contact is open on the channel
 */
export async function takeOverConversation(
  app: Pick<App, 'executor' | 'newId' | 'readModels'>,
  input: ConversationRef,
  caller: Caller,
): Promise<Written> {
  const { execution } = await existing(app, input.conversationUuid);
  // First, so that it asks nothing more.
  if (execution !== null) await handOverExecution(app, execution, caller);
  return wake(app, input, { type: 'HandOffToPeople', executionUuid: null, by: 'person' }, caller);
}

/** Only one conversation per contact and channel may be open. */
async function wake(
  app: Pick<App, 'executor' | 'newId' | 'readModels'>,
  input: ConversationRef,
  command: ConversationCommand,
  caller: Caller,
): Promise<Written> {
  const { status, contactUuid, channelUuid } = await existing(app, input.conversationUuid);
  if (status === 'resolved') {
    const { uuid, contact } = await primaryContactOf(app, contactUuid);
    const thread = { channelUuid, contactUuid: uuid, absorbed: contact.absorbed };
    const current = await currentConversation(app, thread);
    if (current !== null && current.state.status !== 'resolved') {
      throw new Refusal(
        'conversation_closed',
        'Another conversation with this contact is open on this channel. Go on in that one, or resolve it first.',
        { conversation_uuid: current.uuid },
      );
    }
  }
  return run(app, input, command, caller);
}

/** How long to wait for the read models to show everything recorded before the conversation was marked as read. */
const CAUGHT_UP_WITHIN_MS = 2_000;

/**
 * Marks everything received so far as read. Records nothing when nothing was unread. Only an up-to-date read model
 * proves that: one that lags would leave messages unread that the agent has just read.
 * @throws Refusal not_found
 */
export async function readConversation(
  app: Pick<App, 'executor' | 'newId' | 'readModels' | 'readModelsReached' | 'store'>,
  input: ConversationRef,
  caller: Caller,
): Promise<Written> {
  const caughtUp = await app.readModelsReached(await app.store.head(), CAUGHT_UP_WITHIN_MS);
  const stored = await app.readModels.get(conversations.name, input.conversationUuid);
  const unread = !caughtUp || (stored?.doc.unread_count ?? 0) > 0;
  return run(app, input, { type: 'MarkConversationRead', unread }, caller);
}

/**
 * Assigns an agent, a group or both. A field that is left out stays, null removes the assignment.
 * @throws Refusal not_found when the conversation, agent or group does not exist, or is of another kind or company
 */
export async function assignConversation(
  app: Pick<App, 'executor' | 'newId'>,
  input: ConversationRef & { readonly agentUuid?: string | null; readonly groupUuid?: string | null },
  caller: Caller,
): Promise<Written> {
  const { conversationUuid, ...assignment } = input;
  const { companyUuid } = await existing(app, conversationUuid);
  await requireMember(app, companyUuid, 'agent', assignment.agentUuid);
  await requireMember(app, companyUuid, 'group', assignment.groupUuid);
  return run(app, input, { type: 'AssignConversation', ...assignment }, caller);
}

/**
 * Writes a note for the team. It appears among the messages and is sealed under the contact's key. It is never sent and
 * triggers no webhook (spec §2, Message type rules).
 * @throws Refusal not_found
 */
export async function writeNote(
  app: Pick<App, 'executor' | 'newId'>,
  input: ConversationRef & { readonly text: string; readonly agentUuid?: string | null },
  caller: Caller,
): Promise<Written & { readonly messageUuid: string }> {
  const { conversationUuid, text, agentUuid = null } = input;
  const { companyUuid, channelUuid, contactUuid } = await existing(app, conversationUuid);
  await requireMember(app, companyUuid, 'agent', agentUuid);
  const { contact } = await primaryContactOf(app, contactUuid);
  const messageUuid = app.newId();
  const done = await app.executor.execute(
    messageAggregate,
    messageUuid,
    {
      type: 'WriteNote',
      data: {
        company_uuid: companyUuid,
        channel_uuid: channelUuid,
        conversation_uuid: conversationUuid,
        contact_uuid: contactUuid,
        content: { text, agent_uuid: agentUuid },
      },
    },
    directCommand(app, { company: companyUuid, ...caller }, contact.subject),
  );
  return { messageUuid, position: done.position };
}

async function existing(
  app: Pick<App, 'executor'>,
  conversationUuid: ConversationUuid,
): Promise<Conversation> {
  const { state } = await app.executor.load(conversationAggregate, conversationUuid);
  if (!state.exists) throw notFound('conversation', 'conversation');
  return state;
}

async function requireMember(
  app: Pick<App, 'executor'>,
  companyUuid: CompanyUuid,
  kind: TeamKind,
  memberUuid: string | null | undefined,
): Promise<void> {
  if (memberUuid === null || memberUuid === undefined) return;
  const { state } = await app.executor.load(teamAggregate, companyUuid);
  if (state.members.get(memberUuid)?.kind !== kind) throw notFound(kind, kind);
}

async function run(
  app: Pick<App, 'executor' | 'newId'>,
  { conversationUuid }: ConversationRef,
  command: ConversationCommand,
  caller: Caller,
): Promise<Written> {
  const { companyUuid } = await existing(app, conversationUuid);
  const done = await app.executor.execute(
    conversationAggregate,
    conversationUuid,
    command,
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}
