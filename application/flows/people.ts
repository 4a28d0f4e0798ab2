import { conversationAggregate } from '../../domain/conversation/decide.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';

/** Reopens a conversation for people during or after a flow: the customer wrote something that no flow handles. */
export async function openForPeople(
  { app }: Pick<FlowEngine, 'app'>,
  conversationUuid: string,
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
