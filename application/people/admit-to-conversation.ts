/** Finds or opens the conversation that a message between a contact and a channel belongs to. */
import { conversationAggregate, conversationId } from '../../domain/conversation/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';

export async function admitToConversation(
  app: App,
  thread: { readonly companyUuid: string; readonly channelUuid: string; readonly contactUuid: string },
  by: 'inbound' | 'outbound',
  context: CommandContext,
): Promise<string> {
  const { companyUuid, channelUuid, contactUuid } = thread;
  // The read model is only a hint where to start; the streams decide.
  const latest = await app.readModels.find<{ ordinal: number }>('conversations', {
    index: 'by_contact_channel',
    equals: [contactUuid, channelUuid],
    order: 'desc',
    limit: 1,
  });
  for (let ordinal = latest.documents[0]?.doc.ordinal ?? 0; ; ordinal += 1) {
    const uuid = conversationId(contactUuid, channelUuid, ordinal);
    try {
      await app.executor.execute(
        conversationAggregate,
        uuid,
        { type: 'AdmitMessage', by, companyUuid, channelUuid, contactUuid, ordinal },
        { ...context, commandId: `${context.commandId}/conversation/${ordinal}`, subject: null },
      );
      return uuid;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'conversation_closed') throw error;
    }
  }
}
