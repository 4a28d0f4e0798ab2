/** Finds the message that has a provider's message id. */
import type { App } from '../../application/app.js';
import { inboundMessageId, messageAggregate } from '../../domain/message/decide.js';
import type { Message } from '../../domain/message/state.js';
import { messages } from '../../read-models/messages.js';
import type { ChannelRef } from './channels.js';

export interface KnownMessage {
  readonly uuid: string;
  /** The operation that sent it, if the API did. */
  readonly operationUuid: string | null;
  readonly state: Message;
}

/**
 * A message that the API did not send has an id derived from the provider's, so its stream is found directly. A message
 * that the API sent is found by a read model. Null: no such message was known when the webhook arrived, but our own
 * record of the call may still follow.
 */
export async function findMessage(
  app: Pick<App, 'executor' | 'readModels'>,
  channel: ChannelRef,
  providerMessageId: string,
): Promise<KnownMessage | null> {
  const derived = inboundMessageId(channel.uuid, providerMessageId);
  const { state } = await app.executor.load(messageAggregate, derived);
  if (state.exists) return { uuid: derived, operationUuid: null, state };
  const found = await app.readModels.find(messages.name, {
    index: 'by_provider_id',
    equals: [channel.uuid, providerMessageId],
    order: 'asc',
    limit: 1,
  });
  const doc = found.documents[0]?.doc;
  if (!doc) return null;
  const sent = await app.executor.load(messageAggregate, doc.uuid);
  return { uuid: doc.uuid, operationUuid: doc.operation_uuid, state: sent.state };
}
