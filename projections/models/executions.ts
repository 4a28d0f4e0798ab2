import type { ExecutionData, ExecutionEvent } from '../../domain/execution/events.js';
import { failureOf, type ExecutionFailure } from '../../domain/execution/failure.js';
import { EXECUTION_MOVES, type ExecutionStatus } from '../../domain/execution/status.js';
import { executionStream } from '../../domain/execution/stream.js';
import { defineProjection } from '../projection.js';

type Values = Readonly<Record<string, unknown>>;

export type ExecutionStepDoc = {
  readonly step: number;
  readonly block: string;
  readonly way: string;
  readonly to: string | null;
  readonly at: string;
};

export type ExecutionDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly flow_uuid: string;
  readonly flow_version: number;
  readonly channel_uuid: string;
  readonly contact_uuid: string;
  /** Null until it is in charge of one. */
  readonly conversation_uuid: string | null;
  readonly integration_uuid: string | null;
  readonly operation_uuid: string | null;
  /** Message that set it off. */
  readonly message_uuid: string | null;
  /** Execution that went on with this one. */
  readonly parent_uuid: string | null;
  /** Execution that goes on for this one. */
  readonly continued_by: string | null;
  readonly trigger: ExecutionData<'ExecutionCreated'>['trigger'];
  /** First block. */
  readonly start: string;
  readonly status: ExecutionStatus;
  /** That was reached; null before the first. */
  readonly block: string | null;
  /** While it waits, and behind the status `parked`. */
  readonly waiting: {
    readonly for: ExecutionData<'ExecutionWaitBegan'>['waits_for'] | 'flow';
    readonly until: string | null;
  } | null;
  /** Empty once the person was erased; so are the answers. */
  readonly variables: Values;
  readonly answers: Values;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly error: ExecutionFailure | null;
  /** The newest, oldest first. All of them are in the stream. */
  readonly steps: readonly ExecutionStepDoc[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
};

const STEPS_KEPT = 50;

export const executions = defineProjection<ExecutionDoc, ExecutionEvent>({
  name: 'executions',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_company_status: ['company_uuid', 'status', 'created_at'],
    by_status: ['status', 'created_at'],
    by_flow: ['flow_uuid', 'created_at'],
    by_flow_status: ['flow_uuid', 'status', 'created_at'],
    by_contact: ['contact_uuid', 'created_at'],
  },
  handles: ['ExecutionCreated', ...EXECUTION_MOVES],
  documentId: ({ record }) => executionStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ExecutionCreated') {
      const {
        if_running: _policy,
        subject: _subject,
        depth: _depth,
        depth_without_wait: _without,
        ...data
      } = event.data;
      return {
        uuid: executionStream.match(record.stream)!,
        ...data,
        conversation_uuid: null,
        continued_by: null,
        status: 'queued',
        block: null,
        waiting: null,
        variables: data.variables ?? {},
        answers: {},
        outcome: null,
        reason: null,
        error: null,
        steps: [],
        created_at: at,
        updated_at: at,
        ended_at: null,
      };
    }
    if (!doc) return null;
    const change = moved(doc, event, at);
    return change === null ? doc : { ...doc, ...change, updated_at: at };
  },
});

function moved(
  doc: ExecutionDoc,
  event: Exclude<ExecutionEvent, { type: 'ExecutionCreated' }>,
  at: string,
): Partial<ExecutionDoc> | null {
  switch (event.type) {
    case 'ExecutionQueued':
      return { status: 'waiting', waiting: { for: 'flow', until: null } };
    case 'ExecutionStarted':
      return {
        status: 'processing',
        block: doc.start,
        waiting: null,
        conversation_uuid: event.data.conversation_uuid,
      };
    case 'ExecutionMoved':
      return { conversation_uuid: event.data.conversation_uuid };
    case 'ExecutionWaitBegan': {
      const { block, waits_for, until, conversation_uuid } = event.data;
      return { status: 'waiting', block, waiting: { for: waits_for, until }, conversation_uuid };
    }
    case 'ExecutionStepTaken': {
      const { step, block, way, to, variables, answers } = event.data;
      return {
        status: 'processing',
        block: to ?? block,
        waiting: null,
        // Null where none was set, and once the person was erased.
        variables: { ...doc.variables, ...variables },
        answers: { ...doc.answers, ...answers },
        steps: [...doc.steps, { step, block, way, to, at }].slice(-STEPS_KEPT),
      };
    }
    case 'ExecutionParked': {
      const { block, reason } = event.data;
      return { status: 'parked', block: block ?? doc.block, reason };
    }
    case 'ExecutionResumed':
      return { status: doc.waiting === null ? 'processing' : 'waiting', reason: null };
    case 'ExecutionEnded': {
      const { status, outcome, reason, block, continued_by } = event.data;
      return {
        status,
        outcome,
        reason,
        block: block ?? doc.block,
        waiting: null,
        continued_by,
        error: failureOf(event.data),
        ended_at: at,
      };
    }
    default:
      return null;
  }
}
