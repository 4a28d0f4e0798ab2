/** A delivery status from the provider, folded into the message and, where its outcome was lost, the operation. */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { isUuid } from '../../domain/kernel/ids.js';
import { messageAggregate, outboundMessageId } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import type { ProviderStatusUpdate } from '../../ports/provider-webhook.js';
import type { ChannelRef } from './channels.js';

const STATUSES = new Set(['sent', 'delivered', 'read', 'failed']);
/** First play of a voice note: says no more than that it was read. */
const PLAYED = 'played';

/** `unmatched`: no message of this channel is known by these ids yet; it may be on its way. */
export type StatusResult = 'applied' | 'ignored' | 'unmatched';

export async function applyStatus(
  app: App,
  channel: ChannelRef,
  update: ProviderStatusUpdate,
  context: CommandContext,
): Promise<StatusResult> {
  const status = update.status === PLAYED ? 'read' : update.status;
  if (!STATUSES.has(status)) return 'ignored';
  const target = await findMessage(app, channel, update);
  if (target === null) return 'unmatched';
  await app.executor.execute(
    messageAggregate,
    target.messageUuid,
    {
      type: 'ReportStatus',
      data: {
        status: status as 'sent' | 'delivered' | 'read' | 'failed',
        at: update.at ?? new Date(app.clock.now()).toISOString(),
        provider_message_id: update.messageId,
        errors: update.errors.map(({ code, title, message, details }) => ({
          code,
          title: title ?? message ?? `WhatsApp error ${code}`,
          details,
        })),
        pricing: update.pricing === null ? null : { ...update.pricing },
      },
    },
    context,
  );
  if (target.operationUuid !== null) {
    await app.executor.execute(
      operationAggregate,
      target.operationUuid,
      { type: 'SettleByStatus', providerMessageId: update.messageId, status },
      { ...context, commandId: `${context.commandId}/settle` },
    );
  }
  return 'applied';
}

interface Target {
  readonly messageUuid: string;
  readonly operationUuid: string | null;
}

/** By our own handle, which the provider echoes; else by the provider's id, once the answer to the call is recorded. */
async function findMessage(
  app: App,
  channel: ChannelRef,
  update: ProviderStatusUpdate,
): Promise<Target | null> {
  if (update.opaque !== null && isUuid(update.opaque)) {
    const messageUuid = outboundMessageId(update.opaque);
    const { state } = await app.executor.load(messageAggregate, messageUuid);
    // Another company's number must not speak for our message.
    if (state.exists && state.companyUuid === channel.company_uuid) {
      return { messageUuid, operationUuid: update.opaque };
    }
  }
  const found = await app.readModels.find<{ uuid: string; operation_uuid: string | null }>('messages', {
    index: 'by_provider_id',
    equals: [channel.uuid, update.messageId],
    order: 'asc',
    limit: 1,
  });
  const doc = found.documents[0]?.doc;
  return doc ? { messageUuid: doc.uuid, operationUuid: doc.operation_uuid } : null;
}
