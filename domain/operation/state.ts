import type { ContactUuid, ConversationUuid } from '../kernel/ids.js';
import { PAIR_RATE_REACHED } from '../policies/provider-errors.js';
import type { OperationEvent } from './events.js';

/**
 * `queued` → `processing` ⇄ `waiting` → `succeeded` | `failed` (spec §3). `unknown` is reported as `processing`: the
 * call was made, its outcome was lost, and status webhooks are awaited. `held` is reported as `waiting`: a restore came
 * in between, and an operator decides.
 */
export type OperationPhase =
  'none' | 'queued' | 'waiting' | 'held' | 'processing' | 'unknown' | 'succeeded' | 'failed';

/** The wait reason that the API reports for a held operation. */
export const HELD_REASON = 'history_restored';

export type SendAsAccepted = Extract<OperationEvent, { type: 'SendAccepted' }>['data'];

export interface Operation {
  readonly phase: OperationPhase;
  readonly accepted: SendAsAccepted | null;
  /** Set for the operation of a flow; the execution of the same uuid holds its outcome. */
  readonly flow: Extract<OperationEvent, { type: 'FlowExecutionAccepted' }>['data'] | null;
  readonly attempt: number;
  readonly contactUuid: ContactUuid | null;
  readonly conversationUuid: ConversationUuid | null;
  readonly messageUuid: string | null;
  readonly deferredUntil: string | null;
  /** The reason of the last wait. */
  readonly waitReason: string | null;
  readonly reconcileUntil: string | null;
  readonly failureCode: string | null;
  /** English. */
  readonly failureMessage: string | null;
  /**
   * ISO 8601. WhatsApp reported too many messages to this recipient (131056): nothing is sent to them before this time.
   */
  readonly pairHeldUntil: string | null;
}

export const initialOperation: Operation = {
  phase: 'none',
  accepted: null,
  flow: null,
  attempt: 0,
  contactUuid: null,
  conversationUuid: null,
  messageUuid: null,
  deferredUntil: null,
  waitReason: null,
  reconcileUntil: null,
  failureCode: null,
  failureMessage: null,
  pairHeldUntil: null,
};

export const isSettled = (operation: Operation): boolean =>
  operation.phase === 'succeeded' || operation.phase === 'failed';

/** Failed for certain. With an unknown outcome, the message may have been delivered. */
export const cameToNothing = ({ phase, failureCode }: Operation): boolean =>
  phase === 'failed' && failureCode !== 'send_outcome_unknown';

export function evolveOperation(state: Operation, event: OperationEvent): Operation {
  switch (event.type) {
    case 'SendAccepted':
      return { ...state, phase: 'queued', accepted: event.data };
    case 'FlowExecutionAccepted':
      return { ...state, phase: 'queued', flow: event.data };
    case 'SendDeferred':
      return { ...state, phase: 'waiting', deferredUntil: event.data.until, waitReason: event.data.reason };
    case 'SendAttempted':
      return {
        ...state,
        phase: 'processing',
        attempt: event.data.attempt,
        contactUuid: event.data.contact_uuid,
        conversationUuid: event.data.conversation_uuid,
        messageUuid: event.data.message_uuid,
      };
    case 'SendPostponed':
      return {
        ...state,
        phase: 'waiting',
        deferredUntil: event.data.retry_at,
        waitReason: event.data.reason,
        pairHeldUntil:
          event.data.provider_code === PAIR_RATE_REACHED ? event.data.retry_at : state.pairHeldUntil,
      };
    case 'SendHeld':
      return { ...state, phase: 'held', deferredUntil: null, waitReason: HELD_REASON };
    case 'SendReleased':
      return {
        ...state,
        phase: 'queued',
        waitReason: null,
        accepted: state.accepted && { ...state.accepted, deadline: event.data.deadline },
      };
    case 'SendOutcomeUnknown':
      return { ...state, phase: 'unknown', reconcileUntil: event.data.reconcile_until };
    case 'SendSucceeded':
      return { ...state, phase: 'succeeded' };
    case 'SendFailed':
      return {
        ...state,
        phase: 'failed',
        failureCode: event.data.code,
        failureMessage: event.data.message,
        pairHeldUntil: holdNamedIn(event.data.details) ?? state.pairHeldUntil,
      };
    default:
      return state;
  }
}

/** End of the recipient's hold, of a send that failed because its next attempt would have come after its window. */
function holdNamedIn(details: Readonly<Record<string, unknown>> | undefined): string | null {
  const opensAt = details?.['opens_at'];
  return details?.['provider_code'] === PAIR_RATE_REACHED && typeof opensAt === 'string' ? opensAt : null;
}
