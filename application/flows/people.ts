import { conversationAggregate } from '../../domain/conversation/decide.js';
import type { ConversationUuid } from '../../domain/kernel/ids.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';

/**
 * Opens a conversation for people, because no flow serves the customer.
 * @param by `inbound`: the customer wrote something that no flow handles; `flow`: the flow failed or was parked
 */
export async function openForPeople(
  { app }: Pick<FlowEngine, 'app'>,
  conversationUuid: ConversationUuid,
  by: 'inbound' | 'flow',
  cause: FlowCause,
): Promise<void> {
  await app.executor.execute(
    conversationAggregate,
    conversationUuid,
    { type: 'ReopenConversation', by },
    flowContext(app, cause),
  );
}
