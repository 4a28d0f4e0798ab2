import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, instant, nullable, personal, uuid, type EventOf } from '../kernel/event.js';
import type { Upcaster } from '../kernel/schema-registry.js';

const oneOf = <const T extends string>(...values: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))));

/** `step` counts everything done in an execution; with the block, it identifies one action. */
const at = () => ({ block: Type.String(), step: Type.Integer({ minimum: 0 }) });

export const executionEvents = [
  defineEvent(
    'ExecutionCreated',
    2,
    'A call, a message or another flow requested a run of a flow with a contact.',
    {
      company_uuid: uuid(),
      flow_uuid: uuid(),
      /** The version that the execution runs to its end, even when another one is published meanwhile. */
      flow_version: Type.Integer({ minimum: 1 }),
      /** How to treat another flow that is running in the conversation. */
      if_running: oneOf('replace', 'wait', 'skip'),
      /** Id of the first block. */
      start: Type.String(),
      channel_uuid: uuid(),
      contact_uuid: uuid(),
      subject: uuid(),
      /** `api`, `keyword`, `first_message`, or `flow` when another execution started this one at its end. */
      trigger: oneOf('api', 'keyword', 'first_message', 'flow'),
      /** The integration that started it by the API; null for all others. */
      integration_uuid: nullable(uuid()),
      /** The operation that reports its progress, with the same uuid as the execution; null when nobody waits for one. */
      operation_uuid: nullable(uuid()),
      /** Message that started it. */
      message_uuid: nullable(uuid()),
      /** The execution that started this one at its end. */
      parent_uuid: nullable(uuid()),
      /** Number of executions before it in this chain, since a person answered one of them. */
      depth: Type.Integer({ minimum: 0 }),
      /** Number of executions before it in this chain, since one of them waited for anything. */
      depth_without_wait: Type.Integer({ minimum: 0 }),
      variables: personal(freeObject()),
    },
  ),
  defineEvent(
    'ExecutionQueued',
    1,
    'Another flow is running in the conversation: this one begins after it.',
    {
      behind_uuid: uuid(),
    },
  ),
  defineEvent('ExecutionStarted', 1, 'The flow is in charge of the conversation and begins.', {
    conversation_uuid: uuid(),
  }),
  defineEvent(
    'ExecutionMoved',
    1,
    'The contact was merged into another: the flow is in charge of the conversation that remains.',
    { conversation_uuid: uuid() },
  ),
  defineEvent('ExecutionSendRequested', 1, 'A message of the flow was accepted for sending.', {
    ...at(),
    operation_uuid: uuid(),
  }),
  defineEvent(
    'ExecutionRequestBegan',
    1,
    'Another system is about to be called. This event is written before the call; after it, the call is not repeated.',
    { ...at(), method: Type.String(), host: Type.String() },
  ),
  defineEvent('ExecutionWaitBegan', 1, 'The flow waits for an answer, a time or a call-back.', {
    ...at(),
    waits_for: oneOf('answer', 'time', 'callback'),
    /** When the wait ends or times out; null when it has no limit. */
    until: nullable(instant()),
    /** The operation that sent the question. */
    operation_uuid: nullable(uuid()),
    /** The conversation in which the answer is expected. */
    conversation_uuid: uuid(),
  }),
  defineEvent('ExecutionStepTaken', 2, 'The flow has left a block, or asks its question again.', {
    ...at(),
    /** The output that was taken: `next`, `branches[1].next`, `on_timeout`, …; `retry` after an invalid answer. */
    way: Type.String(),
    to: nullable(Type.String()),
    /** The variables that were set, as `vars.<name>`. */
    variables: personal(nullable(freeObject())),
    answers: personal(nullable(freeObject())),
    /** Names of the variables and answers that were set; names are not personal data. */
    set: Type.Array(Type.String()),
    /** The customer's message with the answer. */
    message_uuid: nullable(uuid()),
    /** The operation of the message that was sent at the block. */
    operation_uuid: nullable(uuid()),
    /** Error code when the step was taken because of a failure. */
    failure: nullable(Type.String()),
    /** English; null where nothing failed, or where the code says enough. */
    failure_message: nullable(Type.String()),
    /** The refused fields of the block, with reasons. Must not contain personal data. */
    failure_details: freeObject(),
    /** The step ended a wait. */
    waited: Type.Boolean(),
  }),
  defineEvent('ExecutionCallbackReceived', 1, 'Another system called the signed address of a block.', {
    block: Type.String(),
    body: personal(Type.Unknown()),
  }),
  defineEvent('ExecutionParked', 1, 'A block kept failing; an operator has to check and resume it.', {
    block: nullable(Type.String()),
    reason: Type.String(),
  }),
  defineEvent('ExecutionResumed', 1, 'An operator resumed a parked execution.', {}),
  defineEvent('ExecutionEnded', 1, 'The execution has ended.', {
    status: oneOf('completed', 'handed_off', 'expired', 'cancelled', 'failed'),
    /** Outcome that the `end` block names. */
    outcome: nullable(Type.String()),
    /** The block that was reached; null when the execution never began. */
    block: nullable(Type.String()),
    /** Code of the reason, where the flow did not reach its own end. */
    reason: nullable(Type.String()),
    /** Details of a failure, or `flow_uuid` and `flow_version` of the execution that continues after this one. */
    details: freeObject(),
    /** The execution that continues after this one. */
    continued_by: nullable(uuid()),
  }),
] as const;

export const executionUpcasters: Readonly<Record<string, Upcaster>> = {
  // Version 1 did not record this depth: counting starts with the upgrade.
  'ExecutionCreated@1': (data) => ({ ...data, depth_without_wait: 0 }),
  'ExecutionStepTaken@1': (data) => ({ ...data, failure_message: null, failure_details: {} }),
};

export type ExecutionEvent = EventOf<typeof executionEvents>;
export type ExecutionData<T extends ExecutionEvent['type']> = Extract<ExecutionEvent, { type: T }>['data'];
