import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, instant, nullable, personal, uuid, type EventOf } from '../kernel/event.js';
import type { Upcaster } from '../kernel/schema-registry.js';

const oneOf = <const T extends string>(...values: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))));

/** Counts everything that was done in an execution; together with the block it names what is done at it. */
const at = () => ({ block: Type.String(), step: Type.Integer({ minimum: 0 }) });

export const executionEvents = [
  defineEvent('ExecutionCreated', 2, 'Somebody or something asked for a flow to be run with a contact.', {
    company_uuid: uuid(),
    flow_uuid: uuid(),
    /** Version that is run to its end, whatever is published meanwhile. */
    flow_version: Type.Integer({ minimum: 1 }),
    /** What happens when another flow is running in the conversation. */
    if_running: oneOf('replace', 'wait', 'skip'),
    /** First block. */
    start: Type.String(),
    channel_uuid: uuid(),
    contact_uuid: uuid(),
    subject: uuid(),
    /** `api`, `keyword`, `first_message`, or `flow` when another one went on with this one. */
    trigger: oneOf('api', 'keyword', 'first_message', 'flow'),
    /** Who asked for it by the API; null for all others. */
    integration_uuid: nullable(uuid()),
    /** Operation that shows how it goes, which has the uuid of the execution; null when nobody waits for one. */
    operation_uuid: nullable(uuid()),
    /** Message that set it off. */
    message_uuid: nullable(uuid()),
    /** Execution that went on with this one. */
    parent_uuid: nullable(uuid()),
    /** How many went before it in that way since a person answered one of them. */
    depth: Type.Integer({ minimum: 0 }),
    /** How many of these since one of them waited for anything. */
    depth_without_wait: Type.Integer({ minimum: 0 }),
    variables: personal(freeObject()),
  }),
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
    'The contact was merged into another: the flow is in charge of the conversation that goes on.',
    { conversation_uuid: uuid() },
  ),
  defineEvent('ExecutionSendRequested', 1, 'A message of the flow was accepted for sending.', {
    ...at(),
    operation_uuid: uuid(),
  }),
  defineEvent(
    'ExecutionRequestBegan',
    1,
    'Another system is about to be called. Written before the call: after it, it is not called again.',
    { ...at(), method: Type.String(), host: Type.String() },
  ),
  defineEvent('ExecutionWaitBegan', 1, 'The flow waits for an answer, a time or a call-back.', {
    ...at(),
    waits_for: oneOf('answer', 'time', 'callback'),
    /** When the wait is over, or has lasted too long; null when it may last for ever. */
    until: nullable(instant()),
    /** Operation that sent the question. */
    operation_uuid: nullable(uuid()),
    /** Conversation that the answer is awaited in. */
    conversation_uuid: uuid(),
  }),
  defineEvent('ExecutionStepTaken', 2, 'The flow has left a block, or puts its question again.', {
    ...at(),
    /** The way out that was taken: `next`, `branches[1].next`, `on_timeout`, …; `retry` when an answer was none. */
    way: Type.String(),
    to: nullable(Type.String()),
    /** Variables that were set, as `vars.<name>`. */
    variables: personal(nullable(freeObject())),
    answers: personal(nullable(freeObject())),
    /** Names of both, which are no personal data. */
    set: Type.Array(Type.String()),
    /** What the customer answered with. */
    message_uuid: nullable(uuid()),
    /** Message that was sent at the block. */
    operation_uuid: nullable(uuid()),
    /** Code of what failed, where that is why. */
    failure: nullable(Type.String()),
    /** English; null where nothing failed, or its code says it all. */
    failure_message: nullable(Type.String()),
    /** Which fields of the block were refused, and why. Nothing of it is personal. */
    failure_details: freeObject(),
    /** It ended a wait. */
    waited: Type.Boolean(),
  }),
  defineEvent('ExecutionCallbackReceived', 1, 'Another system called the signed address of a block.', {
    block: Type.String(),
    body: personal(Type.Unknown()),
  }),
  defineEvent('ExecutionParked', 1, 'A block kept failing; somebody has to look and resume it.', {
    block: nullable(Type.String()),
    reason: Type.String(),
  }),
  defineEvent('ExecutionResumed', 1, 'Somebody has had an execution that was parked go on.', {}),
  defineEvent('ExecutionEnded', 1, 'The execution is over.', {
    status: oneOf('completed', 'handed_off', 'expired', 'cancelled', 'failed'),
    /** Named by the `end` block. */
    outcome: nullable(Type.String()),
    /** Block that was reached; null when it never began. */
    block: nullable(Type.String()),
    /** Why, where the flow itself did not come to its end: a code. */
    reason: nullable(Type.String()),
    /** Of a failure, or (`flow_uuid`, `flow_version`) what the execution runs that goes on for this one. */
    details: freeObject(),
    /** Execution that goes on for it. */
    continued_by: nullable(uuid()),
  }),
] as const;

export const executionUpcasters: Readonly<Record<string, Upcaster>> = {
  // Counted from the upgrade on.
  'ExecutionCreated@1': (data) => ({ ...data, depth_without_wait: 0 }),
  'ExecutionStepTaken@1': (data) => ({ ...data, failure_message: null, failure_details: {} }),
};

export type ExecutionEvent = EventOf<typeof executionEvents>;
export type ExecutionData<T extends ExecutionEvent['type']> = Extract<ExecutionEvent, { type: T }>['data'];
