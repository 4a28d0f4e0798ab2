import type { ExecutionEvent } from '../../domain/execution/events.js';
import { failureOf } from '../../domain/execution/failure.js';
import { EXECUTION_MOVES } from '../../domain/execution/status.js';
import { executionStream } from '../../domain/streams.js';
import { executions as collection, type ExecutionDoc } from '../../read-models/executions.js';
import { defineProjection } from '../projection.js';

const STEPS_KEPT = 50;

export const executions = defineProjection<ExecutionDoc, ExecutionEvent>({
  collection,
  handles: ['ExecutionCreated', ...EXECUTION_MOVES],
  documentId: ({ record }) => executionStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
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
        uuid,
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
        // A step that set no variables has null here, and so has any step after the person was erased.
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
