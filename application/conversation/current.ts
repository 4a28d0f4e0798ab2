/**
 * The conversation of a contact on a channel. A contact also has the conversations of the contacts that were merged
 * into it. Only one of all these remains current, so that there is never a second open one.
 */
import { conversationAggregate, conversationId } from '../../domain/conversation/decide.js';
import type { ChannelUuid, CompanyUuid, ContactUuid } from '../../domain/kernel/ids.js';
import { conversations } from '../../read-models/conversations.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { moveFlow } from './move-flow.js';
import type { CurrentConversation } from './current-conversation.js';

/** A contact on a channel. */
export interface Thread {
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly contactUuid: ContactUuid;
  /** Contacts that were merged into this one. */
  readonly absorbed: readonly string[];
}

/** How many of a contact's conversations on a channel are searched for one that an operator reopened. */
const LOOK_BACK = 20;

/** The ordinal to start from. The read model is only a hint, the streams decide. Null: it has no conversation. */
export async function likelyOrdinal(
  app: Pick<App, 'readModels'>,
  contactUuid: ContactUuid,
  channelUuid: ChannelUuid,
): Promise<number | null> {
  const { documents } = await app.readModels.find(conversations.name, {
    index: 'by_contact_channel',
    equals: [contactUuid, channelUuid],
    order: 'desc',
    limit: LOOK_BACK,
  });
  const likely = documents.find(({ doc }) => doc.status !== 'resolved') ?? documents[0];
  return likely?.doc.ordinal ?? null;
}

/** The conversation that is not resolved, else the last one; null when the contact has none. */
export async function currentConversation(
  app: Pick<App, 'executor' | 'readModels'>,
  { contactUuid, absorbed, channelUuid }: Omit<Thread, 'companyUuid'>,
): Promise<CurrentConversation | null> {
  const [first = null] = await currentOfAll(app, [contactUuid, ...absorbed], channelUuid);
  return first;
}

/**
 * Resolves all open conversations but one and returns that one. The contact's own conversation takes precedence over
 * those of contacts that were merged into it. A flow that runs in another conversation moves to the one that remains.
 */
export async function keepOneOpen(
  app: Pick<App, 'executor' | 'readModels'>,
  { contactUuid, absorbed, channelUuid }: Omit<Thread, 'companyUuid'>,
  context: CommandContext,
): Promise<CurrentConversation | null> {
  app.executor.alone();
  const [kept, ...others] = await currentOfAll(app, [contactUuid, ...absorbed], channelUuid);
  if (!kept) return null;
  for (const other of others) {
    const { uuid, state } = other;
    await moveFlow(app, other, kept, context);
    if (state.status === 'resolved') continue;
    await app.executor.execute(
      conversationAggregate,
      uuid,
      { type: 'ResolveConversation' },
      { ...context, commandId: `${context.commandId}/beside/${uuid}`, subject: null },
    );
  }
  return kept;
}

/** Sorted by precedence: first those not resolved, in the order of the contacts; then the most recently resolved. */
async function currentOfAll(
  app: Pick<App, 'executor' | 'readModels'>,
  contactUuids: readonly string[],
  channelUuid: ChannelUuid,
): Promise<readonly CurrentConversation[]> {
  const found = await Promise.all(contactUuids.map((uuid) => currentOf(app, uuid, channelUuid)));
  const known = found.filter((conversation) => conversation !== null);
  const isResolved = ({ state }: CurrentConversation): number => Number(state.status === 'resolved');
  const resolvedAt = ({ state }: CurrentConversation): number => Date.parse(state.resolvedAt ?? '') || 0;
  return known.sort((a, b) => isResolved(a) - isResolved(b) || resolvedAt(b) - resolvedAt(a));
}

/** The first unresolved conversation from the likely ordinal on, else the last one; null when there is none. */
async function currentOf(
  app: Pick<App, 'executor' | 'readModels'>,
  contactUuid: ContactUuid,
  channelUuid: ChannelUuid,
): Promise<CurrentConversation | null> {
  let last: CurrentConversation | null = null;
  for (let ordinal = (await likelyOrdinal(app, contactUuid, channelUuid)) ?? 0; ; ordinal += 1) {
    const uuid = conversationId(contactUuid, channelUuid, ordinal);
    const { state } = await app.executor.load(conversationAggregate, uuid);
    if (!state.exists) return last;
    last = { uuid, state };
    if (state.status !== 'resolved') return last;
  }
}
