import type { OperationEvent } from './events.js';

/**
 * `queued` → `processing` ⇄ `waiting` → `succeeded` | `failed` (spec §3). `unknown` shows as `processing`: the call
 * was made, its outcome was lost, and status webhooks are awaited.
 */
export type OperationPhase =
  'none' | 'queued' | 'waiting' | 'processing' | 'unknown' | 'succeeded' | 'failed';

export interface Operation {
  readonly phase: OperationPhase;
  readonly accepted: Extract<OperationEvent, { type: 'SendAccepted' }>['data'] | null;
  readonly attempt: number;
  readonly contactUuid: string | null;
  readonly conversationUuid: string | null;
  readonly messageUuid: string | null;
  readonly deferredUntil: string | null;
  readonly reconcileUntil: string | null;
}

export const initialOperation: Operation = {
  phase: 'none',
  accepted: null,
  attempt: 0,
  contactUuid: null,
  conversationUuid: null,
  messageUuid: null,
  deferredUntil: null,
  reconcileUntil: null,
};

export const isSettled = (operation: Operation): boolean =>
  operation.phase === 'succeeded' || operation.phase === 'failed';

export function evolveOperation(state: Operation, event: OperationEvent): Operation {
  switch (event.type) {
    case 'SendAccepted':
      return { ...state, phase: 'queued', accepted: event.data };
    case 'SendDeferred':
      return { ...state, phase: 'waiting', deferredUntil: event.data.until };
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
      return { ...state, phase: 'waiting', deferredUntil: event.data.retry_at };
    case 'SendOutcomeUnknown':
      return { ...state, phase: 'unknown', reconcileUntil: event.data.reconcile_until };
    case 'SendSucceeded':
      return { ...state, phase: 'succeeded' };
    case 'SendFailed':
      return { ...state, phase: 'failed' };
    default:
      return state;
  }
}
