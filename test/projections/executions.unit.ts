/** Executions, and the operations that started them, as the API shows them (spec §2, Operation; docs/flows.md). */
import { expect } from 'chai';
import fc from 'fast-check';
import { decideExecution, executionAggregate, type ExecutionCommand } from '../../domain/execution/decide.js';
import type { ExecutionData, ExecutionEvent } from '../../domain/execution/events.js';
import { executionEventExamples } from '../support/examples/execution.js';
import { executionStatus } from '../../domain/execution/status.js';
import { fold } from '../../domain/kernel/decider.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import { exampleIds } from '../support/examples/example.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { executionStream, operationStream } from '../../domain/streams.js';
import { operationEventExamples } from '../support/examples/operation.js';
import type { ExecutionDoc } from '../../read-models/executions.js';
import type { OperationDoc } from '../../read-models/operations.js';
import { executions } from '../../projections/models/executions.js';
import { operations } from '../../projections/models/operations.js';
import { asAny } from '../../projections/projection.js';
import { at, history, project } from '../support/projections.js';
import { runs } from '../support/soak.js';
import { withData } from '../support/events.js';

const uuid = exampleIds.execution;
const stream = executionStream.toName(uuid);
const { created, queued, started, waitBegan, stepTaken, parked, resumed, ended } = executionEventExamples;
const endedAs = (data: Partial<ExecutionData<'ExecutionEnded'>>) =>
  withData(ended, { ...data }) satisfies ExecutionEvent;

const execution = (...events: readonly ExecutionEvent[]): ExecutionDoc =>
  project(asAny(executions), history(...events.map((event) => [stream, event] as const)))[
    uuid
  ] as ExecutionDoc;

describe('executions', () => {
  const table: readonly (readonly [string, readonly ExecutionEvent[], Partial<ExecutionDoc>])[] = [
    [
      'asked for',
      [created],
      {
        status: 'queued',
        block: null,
        conversation_uuid: null,
        trigger: 'api',
        flow_version: 3,
        variables: { utm_source: 'catalogo-de-natal' },
        answers: {},
        created_at: at(0),
        ended_at: null,
      },
    ],
    ['in line', [created, queued], { status: 'waiting', waiting: { for: 'flow', until: null }, block: null }],
    [
      'begun',
      [created, queued, started],
      {
        status: 'processing',
        waiting: null,
        block: 'question',
        conversation_uuid: exampleIds.conversation,
        updated_at: at(2),
      },
    ],
    [
      'waiting for an answer',
      [created, started, waitBegan],
      {
        status: 'waiting',
        block: 'question',
        waiting: { for: 'answer', until: waitBegan.data.until },
      },
    ],
    [
      'answered',
      [created, started, waitBegan, stepTaken],
      {
        status: 'processing',
        block: 'thanks',
        waiting: null,
        variables: { utm_source: 'catalogo-de-natal', pedido: '4711' },
        answers: { email: 'rosa.lima@correio.example' },
        steps: [{ step: 1, block: 'question', way: 'next', to: 'thanks', at: at(3) }],
      },
    ],
    [
      'asked once more',
      [created, started, waitBegan, withData(stepTaken, { way: 'retry', to: 'question' })],
      { status: 'processing', block: 'question', waiting: null },
    ],
    ['parked', [created, started, parked], { status: 'parked', reason: 'gave up after 12 tries' }],
    ['resumed', [created, started, parked, resumed], { status: 'processing', reason: null }],
    [
      'resumed in a wait',
      [created, started, waitBegan, parked, resumed],
      { status: 'waiting', waiting: { for: 'answer', until: waitBegan.data.until } },
    ],
    [
      'completed',
      [created, started, waitBegan, stepTaken, endedAs({ outcome: 'bought' })],
      { status: 'completed', outcome: 'bought', block: 'thanks', error: null, ended_at: at(4) },
    ],
    [
      'expired',
      [created, started, waitBegan, endedAs({ status: 'expired', block: 'question' })],
      { status: 'expired', waiting: null, error: null },
    ],
    [
      'cancelled before it began',
      [created, queued, endedAs({ status: 'cancelled', block: null, reason: 'contact_erased' })],
      { status: 'cancelled', reason: 'contact_erased', waiting: null, block: null, error: null },
    ],
    [
      'failed at a block',
      [created, started, endedAs({ status: 'failed', block: 'question', reason: 'recipient_opted_out' })],
      {
        status: 'failed',
        reason: 'recipient_opted_out',
        error: {
          code: 'recipient_opted_out',
          message: 'The flow failed at block question: recipient_opted_out.',
          details: { block: 'question' },
        },
      },
    ],
  ];
  for (const [name, events, expected] of table) {
    it(name, () => expect(execution(...events)).to.deep.include(expected));
  }

  it('hold nothing personal once it reads as null', () => {
    const doc = execution(
      withData(created, { variables: null }),
      started,
      withData(stepTaken, { variables: null, answers: null }),
    );
    expect([doc.variables, doc.answers, doc.block]).to.deep.equal([{}, {}, 'thanks']);
  });

  it('keep their newest fifty steps', () => {
    const steps = Array.from({ length: 60 }, (_, step) => withData(stepTaken, { step }));
    const doc = execution(created, started, ...steps);
    expect(doc.steps.map(({ step }) => step)).to.deep.equal(Array.from({ length: 50 }, (_, n) => n + 10));
  });

  it('say the status that their stream has, however they come about', () => {
    type Walk = (step: number) => ExecutionCommand;
    const leave = (way: string, to: string | null): Walk => {
      const taken = { block: 'question', way, to };
      const more = { messageUuid: null, failure: null, continuedBy: null };
      return (step) => ({ type: 'TakeStep', step, taken, ...more });
    };
    const walks: readonly Walk[] = [
      () => ({ type: 'QueueExecution', behindUuid: exampleIds.test }),
      () => ({ type: 'StartExecution', conversationUuid: exampleIds.conversation }),
      (step) => ({ type: 'NoteSend', step, operationUuid: exampleIds.operation }),
      (step) => ({
        type: 'BeginWait',
        step,
        waitsFor: 'answer',
        until: null,
        conversationUuid: exampleIds.conversation,
      }),
      leave('next', 'thanks'),
      leave('retry', 'question'),
      leave('end', null),
      () => ({ type: 'ParkExecution', reason: 'tired' }),
      () => ({ type: 'ResumeExecution' }),
      () => ({ type: 'EndExecution', status: 'cancelled', reason: 'operator' }),
    ];
    // Ends are rare here, since nothing comes after them.
    const walk = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...walks.slice(0, 6), ...walks.slice(7, 9)) },
      { weight: 1, arbitrary: fc.constantFrom(walks[6]!, walks[9]!) },
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(walk, { maxLength: 20 }), (commands) => {
        const events: ExecutionEvent[] = [created];
        for (const command of commands) {
          const state = fold(executionAggregate, events);
          try {
            events.push(...decideExecution(command(state.session.step), state));
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          const status = executionStatus(fold(executionAggregate, events));
          seen.add(status);
          expect(execution(...events).status).to.equal(status);
        }
      }),
      { numRuns: runs(300) },
    );
    expect([...seen]).to.include.members(['waiting', 'processing', 'parked', 'completed', 'cancelled']);
  });
});

describe('operations of executions', () => {
  const { flowAccepted } = operationEventExamples;
  const operation = (...events: readonly ExecutionEvent[]): OperationDoc => {
    const named: readonly (readonly [string, DomainEvent])[] = [
      [operationStream.toName(uuid), flowAccepted],
      ...events.map((event) => [stream, event] as const),
    ];
    return project(asAny(operations), history(...named))[uuid] as OperationDoc;
  };

  it('are queued until the execution begins', () => {
    const shown = { type: 'flow.execute', status: 'queued', result: null, error: null, started_at: null };
    expect(operation()).to.deep.include(shown);
    expect(operation(created)).to.deep.include({ ...shown, contact_uuid: exampleIds.contact });
  });

  it('wait while the execution waits, is in line or is parked, and are processing in between', () => {
    const statuses = (...events: readonly ExecutionEvent[]) => {
      const { status, waiting } = operation(...events);
      return [status, waiting?.reason ?? null];
    };
    expect(statuses(created, queued)).to.deep.equal(['waiting', 'flow']);
    expect(statuses(created, queued, started)).to.deep.equal(['processing', null]);
    expect(statuses(created, started, waitBegan)).to.deep.equal(['waiting', 'answer']);
    expect(statuses(created, started, waitBegan, stepTaken)).to.deep.equal(['processing', null]);
    expect(statuses(created, started, parked)).to.deep.equal(['waiting', 'parked']);
    expect(statuses(created, started, parked, resumed)).to.deep.equal(['processing', null]);
    expect(statuses(created, started, waitBegan, parked, resumed)).to.deep.equal(['waiting', 'answer']);
  });

  for (const status of ['completed', 'handed_off', 'expired', 'cancelled'] as const) {
    it(`succeed when the execution is ${status}`, () => {
      expect(operation(created, started, waitBegan, endedAs({ status }))).to.deep.include({
        status: 'succeeded',
        waiting: null,
        result: {
          execution_uuid: uuid,
          conversation_uuid: exampleIds.conversation,
          contact_uuid: exampleIds.contact,
          status,
        },
        error: null,
        started_at: at(2),
        completed_at: at(4),
      });
    });
  }

  it('fail when the execution fails, with what it failed of', () => {
    const conflict = endedAs({
      status: 'failed',
      block: null,
      reason: 'external_contact_conflict',
      details: { external_id: 'cliente-42' },
    });
    const { status, result, error } = operation(created, conflict);
    expect([status, result, error?.code]).to.deep.equal(['failed', null, 'external_contact_conflict']);
    expect(error?.message).to.match(/^This external_id is already linked/);
    expect(error?.details).to.deep.equal({ external_id: 'cliente-42' });
  });

  it('do not exist for executions that no caller asked for', () => {
    const events = [created, started, waitBegan, ended].map((event) => [stream, event] as const);
    expect(project(asAny(operations), history(...events))).to.deep.equal({});
  });
});
