/**
 * A delivery status from the provider. It updates the message and, if the outcome of the send was lost, the operation.
 */
import type { App } from '../../../application/app.js';
import { optOut } from '../../../application/contacts/marketing.js';
import type { CommandContext } from '../../../application/execute.js';
import { noteFailedDelivery } from '../../../application/send/release.js';
import { isUuid } from '../../../domain/kernel/ids.js';
import { messageAggregate, outboundMessageId } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { messageStream } from '../../../domain/streams.js';
import type { ProviderStatusUpdate } from '../../../ports/provider-webhook.js';
import { readingOnce } from '../../kernel/read-once.js';
import type { Applied } from '../applied.js';
import type { ChannelRef } from '../channels.js';
import { findMessage, type KnownMessage } from '../find-message.js';
import { happenedAt } from '../happened-at.js';

const STATUSES = new Set(['sent', 'delivered', 'read', 'failed']);
/** First play of a voice note; treated as read. */
const PLAYED = 'played';
/** "User has stopped marketing messages": equivalent to the person's own control. */
const STOPPED_MARKETING = 131050;

export async function applyStatus(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'indexSecret' | 'readModels' | 'store' | 'tracing'>,
  channel: ChannelRef,
  update: ProviderStatusUpdate,
  context: CommandContext,
): Promise<Applied> {
  const status = update.status === PLAYED ? 'read' : update.status;
  if (!STATUSES.has(status)) return { park: `unknown status "${update.status.slice(0, 64)}"` };
  // The message that is found here is also the one that the next decision uses: read its stream once.
  const once = readingOnce(app, [messageStream.prefix]);
  const target =
    (await sentByUs(once, channel, update)) ?? (await findMessage(once, channel, update.messageId));
  if (target === null) {
    await endHeld(app, channel, update, context);
    const retry = `no message is known for the provider message id ${update.messageId}`;
    // Every send of ours carries its operation's id. A status without an operation id, for a message that stays
    // unknown, is about a message that another system sent.
    return namesOperation(update) ? { retry } : { retry, lastly: async () => 'foreign' };
  }
  const at = happenedAt(app, update.at);
  const span = app.tracing?.begin({
    name: 'whatsapp status',
    kind: 'consumer',
    // The webhook has a trace of its own; the status belongs to the trace in which the message was created.
    correlationId: await beganWith(app, target.uuid, context.correlationId),
    attributes: { 'recado.status': status, 'recado.operation_uuid': target.operationUuid ?? undefined },
  });
  await once.executor.execute(
    messageAggregate,
    target.uuid,
    {
      type: 'ReportStatus',
      data: {
        status: status as 'sent' | 'delivered' | 'read' | 'failed',
        at,
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
    if (status === 'failed') await noteFailure(app, target.operationUuid, target.uuid, update, at, context);
  }
  if (update.errors.some(({ code }) => code === STOPPED_MARKETING)) {
    await optOut(
      app,
      { companyUuid: channel.company_uuid, uuid: target.state.contactUuid },
      { source: 'provider_131050', at, messageUuid: target.uuid },
      { ...context, commandId: `${context.commandId}/opt-out` },
    );
  }
  span?.end();
  return 'ok';
}

/**
 * Ends a send that a restore holds but that was sent in the lost part of the history, so that it cannot be released any
 * more. The restored history has no message for it, so the status itself is parked.
 */
async function endHeld(
  app: Pick<App, 'executor'>,
  channel: ChannelRef,
  { opaque }: ProviderStatusUpdate,
  context: CommandContext,
): Promise<void> {
  if (opaque === null || !isUuid(opaque)) return;
  const { state } = await app.executor.load(operationAggregate, opaque);
  if (state.phase !== 'held' || state.accepted?.company_uuid !== channel.company_uuid) return;
  const { company_uuid: company } = state.accepted;
  const end = { ...context, company, commandId: `${context.commandId}/held` };
  await app.executor.execute(operationAggregate, opaque, { type: 'EndHeldSend' }, end);
}

async function beganWith(app: Pick<App, 'store'>, messageUuid: string, otherwise: string): Promise<string> {
  const [first] = await app.store.read(messageAggregate.stream.toName(messageUuid), { limit: 1 });
  return first?.meta.correlation_id ?? otherwise;
}

/** Records the limits and templates that the failure affects (spec §7). */
const noteFailure = (
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'indexSecret'>,
  operationUuid: string,
  messageUuid: string,
  { errors }: ProviderStatusUpdate,
  at: string,
  context: CommandContext,
): Promise<void> =>
  noteFailedDelivery(
    app,
    {
      operationUuid,
      messageUuid,
      errors: errors.map(({ code, title, message }) => ({
        code,
        title: title ?? message ?? `WhatsApp error ${code}`,
      })),
      at,
    },
    context,
  );

const namesOperation = ({ opaque }: ProviderStatusUpdate): boolean => opaque !== null && isUuid(opaque);

/** Finds the message by the operation id that the provider echoes, even before the result of the call is recorded. */
async function sentByUs(
  app: Pick<App, 'executor'>,
  channel: ChannelRef,
  { opaque }: ProviderStatusUpdate,
): Promise<KnownMessage | null> {
  if (opaque === null || !isUuid(opaque)) return null;
  const uuid = outboundMessageId(opaque);
  // The owner of a message never changes, so a cached state is enough.
  const { state } = await app.executor.recall(messageAggregate, uuid);
  // A number of another company must not change our message.
  return state.exists && state.companyUuid === channel.company_uuid
    ? { uuid, operationUuid: opaque, state }
    : null;
}
