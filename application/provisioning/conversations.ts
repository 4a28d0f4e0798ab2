import { conversationAggregate, type ConversationCommand } from '../../domain/conversation/decide.js';
import { directCommand, type App } from '../app.js';
import { notFound, type Caller, type Written } from './common.js';

interface ConversationRef {
  readonly conversationUuid: string;
}

/** @throws Refusal not_found */
export const resolveConversation = (app: App, input: ConversationRef, caller: Caller): Promise<Written> =>
  run(app, input, { type: 'ResolveConversation' }, caller);

/** @throws Refusal not_found */
export const reopenConversation = (app: App, input: ConversationRef, caller: Caller): Promise<Written> =>
  run(app, input, { type: 'ReopenConversation' }, caller);

/**
 * Everything that came in so far has been read. Nothing is recorded when nothing was unread.
 * @throws Refusal not_found
 */
export async function readConversation(app: App, input: ConversationRef, caller: Caller): Promise<Written> {
  const stored = await app.readModels.get<{ readonly unread_count: number }>(
    'conversations',
    input.conversationUuid,
  );
  const unread = (stored?.doc.unread_count ?? 0) > 0;
  return run(app, input, { type: 'MarkConversationRead', unread }, caller);
}

async function run(
  app: App,
  input: ConversationRef,
  command: ConversationCommand,
  caller: Caller,
): Promise<Written> {
  const { conversationUuid } = input;
  const { state } = await app.executor.load(conversationAggregate, conversationUuid);
  if (!state.exists) throw notFound('conversation', 'conversation');
  const done = await app.executor.execute(
    conversationAggregate,
    conversationUuid,
    command,
    directCommand(app, { company: state.companyUuid, ...caller }),
  );
  return { position: done.position };
}
