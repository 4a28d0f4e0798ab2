/**
 * An edit or a deletion of an earlier message by its author. It may arrive days before the message itself; it is then
 * kept in the message's stream until the message arrives.
 */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { inboundMessageId, messageAggregate, type MessageCommand } from '../../../domain/message/decide.js';
import type { ProviderEditUpdate, ProviderRevokeUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findMessage } from '../find-message.js';
import { happenedAt, writtenAt } from '../happened-at.js';
import { resolvePerson } from '../sender.js';

export async function applyChange(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  channel: ChannelRef,
  update: ProviderEditUpdate | ProviderRevokeUpdate,
  asked: CommandContext,
): Promise<Applied> {
  const context = writtenAt(asked, update.at);
  const target = await findMessage(app, channel, update.originalMessageId);
  if (target === null) {
    const keep = () => keepChange(app, channel, update, context);
    // Only a message of the business can be one that the API sent, and its id at WhatsApp may not be recorded yet.
    if (update.by === 'contact') return keep();
    return {
      retry: `no message is known for the provider message id ${update.originalMessageId}`,
      lastly: keep,
    };
  }
  if ((update.by === 'contact') !== (target.state.direction === 'inbound')) {
    return { park: `the ${update.kind} is not by the one who wrote the message` };
  }
  const { state: contact } = await app.executor.load(contactAggregate, target.state.contactUuid);
  await app.executor.execute(messageAggregate, target.uuid, commandOf(app, update), {
    ...context,
    subject: contact.subject,
  });
  return 'ok';
}

/** Stores the change in the stream that the message will have. New text is sealed under the person's key. */
async function keepChange(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'personOwners' | 'readModels' | 'store'>,
  channel: ChannelRef,
  update: ProviderEditUpdate | ProviderRevokeUpdate,
  context: CommandContext,
): Promise<Applied> {
  let subject: string | null = null;
  if (update.kind === 'edit') {
    const contact = await resolvePerson(app, channel, { ...update.contact, name: null }, context);
    if (contact === null) return { park: 'the edit names nobody' };
    subject = contact.subject;
  }
  const messageUuid = inboundMessageId(channel.uuid, update.originalMessageId);
  await app.executor.execute(messageAggregate, messageUuid, commandOf(app, update), { ...context, subject });
  return 'ok';
}

function commandOf(
  app: Pick<App, 'clock'>,
  update: ProviderEditUpdate | ProviderRevokeUpdate,
): MessageCommand {
  const data = { by: update.by, at: happenedAt(app, update.at), provider_message_id: update.messageId };
  return update.kind === 'edit'
    ? { type: 'EditMessage', data: { ...data, content: { ...update.content } } }
    : { type: 'DeleteMessage', data };
}
