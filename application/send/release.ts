/** Updates the gates after a send that failed, at the call or by a later status. */
import type { OperationUuid } from '../../domain/kernel/ids.js';
import { quotaAggregate } from '../../domain/quota/decide.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { cameToNothing, type Operation } from '../../domain/operation/state.js';
import { PER_USER_MARKETING_LIMIT } from '../../domain/policies/provider-errors.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { noteTemplateRefusal } from '../templates/refusals.js';
import { gatedSend } from './gated-send.js';
import { giveBackSlots, type GatedSend } from './gates.js';
import { recipientLedger, recipientOf } from './quotas.js';

/** For an operation that has ended: returns its reservations if it failed. May be repeated. */
export async function releaseSlots(
  app: Pick<App, 'executor' | 'indexSecret'>,
  operationUuid: OperationUuid,
  operation: Operation,
  context: CommandContext,
): Promise<void> {
  const send = gatedSend(operation.accepted);
  if (send === null || !cameToNothing(operation)) return;
  const about = Date.parse(operation.accepted!.deadline);
  await giveBackSlots(app, operationUuid, send, operation.failureCode ?? 'failed', about, context);
}

export interface ProviderFailure {
  readonly code: number;
  readonly title: string;
}

/**
 * Records errors by which WhatsApp reported that a send was not delivered: 131049 blocks marketing to the person for a
 * day, and some codes concern the template.
 * @param at time of WhatsApp's report, ISO 8601
 */
export async function noteProviderFailure(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'indexSecret'>,
  operationUuid: OperationUuid,
  accepted: Operation['accepted'],
  errors: readonly ProviderFailure[],
  at: string,
  context: CommandContext,
): Promise<void> {
  const send = gatedSend(accepted);
  if (send === null) return;
  for (const error of errors) {
    if (error.code === PER_USER_MARKETING_LIMIT) await noteLimit(app, operationUuid, send, at, context);
    await noteTemplateRefusal(app, send.templateUuid, error, context);
  }
}

/** Handles a status by which a message that WhatsApp had accepted was not delivered. May be repeated. */
export async function noteFailedDelivery(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'indexSecret'>,
  failure: {
    readonly operationUuid: OperationUuid;
    readonly messageUuid: string;
    readonly errors: readonly ProviderFailure[];
    readonly at: string;
  },
  context: CommandContext,
): Promise<void> {
  const { operationUuid, messageUuid, errors, at } = failure;
  const { state } = await app.executor.load(operationAggregate, operationUuid);
  const send = gatedSend(state.accepted);
  if (send === null) return;
  await noteProviderFailure(app, operationUuid, state.accepted, errors, at, context);
  const { state: message } = await app.executor.load(messageAggregate, messageUuid);
  // A delivery is proof, regardless of other reports.
  if (message.status !== 'failed') return;
  const reason = errors[0] === undefined ? 'failed' : `provider_${errors[0].code}`;
  await giveBackSlots(app, operationUuid, send, reason, Date.parse(state.accepted!.deadline), context);
}

async function noteLimit(
  app: Pick<App, 'executor' | 'indexSecret'>,
  operationUuid: OperationUuid,
  send: GatedSend,
  at: string,
  context: CommandContext,
): Promise<void> {
  if (send.category !== 'MARKETING') return;
  const { subject } = await recipientOf(app, send.companyUuid, send.addressee);
  await app.executor.execute(
    quotaAggregate,
    recipientLedger(subject),
    { type: 'NoteLimit', operationUuid, at },
    { ...context, commandId: `${context.commandId}/limit`, subject: null },
  );
}
