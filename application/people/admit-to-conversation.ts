/** Finds or opens the conversation of a message between a contact and a channel. */
import { conversationAggregate, conversationId } from '../../domain/conversation/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import { keepOneOpen, likelyOrdinal, type Thread } from '../conversation/current.js';
import type { CommandContext } from '../execute.js';
import type { ChannelUuid, CompanyUuid } from '../../domain/kernel/ids.js';
import type { ResolvedContact } from './resolve-contact.js';

/** Where a message belongs that is to or from a contact that was just found or created. */
export interface Place extends Thread {
  /** This process has just created the contact. */
  readonly isNew?: boolean;
}

export const placeOf = (
  companyUuid: CompanyUuid,
  channelUuid: ChannelUuid,
  { uuid, contact, isNew }: ResolvedContact,
): Place => ({
  companyUuid,
  channelUuid,
  contactUuid: uuid,
  absorbed: contact.absorbed,
  ...(isNew && { isNew }),
});

/**
 * A conversation that is not resolved is the only one, and its stream says so at once. So the one that this process last
 * found is tried without asking the read model, and admitted to only if it is not resolved. A contact that has just been
 * created has none.
 */
export async function admitToConversation(
  app: Pick<App, 'executor' | 'lastOrdinals' | 'readModels'>,
  thread: Place,
  by: 'inbound' | 'outbound',
  context: CommandContext,
): Promise<string> {
  const { companyUuid, channelUuid, contactUuid } = thread;
  /** False when the conversation is permanently closed. */
  const admit = async (
    uuid: string,
    ordinal: number,
    { assumeNew = false, unresolved = false } = {},
  ): Promise<boolean> => {
    try {
      await app.executor.execute(
        conversationAggregate,
        uuid,
        { type: 'AdmitMessage', by, companyUuid, channelUuid, contactUuid, ordinal, unresolved },
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
  const last = app.lastOrdinals.get(contactUuid, channelUuid);
  if (last !== undefined) {
    const uuid = conversationId(contactUuid, channelUuid, last);
    if (await admit(uuid, last, { unresolved: true })) return uuid;
  }
  const likely = thread.isNew ? null : await likelyOrdinal(app, contactUuid, channelUuid);
  for (let ordinal = likely ?? 0; ; ordinal += 1) {
    const uuid = conversationId(contactUuid, channelUuid, ordinal);
    if (!(await admit(uuid, ordinal, { assumeNew: likely === null && ordinal === 0 }))) continue;
    app.lastOrdinals.set(contactUuid, channelUuid, ordinal);
    return uuid;
  }
}
