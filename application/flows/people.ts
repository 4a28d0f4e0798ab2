import { conversationAggregate } from '../../domain/conversation/decide.js';
import { flowContext, type FlowCause, type FlowEngine } from './engine.js';

/** Shows a conversation to people while, or after, a flow has it: the customer said something that no flow hears. */
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
