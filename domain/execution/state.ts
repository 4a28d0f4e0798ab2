import { withEntry, withoutEntry } from '../kernel/entries.js';
import { beginSession, takeStep, type Session, type Step } from '../flow/session.js';
import type { ConversationUuid } from '../kernel/ids.js';
import type { ExecutionData, ExecutionEvent } from './events.js';

/** `queued` until the execution is in charge of its conversation; `parked`: stopped until somebody resumes it. */
export type ExecutionPhase = 'none' | 'queued' | 'running' | 'parked' | 'ended';

export interface Execution {
  readonly phase: ExecutionPhase;
  readonly created: ExecutionData<'ExecutionCreated'> | null;
  /** The execution that this one waits for. */
  readonly behind: string | null;
  readonly conversationUuid: ConversationUuid | null;
  readonly session: Session;
  /** The execution has waited at least once: for an answer, a time or a call-back. */
  readonly waited: boolean;
  /** A person has replied in it, with a valid answer or not. */
  readonly answered: boolean;
  /** The operation of the message that was accepted at the current step. */
  readonly sendOperation: string | null;
  /** The call to another system at the current step was begun, and possibly made. */
  readonly requestBegan: boolean;
  readonly wait: Pick<ExecutionData<'ExecutionWaitBegan'>, 'waits_for' | 'until' | 'operation_uuid'> | null;
  /** Bodies of call-backs by block, until the flow has used them. */
  readonly callbacks: Readonly<Record<string, unknown>>;
  /** Blocks whose call-back the flow has used. */
  readonly called: readonly string[];
  readonly ended: ExecutionData<'ExecutionEnded'> | null;
}

export const initialExecution: Execution = {
  phase: 'none',
  created: null,
  behind: null,
  conversationUuid: null,
  session: beginSession('', {}),
  waited: false,
  answered: false,
  sendOperation: null,
  requestBegan: false,
  wait: null,
  callbacks: {},
  called: [],
  ended: null,
};

export const isAlive = ({ phase }: Execution): boolean => phase !== 'none' && phase !== 'ended';

export function evolveExecution(state: Execution, event: ExecutionEvent): Execution {
  switch (event.type) {
    case 'ExecutionCreated':
      return {
        ...initialExecution,
        phase: 'queued',
        created: event.data,
        session: beginSession(event.data.start, event.data.variables ?? {}),
      };
    case 'ExecutionQueued':
      return { ...state, behind: event.data.behind_uuid };
    case 'ExecutionStarted':
      return { ...state, phase: 'running', behind: null, conversationUuid: event.data.conversation_uuid };
    case 'ExecutionMoved':
      return { ...state, conversationUuid: event.data.conversation_uuid };
    case 'ExecutionSendRequested':
      return { ...state, sendOperation: event.data.operation_uuid };
    case 'ExecutionRequestBegan':
      return { ...state, requestBegan: true };
    case 'ExecutionWaitBegan': {
      const { block, waits_for, until, operation_uuid, conversation_uuid } = event.data;
      return {
        ...stepped(state, { block, way: 'began', to: block }),
        conversationUuid: conversation_uuid,
        waited: true,
        wait: { waits_for, until, operation_uuid },
      };
    }
    case 'ExecutionStepTaken': {
      const { block, way, to, variables, answers, message_uuid } = event.data;
      const step: Step = {
        block,
        way,
        to,
        ...(variables ? { vars: variables } : {}),
        ...(answers ? { answer: answers } : {}),
      };
      // A block that is reached again waits for a new call-back.
      const after = { ...stepped(state, step), answered: state.answered || message_uuid !== null };
      if (!isPresent(state.callbacks, block)) return after;
      return {
        ...after,
        callbacks: withoutEntry(state.callbacks, block),
        called: [...state.called, block],
      };
    }
    case 'ExecutionCallbackReceived':
      return { ...state, callbacks: withEntry(state.callbacks, event.data.block, event.data.body) };
    case 'ExecutionParked':
      return { ...state, phase: 'parked' };
    case 'ExecutionResumed':
      return { ...state, phase: 'running' };
    case 'ExecutionEnded':
      return { ...state, phase: 'ended', wait: null, ended: event.data };
    default:
      return state;
  }
}

const stepped = (state: Execution, step: Step): Execution => ({
  ...state,
  session: takeStep(state.session, step),
  sendOperation: null,
  requestBegan: false,
  wait: null,
});

const isPresent = (map: Readonly<Record<string, unknown>>, name: string): boolean =>
  typeof name === 'string' && Object.hasOwn(map, name);
