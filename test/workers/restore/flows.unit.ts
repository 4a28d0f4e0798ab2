/**
 * Executions after a restore: those that act as usual, those that are held, and those whose event is handled once more.
 */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { FLOW_REQUESTS, FLOW_TIMERS, flowEntry } from '../../../application/flows/queues.js';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import { FLOWS } from '../../../application/relay.js';
import { reactionId } from '../../../application/restore/held-work.js';
import type { Horizon } from '../../../application/restore/horizon.js';
import { pointerAt, type OpenWork } from '../../../application/restore/open-work.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import type { ConversationEvent } from '../../../domain/conversation/events.js';
import { conversationEventExamples } from '../../support/examples/conversation.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import type { ExecutionData, ExecutionEvent } from '../../../domain/execution/events.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import { exampleIds } from '../../support/examples/example.js';
import { messageEventExamples } from '../../support/examples/message.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { executionStream, messageStream, operationStream } from '../../../domain/streams.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { prepareFlows } from '../../../workers/restore/flows.js';
import { history } from '../../support/projections.js';
import { HORIZON, NOTHING_RAN, RESTORED_AT, restoreStores } from './horizon.js';

const UUID = exampleIds.execution;
const OTHER = exampleIds.test;
const { created, queued, started, waitBegan, stepTaken, sendRequested, parked, ended } =
  executionEventExamples;
const { opened, takenByFlow } = conversationEventExamples;
const BEFORE = new Date(RESTORED_AT - 1).toISOString();
const LATER = new Date(RESTORED_AT + 1).toISOString();

const wait = (until: string | null): ExecutionEvent => ({
  ...waitBegan,
  data: { ...waitBegan.data, until },
});
const begun = (fields: Partial<ExecutionData<'ExecutionCreated'>>): ExecutionEvent => ({
  ...created,
  data: { ...created.data, ...fields },
});

interface Case {
  readonly execution?: readonly ExecutionEvent[];
  readonly other?: readonly ExecutionEvent[];
  /** The execution that is in charge of the conversation; this one when left out. */
  readonly inCharge?: string | null;
  /** The state of the send that belongs to the current step. */
  readonly send?: 'open' | 'settled';
  /** Events in other streams. */
  readonly told?: readonly (readonly [string, DomainEvent])[];
  readonly open?: Partial<OpenWork>;
  readonly horizon?: Horizon;
}

async function prepared({
  execution = [],
  other = [],
  inCharge = UUID,
  send = 'settled',
  told = [],
  open = { executions: new Set([UUID]) },
  horizon = HORIZON,
}: Case) {
  const stores = restoreStores();
  const taken = { ...takenByFlow, data: { ...takenByFlow.data, execution_uuid: inCharge ?? '' } };
  const conversation: readonly ConversationEvent[] = inCharge === null ? [opened] : [opened, taken];
  const { accepted, failed } = operationEventExamples;
  const operation = send === 'open' ? [accepted] : [accepted, failed];
  const records = history(
    ...execution.map((event) => [executionStream.toName(UUID), event] as const),
    ...other.map((event) => [executionStream.toName(OTHER), event] as const),
    ...told,
  ).map(({ record }) => record);
  const app = {
    ...stores.app,
    store: {
      read: async (stream: string, { limit }: { limit: number } = { limit: Infinity }) =>
        records.filter((record) => record.stream === stream).slice(0, limit),
    },
    executor: {
      load: async (aggregate: unknown, uuid: string) => {
        if (aggregate === conversationAggregate) {
          return { state: conversation.reduce(conversationAggregate.evolve, conversationAggregate.initial) };
        }
        if (aggregate === operationAggregate) {
          return { state: operation.reduce(operationAggregate.evolve, operationAggregate.initial) };
        }
        const events = uuid === UUID ? execution : uuid === OTHER ? other : [];
        return { state: events.reduce(executionAggregate.evolve, executionAggregate.initial) };
      },
    },
  } as unknown as App;
  const request = flowEntry(
    FLOW_REQUESTS,
    { execution_uuid: UUID, step: 1, company: exampleIds.company, correlation_id: 'c' },
    RESTORED_AT - 1,
  );
  await stores.dueTimes.schedule([request]);
  const none: OpenWork = {
    sends: new Set(),
    executions: new Set(),
    inCharge: new Map(),
    acceptedFlows: new Map(),
    files: new Map(),
    cancellations: new Map(),
    holds: new Map(),
    placings: [],
  };
  await prepareFlows(app, horizon, { ...none, ...open });
  return {
    ...stores,
    /** A pointer to the last event of this type in the stream, as the topic of flows has it. */
    pointer: (stream: string, type: string) =>
      pointerAt(
        records.findLast((record) => record.stream === stream && record.type === type)!,
        FLOWS,
      )!,
    timers: () => stores.rows(FLOW_TIMERS),
    requests: () => stores.rows(FLOW_REQUESTS).length,
    again: () => stores.rows(retryQueue('flows')),
    ids: () => stores.held().map(({ id }) => id),
  };
}

const RUNNING = [created, started];
/** A wait counts as a step of its own. */
const timer = (dueAt: number, step = 1) =>
  flowEntry(
    FLOW_TIMERS,
    { execution_uuid: UUID, step, company: exampleIds.company, correlation_id: 'c' },
    dueAt,
  );

describe('running executions behind a restore', () => {
  it('have the timer of a wait that ends later, also where the copy had none', async () => {
    const { timers, held, requests } = await prepared({ execution: [...RUNNING, wait(LATER)] });
    expect(timers()).to.deep.equal([timer(RESTORED_AT + 1)]);
    expect(held()).to.deep.equal([]);
    expect(requests()).to.equal(1);
  });

  it('are held where their wait has ended, and where it ends with the restore', async () => {
    for (const until of [BEFORE, new Date(RESTORED_AT).toISOString()]) {
      const { timers, held, requests } = await prepared({ execution: [...RUNNING, wait(until)] });
      expect(held().map(({ restored_at: _at, restore_position: _place, ...work }) => work)).to.deep.equal([
        {
          id: UUID,
          kind: 'flow',
          company_uuid: exampleIds.company,
          about: `block question of flow ${created.data.flow_uuid}`,
          due_at: until,
          row: timer(Date.parse(until)),
        },
      ]);
      expect(timers()).to.deep.equal([]);
      // The row of its call is gone: a released step makes it again.
      expect(requests()).to.equal(0);
    }
  });

  it('are left alone while they wait for an answer without end, or for a send that is under way', async () => {
    for (const some of [
      { execution: [...RUNNING, wait(null)] },
      { execution: [...RUNNING, sendRequested], send: 'open' },
    ] as const) {
      const { timers, held, requests } = await prepared(some);
      expect([timers(), held(), requests()]).to.deep.equal([[], [], 1]);
    }
  });

  it('are held in the middle of a step, and where the send of the step has ended', async () => {
    for (const some of [
      { execution: RUNNING },
      { execution: RUNNING, send: 'open' },
      { execution: [...RUNNING, sendRequested], send: 'settled' },
    ] as const) {
      const { held } = await prepared(some);
      expect(held().map(({ id, row }) => [id, row.dueAt])).to.deep.equal([[UUID, RESTORED_AT]]);
    }
  });

  it('are held where another flow, or nobody, is in charge of their conversation', async () => {
    for (const inCharge of [OTHER, null]) {
      for (const some of [
        { execution: [...RUNNING, wait(LATER)] },
        { execution: [...RUNNING, wait(null)] },
        { execution: [...RUNNING, sendRequested], send: 'open' },
      ] as const) {
        const { ids, timers } = await prepared({ ...some, inCharge });
        expect([ids(), timers()]).to.deep.equal([[UUID], []]);
      }
    }
  });

  it('go on by themselves where nothing ran since', async () => {
    const { timers, held } = await prepared({ execution: [...RUNNING, wait(BEFORE)], horizon: NOTHING_RAN });
    expect(timers()).to.deep.equal([timer(RESTORED_AT - 1)]);
    expect(held()).to.deep.equal([]);
    const amid = await prepared({ execution: RUNNING, horizon: NOTHING_RAN });
    expect(amid.timers()).to.deep.equal([timer(RESTORED_AT, 0)]);
  });

  it('are not those that are over or parked, or that left no record', async () => {
    for (const execution of [[...RUNNING, ended], [...RUNNING, parked], []]) {
      const { timers, held, again } = await prepared({ execution });
      expect([timers(), held(), again()]).to.deep.equal([[], [], []]);
    }
  });

  it('show the block that they are at', async () => {
    const { held } = await prepared({ execution: [...RUNNING, stepTaken] });
    expect(held()[0]!.about).to.include(`block ${stepTaken.data.to} `);
  });
});

describe('executions that had not begun before a restore', () => {
  const operation = operationStream.toName(UUID);
  const message = messageStream.toName(exampleIds.message);
  const { flowAccepted } = operationEventExamples;
  const behind = { ...queued, data: { behind_uuid: OTHER } };

  it('are held by the event that has them begin: the request, the message or the end of another', async () => {
    for (const [fields, stream, event] of [
      [{}, operation, flowAccepted],
      [{ message_uuid: exampleIds.message, operation_uuid: null }, message, messageEventExamples.received],
      [{ parent_uuid: OTHER, operation_uuid: null }, executionStream.toName(OTHER), ended],
    ] as const) {
      const parent = stream === executionStream.toName(OTHER) ? [created, started, ended] : [];
      const { pointer, held, again } = await prepared({
        execution: [begun(fields)],
        other: parent,
        told: parent.length > 0 ? [] : [[stream, event]],
      });
      const cause = pointer(stream, event.type);
      expect(held().map(({ restored_at: _at, restore_position: _place, ...work }) => work)).to.deep.equal([
        {
          id: reactionId('flows', cause.event_id),
          kind: 'reaction',
          company_uuid: exampleIds.company,
          about: `flows: ${stream}`,
          due_at: new Date(RESTORED_AT).toISOString(),
          row: retryRow('flows', cause.event_id, cause, RESTORED_AT),
        },
      ]);
      expect(again()).to.deep.equal([]);
    }
  });

  it('begin by themselves where nothing ran since', async () => {
    const { pointer, held, again } = await prepared({
      execution: [created],
      told: [[operation, flowAccepted]],
      horizon: NOTHING_RAN,
    });
    const cause = pointer(operation, flowAccepted.type);
    expect(again()).to.deep.equal([retryRow('flows', cause.event_id, cause, RESTORED_AT)]);
    expect(held()).to.deep.equal([]);
  });

  it('are left to the end of the one that they wait for, unless that has ended', async () => {
    const waiting = { execution: [created, behind], told: [[operation, flowAccepted]] as const };
    expect((await prepared({ ...waiting, other: [created, started] })).ids()).to.deep.equal([]);
    expect((await prepared({ ...waiting, other: [created, started, ended] })).ids()).to.have.length(1);
    expect((await prepared(waiting)).ids(), 'one that left no record').to.have.length(1);
  });

  it('are passed over where nothing tells what has them begin', async () => {
    for (const some of [
      { execution: [created] },
      { execution: [begun({ parent_uuid: OTHER })], other: [created, started] },
      { execution: [created], told: [[operation, operationEventExamples.failed]] as const },
    ]) {
      const { held, again } = await prepared(some);
      expect([held(), again()]).to.deep.equal([[], []]);
    }
  });
});

describe('flows that are told of once more behind a restore', () => {
  it('are those that were accepted and never became executions', async () => {
    const [recorded] = history([operationStream.toName(OTHER), operationEventExamples.flowAccepted]);
    const pointer = pointerAt(recorded!.record, FLOWS)!;
    const { ids } = await prepared({ open: { acceptedFlows: new Map([[OTHER, pointer]]) } });
    expect(ids()).to.deep.equal([reactionId('flows', pointer.event_id)]);
  });

  it('are those that have ended while their conversation does not know', async () => {
    const open = { inCharge: new Map([[exampleIds.conversation, OTHER]]) };
    const other = [created, started, ended];
    const { pointer, ids } = await prepared({ open, other });
    const end = pointer(executionStream.toName(OTHER), ended.type);
    expect(ids()).to.deep.equal([reactionId('flows', end.event_id)]);

    const both = { ...open, executions: new Set([OTHER]) };
    expect((await prepared({ open: both, other })).ids(), 'not known as ended').to.deep.equal([]);
    expect((await prepared({ open })).ids(), 'without an end on record').to.deep.equal([]);
  });
});
