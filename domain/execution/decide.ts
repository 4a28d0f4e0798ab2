import type { Aggregate } from '../kernel/decider.js';
import { deriveId, type ConversationUuid, type OperationUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import type { Step, StepFailure } from '../flow/session.js';
import { executionStream } from '../streams.js';
import { executionEvents, type ExecutionData, type ExecutionEvent } from './events.js';
import { evolveExecution, initialExecution, isAlive, type Execution } from './state.js';

/** A flow that loops through its questions without end is stopped after this many steps. */
export const MAX_STEPS = 2_000;

type Ended = ExecutionData<'ExecutionEnded'>;

export type ExecutionCommand =
  | { readonly type: 'CreateExecution'; readonly data: ExecutionData<'ExecutionCreated'> }
  | { readonly type: 'QueueExecution'; readonly behindUuid: string }
  | { readonly type: 'StartExecution'; readonly conversationUuid: ConversationUuid }
  /** Moves to the conversation that remains after a merge. A queued execution moves there by itself. */
  | { readonly type: 'MoveExecution'; readonly conversationUuid: ConversationUuid }
  /** `step`: the step of the send. A command about an earlier step changes nothing. */
  | { readonly type: 'NoteSend'; readonly step: number; readonly operationUuid: OperationUuid }
  /** Refused when the call was already begun: it must not be made twice. */
  | { readonly type: 'BeginRequest'; readonly step: number; readonly method: string; readonly host: string }
  | {
      readonly type: 'BeginWait';
      readonly step: number;
      readonly waitsFor: 'answer' | 'time' | 'callback';
      readonly until: string | null;
      readonly conversationUuid: ConversationUuid;
    }
  | {
      readonly type: 'TakeStep';
      readonly step: number;
      readonly taken: Step;
      /** Following steps that need no action: they are recorded together with this one. */
      readonly then?: readonly Step[];
      readonly messageUuid: string | null;
      readonly continuedBy: Continuation | null;
    }
  | { readonly type: 'ReceiveCallback'; readonly block: string; readonly body: unknown }
  | { readonly type: 'ParkExecution'; readonly reason: string }
  | { readonly type: 'ResumeExecution' }
  | {
      readonly type: 'EndExecution';
      readonly status: Ended['status'];
      readonly reason: string | null;
      readonly details?: Readonly<Record<string, unknown>>;
    };

/**
 * The execution that continues after another one, and the flow that it runs. Only the end of the other one creates it.
 */
export interface Continuation {
  readonly executionUuid: string;
  readonly flowUuid: string;
  readonly flowVersion: number;
}

/** Id of the operation that sends the message of a step: repeating the step gives the same operation. */
export const flowOperationId = (executionUuid: string, step: number): string =>
  deriveId('operation', 'flow', executionUuid, step);

export function decideExecution(command: ExecutionCommand, state: Execution): readonly ExecutionEvent[] {
  if (command.type === 'CreateExecution') {
    return state.phase === 'none' ? [{ type: 'ExecutionCreated', data: command.data }] : [];
  }
  if (state.phase === 'none') {
    throw new Refusal('not_found', 'There is no such execution.', { resource: 'execution' });
  }
  const { session } = state;
  const block = session.at ?? '';
  /** Whether the command is about the current step. */
  const present = 'step' in command && command.step === session.step && state.phase === 'running';
  switch (command.type) {
    case 'QueueExecution':
      if (state.phase !== 'queued' || state.behind === command.behindUuid) return [];
      return [{ type: 'ExecutionQueued', data: { behind_uuid: command.behindUuid } }];
    case 'StartExecution':
      if (state.phase !== 'queued') return [];
      return [{ type: 'ExecutionStarted', data: { conversation_uuid: command.conversationUuid } }];
    case 'MoveExecution': {
      const { conversationUuid } = command;
      const begun = state.phase === 'running' || state.phase === 'parked';
      if (!begun || state.conversationUuid === conversationUuid) return [];
      return [{ type: 'ExecutionMoved', data: { conversation_uuid: conversationUuid } }];
    }
    case 'NoteSend':
      if (!present || state.sendOperation !== null) return [];
      return [
        {
          type: 'ExecutionSendRequested',
          data: { block, step: command.step, operation_uuid: command.operationUuid },
        },
      ];
    case 'BeginRequest': {
      if (!present) return [];
      if (state.requestBegan) throw new Refusal('request_begun', 'This call was begun before.');
      const { step, method, host } = command;
      return [{ type: 'ExecutionRequestBegan', data: { block, step, method, host } }];
    }
    case 'BeginWait': {
      if (!present || session.waiting) return [];
      const { step, waitsFor, until, conversationUuid } = command;
      return [
        {
          type: 'ExecutionWaitBegan',
          data: {
            block,
            step,
            waits_for: waitsFor,
            until,
            operation_uuid: state.sendOperation,
            conversation_uuid: conversationUuid,
          },
        },
      ];
    }
    case 'TakeStep':
      return present ? stepsTo(command, state) : [];
    case 'ReceiveCallback':
      if (!isAlive(state) || Object.hasOwn(state.callbacks, command.block)) return [];
      // A repeated call-back is ignored, unless the flow has reached the block again.
      if (state.called.includes(command.block) && session.at !== command.block) return [];
      return [{ type: 'ExecutionCallbackReceived', data: { block: command.block, body: command.body } }];
    case 'ParkExecution':
      if (state.phase !== 'running') return [];
      return [{ type: 'ExecutionParked', data: { block: session.at, reason: command.reason } }];
    case 'ResumeExecution':
      if (state.phase === 'parked') return [{ type: 'ExecutionResumed', data: {} }];
      if (state.phase !== 'ended') return [];
      throw new Refusal('execution_ended', 'This execution is over. Start the flow again.', {
        status: state.ended?.status,
      });
    case 'EndExecution':
      if (!isAlive(state)) return [];
      return [
        ended(state, { status: command.status, reason: command.reason, details: { ...command.details } }),
      ];
    default:
      return command satisfies never;
  }
}

function stepsTo(
  { taken, then = [], messageUuid, continuedBy }: Extract<ExecutionCommand, { type: 'TakeStep' }>,
  state: Execution,
): readonly ExecutionEvent[] {
  const events: ExecutionEvent[] = [];
  let at = state;
  for (const step of [taken, ...then]) {
    const event = stepTaken(step, at, step === taken ? messageUuid : null);
    events.push(event);
    if (step.ended || step.to === null) {
      const { status = 'completed', outcome = null, reason = null } = step.ended ?? {};
      const more = step.failure ? { details: detailsOf(step.failure) } : continuation(continuedBy);
      return [...events, ended(at, { status, outcome, reason, ...more })];
    }
    at = evolveExecution(at, event);
    if (at.session.step >= MAX_STEPS) {
      const details = { limit: MAX_STEPS };
      return [...events, ended(at, { status: 'failed', reason: 'too_many_steps', details })];
    }
  }
  return events;
}

/** ExecutionEnded has no field for the message, so `details` holds it. */
const detailsOf = ({ message, details }: StepFailure): Ended['details'] => ({
  ...details,
  ...(message === null ? {} : { message }),
});

const continuation = (by: Continuation | null): Partial<Ended> =>
  by === null
    ? {}
    : {
        continued_by: by.executionUuid,
        details: { flow_uuid: by.flowUuid, flow_version: by.flowVersion },
      };

function stepTaken(
  { block, way, to, vars, answer, failure }: Step,
  { session, wait, sendOperation }: Execution,
  messageUuid: string | null,
): ExecutionEvent {
  const set = [
    ...Object.keys(vars ?? {}).map((name) => `vars.${name}`),
    ...Object.keys(answer ?? {}).map((name) => `answer.${name}`),
  ];
  return {
    type: 'ExecutionStepTaken',
    data: {
      block,
      step: session.step,
      way,
      to,
      variables: vars ? { ...vars } : null,
      answers: answer ? { ...answer } : null,
      set,
      message_uuid: messageUuid,
      operation_uuid: wait?.operation_uuid ?? sendOperation,
      failure: failure?.code ?? null,
      failure_message: failure?.message ?? null,
      failure_details: { ...failure?.details },
      waited: wait !== null,
    },
  };
}

const ended = (state: Execution, data: Partial<Ended> & Pick<Ended, 'status'>): ExecutionEvent => ({
  type: 'ExecutionEnded',
  data: {
    outcome: null,
    block: state.phase === 'queued' ? null : state.session.at,
    reason: null,
    details: {},
    continued_by: null,
    ...data,
  },
});

export const executionAggregate: Aggregate<Execution, ExecutionCommand, ExecutionEvent, 'execution'> = {
  stream: executionStream,
  events: executionEvents,
  initial: initialExecution,
  decide: decideExecution,
  evolve: evolveExecution,
};
