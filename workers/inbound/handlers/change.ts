/** An edit or a deletion of an earlier message, by whoever wrote it. It may overtake the message itself. */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { messageAggregate, type MessageCommand } from '../../../domain/message/decide.js';
import type { ProviderEditUpdate, ProviderRevokeUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findMessage } from '../find-message.js';
import { happenedAt } from '../happened-at.js';

export async function applyChange(
  app: App,
  channel: ChannelRef,
  update: ProviderEditUpdate | ProviderRevokeUpdate,
  context: CommandContext,
): Promise<Applied> {
  const target = await findMessage(app, channel, update.originalMessageId);
  if (target === null) {
    return { retry: `no message is known for the provider message id ${update.originalMessageId}` };
  }
  if ((update.by === 'contact') !== (target.state.direction === 'inbound')) {
    return { park: `the ${update.kind} is not by the one who wrote the message` };
  }
  const { state: contact } = await app.executor.load(contactAggregate, target.state.contactUuid);
  const at = happenedAt(app, update.at);
  const data = { by: update.by, at, provider_message_id: update.messageId };
  const command: MessageCommand =
    update.kind === 'edit'
      ? { type: 'EditMessage', data: { ...data, content: { ...update.content } } }
      : { type: 'DeleteMessage', data };
  await app.executor.execute(messageAggregate, target.uuid, command, {
    ...context,
    subject: contact.subject,
  });
  return 'ok';
}
