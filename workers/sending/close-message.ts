/** Carries the end of an operation over to its message. The two are separate streams: a crash may come in between. */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { messageAggregate, outboundMessageId } from '../../domain/message/decide.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { operationStream } from '../../domain/streams.js';
import type { ClassifiedOutcome } from './outcome.js';

export async function failMessage(
  app: Pick<App, 'executor'>,
  messageUuid: string,
  reason: { readonly code: string; readonly message: string },
  providerError: ClassifiedOutcome['providerError'],
  context: CommandContext,
): Promise<void> {
  await app.executor.execute(
    messageAggregate,
    messageUuid,
    {
      type: 'RefuseMessage',
      data: { code: reason.code, message: reason.message, provider_error: providerError },
    },
    { ...context, commandId: `${context.commandId}/message` },
  );
}

/**
 * Brings the message of an ended operation in line with it; changes nothing when it already is. The operation may not
 * know its message: the message is queued while the attempt is being recorded, which may fail.
 */
export async function closeMessage(
  app: Pick<App, 'codec' | 'executor' | 'store'>,
  operationUuid: string,
  context: CommandContext,
): Promise<void> {
  const messageUuid = outboundMessageId(operationUuid);
  const { state: message } = await app.executor.load(messageAggregate, messageUuid);
  if (!message.exists) return;
  const records = await app.store.read(operationStream.toName(operationUuid));
  for (const { event } of await app.codec.decodeAll<OperationEvent>(records)) {
    if (event.type === 'SendFailed') await failMessage(app, messageUuid, event.data, null, context);
    if (event.type !== 'SendSucceeded') continue;
    const { provider_message_id, status } = event.data;
    await app.executor.execute(
      messageAggregate,
      messageUuid,
      { type: 'AcceptMessage', data: { provider_message_id, held: status === 'queued' } },
      { ...context, commandId: `${context.commandId}/message` },
    );
  }
}
