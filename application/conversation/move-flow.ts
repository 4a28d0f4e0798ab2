/** Moves the flow of a conversation that ends because its contact was merged. */
import { conversationAggregate } from '../../domain/conversation/decide.js';
import { executionAggregate } from '../../domain/execution/decide.js';
import { isAlive } from '../../domain/execution/state.js';
import type { ConversationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import type { CurrentConversation } from './current-conversation.js';

/**
 * The flow moves to the remaining conversation, where the customer's answer will arrive. If people or another flow
 * control that one, the flow ends as if they had taken over its own conversation. Each step may be repeated.
 */
export async function moveFlow(
  app: Pick<App, 'executor'>,
  from: CurrentConversation,
  to: CurrentConversation,
  context: CommandContext,
): Promise<void> {
  const executionUuid = from.state.execution;
  if (executionUuid === null) return;
  const own = { ...context, commandId: `${context.commandId}/flow/${executionUuid}`, subject: null };
  const { state } = await app.executor.load(executionAggregate, executionUuid);
  if (isAlive(state) && state.created !== null) {
    const withPeople = to.state.withPeople;
    const taken = !withPeople && (await take(app, to.uuid, executionUuid, own));
    await app.executor.execute(
      executionAggregate,
      executionUuid,
      taken
        ? { type: 'MoveExecution', conversationUuid: to.uuid }
        : {
            type: 'EndExecution',
            status: withPeople ? 'handed_off' : 'cancelled',
            reason: withPeople ? null : 'replaced',
          },
      { ...own, subject: state.created.subject },
    );
  }
  await app.executor.execute(
    conversationAggregate,
    from.uuid,
    { type: 'LeaveByFlow', executionUuid },
    { ...own, commandId: `${own.commandId}/leave` },
  );
}

/** False when another flow controls the conversation. */
async function take(
  app: Pick<App, 'executor'>,
  conversationUuid: ConversationUuid,
  executionUuid: string,
  context: CommandContext,
): Promise<boolean> {
  try {
    await app.executor.execute(
      conversationAggregate,
      conversationUuid,
      { type: 'TakeByFlow', executionUuid, ifRunning: 'skip' },
      context,
    );
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'flow_running') throw error;
    return false;
  }
}
