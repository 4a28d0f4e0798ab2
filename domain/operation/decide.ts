import type { Aggregate, DecideContext } from '../kernel/decider.js';
import { deriveId, type ContactUuid, type ConversationUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { operationStream } from '../streams.js';
import { operationEvents, type OperationEvent } from './events.js';
import { evolveOperation, initialOperation, isSettled, type Operation } from './state.js';

type DataOf<T extends OperationEvent['type']> = Extract<OperationEvent, { type: T }>['data'];
type Accepted = DataOf<'SendAccepted'>;

/** The outcome of one call to the provider, in the operation's terms. */
export type AttemptOutcome =
  | { readonly kind: 'accepted'; readonly providerMessageId: string; readonly held: boolean }
  | {
      readonly kind: 'postponed';
      readonly reason: string;
      readonly providerCode: number | null;
      /** WhatsApp's trace of its refusal. */
      readonly providerTraceId?: string;
      readonly retryAt: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'unknown'; readonly reason: string; readonly reconcileUntil: string };

export type OperationCommand =
  | { readonly type: 'AcceptSend'; readonly data: DataOf<'SendAccepted'> }
  | { readonly type: 'AcceptFlow'; readonly data: DataOf<'FlowExecutionAccepted'> }
  | {
      readonly type: 'DeferSend';
      readonly reason: string;
      readonly until: string;
      /** What was seen; holds no personal data. */
      readonly details?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'BeginAttempt';
      readonly contactUuid: ContactUuid;
      readonly conversationUuid: ConversationUuid;
      readonly messageUuid: string;
      readonly channelIntervalMs: number;
    }
  | { readonly type: 'RecordOutcome'; readonly attempt: number; readonly outcome: AttemptOutcome }
  /** A status webhook for this operation arrived: proof that WhatsApp has the message. */
  | { readonly type: 'SettleByStatus'; readonly providerMessageId: string; readonly status: string }
  | { readonly type: 'GiveUpReconciling'; readonly attempt: number }
  /** After a restore it is unknown whether the message was sent after the backup was taken. */
  | { readonly type: 'HoldSend' }
  /** An operator lets the held message be sent. `deadline`: end of its new pacing window. */
  | { readonly type: 'ReleaseSend'; readonly deadline: string }
  /** An operator ends the held operation, since the message may have been sent. */
  | { readonly type: 'EndHeldSend' }
  /** The pacing window ended before the message could be sent (spec §8). */
  | {
      readonly type: 'ExpireSend';
      /** The reason of the wait, used where no event recorded one. */ readonly reason: string;
    }
  | {
      readonly type: 'FailSend';
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };

/**
 * The same integration and key give the same operation (spec §4, Messages).
 * @param keyOwner uuid of the integration, or what stands for the operators of a company
 */
export const operationId = (keyOwner: string, idempotencyKey: string): string =>
  deriveId('operation', keyOwner, idempotencyKey);

export function decideOperation(
  command: OperationCommand,
  state: Operation,
  context: DecideContext,
): readonly OperationEvent[] {
  if (command.type === 'AcceptSend' || command.type === 'AcceptFlow') {
    const known = (state.accepted ?? state.flow)?.fingerprint;
    if (known === command.data.fingerprint) return [];
    if (known === undefined) {
      return command.type === 'AcceptSend'
        ? [{ type: 'SendAccepted', data: command.data }]
        : [{ type: 'FlowExecutionAccepted', data: command.data }];
    }
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new key for a new request.',
    );
  }
  if (state.accepted === null) {
    throw new Refusal('not_found', 'There is no such operation.', { resource: 'operation' });
  }
  if (isSettled(state)) return [];
  switch (command.type) {
    case 'DeferSend': {
      if (state.phase !== 'queued' && state.phase !== 'waiting') return [];
      if (state.phase === 'waiting' && state.deferredUntil === command.until) return [];
      const { reason, until, details } = command;
      return [
        { type: 'SendDeferred', data: { reason, until, ...(details ? { details: { ...details } } : {}) } },
      ];
    }
    case 'BeginAttempt': {
      if (state.phase !== 'queued' && state.phase !== 'waiting') return [];
      if (context.now > state.accepted.deadline)
        return [pacingTimeout(state.accepted, state.waitReason ?? undefined)];
      return [
        {
          type: 'SendAttempted',
          data: {
            attempt: state.attempt + 1,
            channel_uuid: state.accepted.channel_uuid,
            subject: state.accepted.subject,
            channel_interval_ms: command.channelIntervalMs,
            contact_uuid: command.contactUuid,
            conversation_uuid: command.conversationUuid,
            message_uuid: command.messageUuid,
          },
        },
      ];
    }
    case 'RecordOutcome':
      return recordOutcome(command.attempt, command.outcome, state, state.accepted);
    case 'SettleByStatus':
      // A held operation with an earlier attempt: the restore may have lost a later call that WhatsApp accepted.
      if (
        state.phase !== 'processing' &&
        state.phase !== 'unknown' &&
        !(state.phase === 'held' && state.messageUuid !== null)
      )
        return [];
      return [
        {
          type: 'SendSucceeded',
          data: {
            execution_uuid: state.accepted.execution_uuid,
            provider_message_id: command.providerMessageId,
            status: command.status,
            evidence: 'status',
          },
        },
      ];
    case 'GiveUpReconciling':
      // A later attempt is given up only when its own reconciliation window ends.
      if (state.phase !== 'unknown' || state.attempt !== command.attempt) return [];
      return [
        failed(
          state.accepted,
          'send_outcome_unknown',
          'The call to WhatsApp was cut off and no status came afterwards. The message may have been delivered; it was not sent again.',
          { attempt: state.attempt, reconciled_until: state.reconcileUntil },
        ),
      ];
    case 'HoldSend':
      if (state.phase !== 'queued' && state.phase !== 'waiting') return [];
      return [{ type: 'SendHeld', data: {} }];
    case 'ReleaseSend':
      if (state.phase !== 'held') return [];
      return [{ type: 'SendReleased', data: { deadline: command.deadline } }];
    case 'EndHeldSend':
      if (state.phase !== 'held') return [];
      return [
        failed(
          state.accepted,
          'send_outcome_unknown',
          'The message was accepted before the system was restored from a backup, and may have been sent then. It was not sent again.',
          { attempt: state.attempt, restored: true },
        ),
      ];
    case 'ExpireSend':
      if (state.phase !== 'queued' && state.phase !== 'waiting') return [];
      if (context.now <= state.accepted.deadline) return [];
      return [pacingTimeout(state.accepted, state.waitReason ?? command.reason)];
    case 'FailSend':
      if (state.phase !== 'queued' && state.phase !== 'waiting') return [];
      return [failed(state.accepted, command.code, command.message, command.details)];
    default:
      return command satisfies never;
  }
}

function recordOutcome(
  attempt: number,
  outcome: AttemptOutcome,
  state: Operation,
  accepted: Accepted,
): readonly OperationEvent[] {
  // Only the current attempt may report. A late definite outcome overrides `unknown`: it is proof, even that WhatsApp
  // does not have the message, which then may be tried again.
  if (state.attempt !== attempt) return [];
  if (state.phase !== 'processing' && !(state.phase === 'unknown' && outcome.kind !== 'unknown')) return [];
  switch (outcome.kind) {
    case 'accepted':
      return [
        {
          type: 'SendSucceeded',
          data: {
            execution_uuid: accepted.execution_uuid,
            provider_message_id: outcome.providerMessageId,
            status: outcome.held ? 'queued' : 'sent',
            evidence: 'answer',
          },
        },
      ];
    case 'postponed': {
      if (outcome.retryAt > accepted.deadline) return [pacingTimeout(accepted, outcome.reason, outcome)];
      const { reason, providerCode, providerTraceId, retryAt } = outcome;
      const traced = providerTraceId === undefined ? {} : { provider_trace_id: providerTraceId };
      return [
        {
          type: 'SendPostponed',
          data: { attempt, reason, provider_code: providerCode, ...traced, retry_at: retryAt },
        },
      ];
    }
    case 'failed':
      return [failed(accepted, outcome.code, outcome.message, outcome.details)];
    case 'unknown':
      return [
        {
          type: 'SendOutcomeUnknown',
          data: { attempt, reason: outcome.reason, reconcile_until: outcome.reconcileUntil },
        },
      ];
    default:
      return outcome satisfies never;
  }
}

function failed(
  { execution_uuid }: Accepted,
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>>,
): OperationEvent {
  return { type: 'SendFailed', data: { execution_uuid, code, message, details: { ...details } } };
}

/** @param refused the provider's last refusal, when its retry time is after the end of the window */
function pacingTimeout(
  accepted: Accepted,
  reason?: string,
  refused?: { readonly providerCode: number | null; readonly retryAt: string },
): OperationEvent {
  return failed(
    accepted,
    'send_pacing_timeout',
    'The message could not be delivered within the pacing window.',
    {
      window_ended_at: accepted.deadline,
      ...(reason === undefined ? {} : { last_reason: reason }),
      ...(refused === undefined || refused.providerCode === null
        ? {}
        : { provider_code: refused.providerCode, opens_at: refused.retryAt }),
    },
  );
}

export const operationAggregate: Aggregate<Operation, OperationCommand, OperationEvent, 'operation'> = {
  stream: operationStream,
  events: operationEvents,
  initial: initialOperation,
  decide: decideOperation,
  evolve: evolveOperation,
  isFinal: isSettled,
};
