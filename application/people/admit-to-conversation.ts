/** Finds or opens the conversation of a message between a contact and a channel. */
import { conversationAggregate, conversationId } from '../../domain/conversation/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import { keepOneOpen, likelyOrdinal, type Thread } from '../conversation/current.js';
import type { CommandContext } from '../execute.js';

export async function admitToConversation(
  app: App,
  thread: Thread,
  by: 'inbound' | 'outbound',
  context: CommandContext,
): Promise<string> {
  const { companyUuid, channelUuid, contactUuid } = thread;
  /** False when the conversation is permanently closed. */
  const admit = async (uuid: string, ordinal: number, assumeNew = false): Promise<boolean> => {
    try {
      await app.executor.execute(
        conversationAggregate,
        uuid,
        { type: 'AdmitMessage', by, companyUuid, channelUuid, contactUuid, ordinal },
        { ...context, commandId: `${context.commandId}/conversation/${uuid}`, subject: null, assumeNew },
      );
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'conversation_closed') throw error;
      return false;
    }
  };
  if (thread.absorbed.length > 0) {
    const kept = await keepOneOpen(app, thread, context);
    if (kept !== null && (await admit(kept.uuid, kept.state.ordinal))) return kept.uuid;
  }
  const likely = await likelyOrdinal(app, contactUuid, channelUuid);
  for (let ordinal = likely ?? 0; ; ordinal += 1) {
    const uuid = conversationId(contactUuid, channelUuid, ordinal);
    if (await admit(uuid, ordinal, likely === null && ordinal === 0)) return uuid;
  }
}
