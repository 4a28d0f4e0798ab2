/** Begins and ends of executions, and their effects on the conversation. Tests set the stream states. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { afterEnd } from '../../../application/flows/after-end.js';
import { beginNext } from '../../../application/flows/begin.js';
import { endExecution } from '../../../application/flows/end.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { cancelExecution, parkExecution, resumeExecution } from '../../../application/flows/park.js';
import { FLOW_TIMERS, flowEntry } from '../../../application/flows/queues.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import type { Conversation } from '../../../domain/conversation/state.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import type { Execution } from '../../../domain/execution/state.js';
import { beginSession } from '../../../domain/flow/session.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { recordedCommands } from '../../support/fakes/loaded-states.js';
import { refusalOf } from '../provisioning/workspace.js';

const CAUSE = { company: 'company', id: 'cause', correlationId: 'correlation' };
const created = { ...executionEventExamples.created.data, message_uuid: null };
type Ended = NonNullable<Execution['ended']>;
const ended = (over: Partial<Ended>): Ended =>
  ({ status: 'completed', outcome: null, reason: null, continued_by: null, details: {}, ...over }) as Ended;

function world(over: Partial<Execution> = {}) {
  const dueTimes = memoryDueTimes(() => 0);
  const known = { phase: 'running', session: { ...beginSession('block', {}), step: 2 }, ...over } as const;
  const streams = recordedCommands(({ type }) => {
    const phase = type === 'ParkExecution' ? 'parked' : known.phase;
    const state = { ...executionAggregate.initial, ...known, phase, conversationUuid: 'conversation' };
    return { state, position: 7 };
  });
  const execution = (uuid: string, state: Partial<Execution>): void =>
    streams.set(executionAggregate, uuid, { created, conversationUuid: 'conversation', ...state });
  execution('execution', known);
  streams.set(contactAggregate, created.contact_uuid, { exists: true, erased: true });
  const app = { newId: () => 'id', dueTimes, executor: streams.executor } as unknown as App;
  return {
    ...streams,
    app,
    engine: createFlowEngine(app),
    dueTimes,
    commands: () => streams.given.map(({ id, command }) => ({ id, ...command })),
    execution,
    conversation: (state: Partial<Conversation>): void =>
      streams.set(conversationAggregate, 'conversation', { exists: true, ...state }),
  };
}
const SHOWN = { id: 'conversation', type: 'ReopenConversation', by: 'flow' };
const LEFT = { id: 'conversation', type: 'LeaveByFlow', executionUuid: 'execution' };

describe('the end of an execution', () => {
  const after = async (state: Partial<Execution>) => {
    const w = world({ phase: 'ended', ...state });
    await afterEnd(w.engine, 'execution', CAUSE);
    return w.commands();
  };

  it('leaves the conversation to whatever is next', async () => {
    expect(await after({ ended: ended({}) })).to.deep.equal([LEFT]);
  });

  it('gives it to people where the flow said so, the customer, or one of them', async () => {
    for (const [reason, by] of [
      [null, 'handoff'],
      ['asked_for_person', 'asked'],
      ['taken_over', 'person'],
    ] as const) {
      expect(await after({ ended: ended({ status: 'handed_off', reason }) })).to.deep.equal([
        { id: 'conversation', type: 'HandOffToPeople', executionUuid: 'execution', by },
      ]);
    }
  });

  it('shows it to people where it failed somebody who took part', async () => {
    const failed = ended({ status: 'failed', reason: 'x' });
    const answered = { ...beginSession('block', {}), answer: { n: 1 } };
    expect(await after({ ended: failed }), 'a campaign').to.deep.equal([LEFT]);
    expect(await after({ ended: failed, session: answered })).to.deep.equal([LEFT, SHOWN]);
    const began = { ...created, message_uuid: 'message' };
    expect(await after({ ended: failed, created: began })).to.deep.equal([LEFT, SHOWN]);
    const wrong = ended({ status: 'failed', reason: 'answer_invalid' });
    expect(await after({ ended: wrong })).to.deep.equal([LEFT, SHOWN]);
    expect(await after({ ended: ended({ status: 'expired' }), session: answered })).to.deep.equal([LEFT]);
  });

  it('means nothing to a conversation that it never had, nor before it is on record', async () => {
    expect(await after({ ended: ended({}), conversationUuid: null })).to.deep.equal([]);
    expect(await after({ ended: null })).to.deep.equal([]);
    expect(await after({ ended: ended({}), created: null })).to.deep.equal([]);
  });

  it('cancels the row of its last wait', async () => {
    const w = world({ phase: 'ended', ended: ended({}), session: { ...beginSession('b', {}), step: 2 } });
    const row = { execution_uuid: 'execution', company: 'company', correlation_id: 'a' };
    await w.dueTimes.schedule([1, 2].map((step) => flowEntry(FLOW_TIMERS, { ...row, step }, 9)));
    await afterEnd(w.engine, 'execution', CAUSE);
    expect(w.dueTimes.rows(FLOW_TIMERS).map(({ id }) => id)).to.deep.equal(['execution/1']);
  });

  it('comes before its flow does, with status and reason', async () => {
    const w = world();
    await endExecution(w.engine, 'execution', { status: 'cancelled', reason: 'replaced' }, CAUSE);
    await endExecution(w.engine, 'unknown', { status: 'cancelled', reason: 'replaced' }, CAUSE);
    expect(w.commands()).to.deep.equal([
      { id: 'execution', type: 'EndExecution', status: 'cancelled', reason: 'replaced' },
    ]);
  });
});

describe('an execution that is parked', () => {
  const park = async (over: Partial<Execution>, reason = 'broken') => {
    const w = world(over);
    await parkExecution(w.engine, 'execution', reason, CAUSE);
    return w.commands();
  };

  it('is shown to people where somebody is in the middle of it', async () => {
    const parked = { id: 'execution', type: 'ParkExecution', reason: 'broken' };
    expect(await park({})).to.deep.equal([parked]);
    const answered = { ...beginSession('block', {}), answer: { n: 1 } };
    expect(await park({ session: answered })).to.deep.equal([parked, SHOWN]);
  });

  it('keeps five hundred characters of the reason', async () => {
    const [command] = await park({}, `${'x'.repeat(500)}y`);
    expect(command).to.include({ reason: 'x'.repeat(500) });
    expect(await park({ created: null })).to.deep.equal([]);
  });

  it('is resumed and cancelled by operators; an unknown one is not found', async () => {
    const w = world({ phase: 'parked' });
    const caller = { actor: 'admin' };
    expect(await resumeExecution(w.app, 'execution', caller)).to.deep.equal({ position: 7 });
    expect(await cancelExecution(w.app, 'execution', caller)).to.deep.equal({ position: 7 });
    expect(w.commands()).to.deep.equal([
      { id: 'execution', type: 'ResumeExecution' },
      { id: 'execution', type: 'EndExecution', status: 'cancelled', reason: 'operator' },
    ]);
    const { code, details } = await refusalOf(cancelExecution(w.app, 'unknown', caller));
    expect([code, details]).to.deep.equal(['not_found', { resource: 'execution' }]);
  });
});

describe('the next in line', () => {
  const next = async (conversation: Partial<Conversation>, over: Partial<Execution> = {}) => {
    const w = world();
    w.conversation(conversation);
    w.execution('next', { phase: 'ended', ...over });
    await beginNext(w.engine, 'conversation', CAUSE);
    return w.commands();
  };

  it('waits while a flow or people have the conversation, and is nobody where none waits', async () => {
    for (const conversation of [
      { queue: ['next'], execution: 'execution' },
      { queue: ['next'], execution: null, withPeople: true },
      { queue: [], execution: null },
    ]) {
      expect(await next(conversation), JSON.stringify(conversation)).to.deep.equal([]);
    }
  });

  it('leaves the line where it was ended meanwhile, so that nobody waits behind it', async () => {
    expect(await next({ queue: ['next', 'other'], execution: null })).to.deep.equal([
      { id: 'conversation', type: 'LeaveByFlow', executionUuid: 'next' },
    ]);
  });

  it('is ended where its contact was erased', async () => {
    const [command] = await next({ queue: ['next'], execution: null }, { phase: 'queued' });
    expect(command).to.deep.equal({
      id: 'next',
      type: 'EndExecution',
      status: 'cancelled',
      reason: 'contact_erased',
    });
  });
});
