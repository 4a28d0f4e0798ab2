/** One execution, and the events that are written about its current step. Tests set the stream states. */
import { expect } from 'chai';
import { collectingLogger } from '../../support/app.js';
import type { App } from '../../../application/app.js';
import { advance, presentOf } from '../../../application/flows/advance.js';
import { receiveCallback } from '../../../application/flows/callbacks.js';
import { callbackAddress } from '../../../application/flows/callback-address.js';
import { createFlowEngine, type FlowEngine } from '../../../application/flows/engine.js';
import { goOn, timeIsUp } from '../../../application/flows/time.js';
import { FLOW_TIMERS, flowEntry } from '../../../application/flows/queues.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import type { Contact } from '../../../domain/contact/state.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import type { Conversation } from '../../../domain/conversation/state.js';
import { executionAggregate, type ExecutionCommand } from '../../../domain/execution/decide.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import type { Execution } from '../../../domain/execution/state.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { beginSession } from '../../../domain/flow/session.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';
import { refusalOf } from '../provisioning/workspace.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const uuid = '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11';
const { created } = executionEventExamples;
const CAUSE = { company: 'company', id: 'cause', correlationId: 'correlation' };
const BLOCKS: FlowDefinition['blocks'] = {
  pause: { type: 'wait', for: '1h', next: null },
  ask: { type: 'ask', text: 'Posso?', save_as: 'may', timeout: '1h', next: null },
  call: { type: 'wait_for_callback', timeout: '1h', next: null },
};
type Wait = NonNullable<Execution['wait']>;
const waiting = (waits_for: Wait['waits_for'], until: number | null): Wait => ({
  waits_for,
  until: until === null ? null : iso(until),
  operation_uuid: null,
});

/** An execution that runs at `block`. Its commands are collected; each one but `ReceiveCallback` ends it. */
function world(block: string, over: Partial<Execution> = {}, definition: FlowDefinition['blocks'] = BLOCKS) {
  const streams = loadedStates();
  const commands: (ExecutionCommand & { readonly subject?: string | null })[] = [];
  const dueTimes = memoryDueTimes(() => NOW);
  const session = beginSession(block, {});
  const running: Execution = {
    ...executionAggregate.initial,
    phase: 'running',
    created: created.data,
    conversationUuid: 'conversation',
    ...over,
    session: { ...session, step: 2, waiting: over.wait !== undefined, ...over.session },
  };
  const store = (state: Execution): void => streams.set(executionAggregate, uuid, state);
  const conversation = (state: Partial<Conversation>): void =>
    streams.set(conversationAggregate, 'conversation', { exists: true, execution: uuid, ...state });
  const contact = (state: Partial<Contact>): void =>
    streams.set(contactAggregate, created.data.contact_uuid, {
      exists: true,
      phone: '+551187650001',
      ...state,
    });
  store(running);
  conversation({});
  contact({});
  const executor = {
    ...streams.executor,
    execute: async (aggregate: unknown, id: string, command: ExecutionCommand) => {
      expect([aggregate, id]).to.deep.equal([executionAggregate, uuid]);
      commands.push(command);
      const after: Execution = { ...running, phase: 'ended' };
      if (command.type !== 'ReceiveCallback') store(after);
      return { state: after };
    },
  };
  const app = {
    clock: { now: () => NOW },
    newId: () => 'id',
    indexSecret: Buffer.from('secret'),
    publicUrl: () => 'https://recado.example',
    executor,
    dueTimes,
    logger: collectingLogger().logger,
  } as unknown as App;
  const heard: number[] = [];
  const untilHeard = { does: (): void => undefined };
  const engine: FlowEngine = {
    ...createFlowEngine(app, async (since) => {
      heard.push(since);
      untilHeard.does();
    }),
    version: async () => ({ schema: 1, start: block, blocks: definition }),
  };
  const row = (step = 2) => ({
    execution_uuid: uuid,
    step,
    company: 'company',
    correlation_id: 'correlation',
  });
  return {
    app,
    engine,
    commands,
    running,
    store,
    conversation,
    contact,
    heard,
    untilHeard,
    schedule: (at: number) => dueTimes.schedule([flowEntry(FLOW_TIMERS, row(), at)]),
    timers: () => dueTimes.rows(FLOW_TIMERS).map(({ id, dueAt }) => [id, dueAt]),
    timeIsUp: (step?: number) => timeIsUp(engine, row(step), CAUSE),
    ways: () => commands.map((command) => (command.type === 'TakeStep' ? command.taken.way : command.type)),
  };
}

describe('a block whose texts are too long with their values in', () => {
  it('goes the way of a failure, with nothing done', async () => {
    const say = { type: 'send_text', text: 'x'.repeat(262_145), next: null } as const;
    const { engine, commands } = world('say', {}, { say });
    await advance(engine, uuid, CAUSE);
    expect(commands).to.have.length(1);
    expect(commands[0]).to.have.nested.property('taken.failure.code', 'text_too_long');
  });
});

describe('the time of a wait', () => {
  it('ends it when it has come, to the millisecond, and not before', async () => {
    const early = world('pause', { wait: waiting('time', NOW + 1) });
    expect(await early.timeIsUp()).to.equal(NOW + 1);
    expect(early.ways()).to.deep.equal([]);
    const due = world('pause', { wait: waiting('time', NOW) });
    expect(await due.timeIsUp()).to.equal(null);
    expect(due.ways()).to.deep.equal(['next']);
    expect(due.heard, 'nobody is waited for').to.deep.equal([]);
  });

  it('ends a question as unanswered, once all that came in before was heard', async () => {
    const w = world('ask', { wait: waiting('answer', NOW - 5) });
    await w.timeIsUp();
    expect([w.heard, w.ways()]).to.deep.equal([[NOW - 5], ['timed_out']]);
  });

  it('ends no question whose answer was heard meanwhile', async () => {
    const w = world('ask', { wait: waiting('answer', NOW) });
    w.untilHeard.does = () =>
      w.store({ ...w.running, wait: null, session: { ...w.running.session, step: 3, at: 'pause' } });
    await w.timeIsUp();
    expect(w.ways()).to.not.include('timed_out');
  });

  it('ends no wait for a call that has come', async () => {
    const w = world('call', { wait: waiting('callback', NOW) });
    w.untilHeard.does = () => w.store({ ...w.running, callbacks: { call: { paid: true } } });
    await w.timeIsUp();
    expect(w.ways()).to.deep.equal(['next']);
    const silent = world('call', { wait: waiting('callback', NOW) });
    await silent.timeIsUp();
    expect(silent.ways()).to.deep.equal(['timed_out']);
  });

  it('never comes for a wait without an end, nor for one that was overtaken', async () => {
    const endless = world('ask', { wait: waiting('answer', null) });
    expect(await endless.timeIsUp()).to.equal(null);
    const later = world('ask', { wait: waiting('answer', NOW - 1) });
    expect(await later.timeIsUp(1)).to.equal(null);
    const over = world('pause', { phase: 'ended', wait: waiting('time', NOW) });
    expect(await over.timeIsUp()).to.equal(null);
    expect([...endless.ways(), ...later.ways(), ...over.ways()]).to.deep.equal([]);
  });

  it('takes its row along when it ends early, and leaves the row that ended it to be settled', async () => {
    const early = world('call', { wait: waiting('callback', NOW + 9), callbacks: { call: {} } });
    await early.schedule(NOW + 9);
    await advance(early.engine, uuid, CAUSE);
    expect([early.ways(), early.timers()]).to.deep.equal([['next'], []]);
    for (const [block, waitsFor] of [
      ['pause', 'time'],
      ['ask', 'answer'],
    ] as const) {
      const due = world(block, { wait: waiting(waitsFor, NOW) });
      await due.schedule(NOW);
      await due.timeIsUp();
      expect(due.timers(), block).to.deep.equal([[`${uuid}/2`, NOW]]);
    }
  });

  it('is scheduled anew when a parked execution goes on, for the step that it waits at', async () => {
    const w = world('pause', { wait: waiting('time', NOW + 9) });
    await goOn(w.engine, uuid, CAUSE);
    expect(w.timers()).to.deep.equal([[`${uuid}/2`, NOW + 9]]);
    const endless = world('ask', { wait: waiting('answer', null) });
    await goOn(endless.engine, uuid, CAUSE);
    expect(endless.timers()).to.deep.equal([]);
  });
});

describe('an execution that is taken further', () => {
  it('begins its wait with a row that ends it', async () => {
    const w = world('pause');
    await advance(w.engine, uuid, CAUSE);
    expect(w.timers()).to.deep.equal([[`${uuid}/3`, NOW + 3_600_000]]);
    expect(w.commands).to.deep.equal([
      {
        type: 'BeginWait',
        step: 2,
        waitsFor: 'time',
        until: iso(NOW + 3_600_000),
        conversationUuid: 'conversation',
      },
    ]);
  });

  it('takes a call that came first, and waits for one that did not', async () => {
    const early = world('call', { callbacks: { call: {} } });
    await advance(early.engine, uuid, CAUSE);
    expect(early.ways()).to.deep.equal(['next']);
    const waits = world('call', { wait: waiting('callback', NOW + 1) });
    await advance(waits.engine, uuid, CAUSE);
    expect(waits.ways()).to.deep.equal([]);
    const asked = world('ask', { wait: waiting('answer', NOW + 1), callbacks: { ask: {} } });
    await advance(asked.engine, uuid, CAUSE);
    expect(asked.ways(), 'a call is no answer').to.deep.equal([]);
  });

  it('takes blocks that need nothing done in one append, fifty at most', async () => {
    const chain = (length: number): FlowDefinition['blocks'] =>
      Object.fromEntries(
        Array.from({ length }, (_, n) => [
          `b${n}`,
          { type: 'set_variable', name: `v${n}`, value: 'x', next: n + 1 < length ? `b${n + 1}` : null },
        ]),
      );
    for (const [length, then] of [
      [1, 0],
      [50, 49],
      [51, 49],
    ] as const) {
      const w = world('b0', {}, chain(length));
      await advance(w.engine, uuid, CAUSE);
      expect(w.commands, `${length} blocks`).to.have.length(1);
      expect(w.commands[0]).to.have.property('then').with.length(then);
      expect(w.commands[0]).to.include({ step: 2, messageUuid: null, continuedBy: null });
    }
  });

  it('gives way to others when it never comes to rest', async () => {
    const w = world('b', {}, { b: { type: 'set_variable', name: 'v', value: 'x', next: 'b' } });
    const { executor } = w.app;
    let steps = 0;
    const execute = async () => {
      steps += 1;
      return { state: w.running };
    };
    const app = { ...w.app, executor: { ...executor, execute } } as unknown as App;
    await advance({ ...w.engine, app }, uuid, CAUSE);
    expect(steps).to.equal(50);
    expect(w.timers()).to.deep.equal([[`${uuid}/2`, NOW]]);
  });

  for (const [name, withPeople, end] of [
    ['people have', true, { status: 'handed_off', reason: null }],
    ['another flow has', false, { status: 'cancelled', reason: 'replaced' }],
  ] as const) {
    it(`ends where ${name} the conversation`, async () => {
      const w = world('pause');
      w.conversation({ execution: 'another', withPeople });
      expect(await presentOf(w.engine, uuid, CAUSE)).to.equal(null);
      expect(w.commands).to.deep.equal([{ type: 'EndExecution', ...end }]);
    });
  }

  it('ends where its contact was erased', async () => {
    const w = world('pause');
    w.contact({ erased: true });
    expect(await presentOf(w.engine, uuid, CAUSE)).to.equal(null);
    expect(w.commands).to.deep.equal([
      { type: 'EndExecution', status: 'cancelled', reason: 'contact_erased' },
    ]);
  });

  it('stays as it is while it is parked or in line, and once it is over', async () => {
    for (const phase of ['parked', 'queued', 'ended', 'none'] as const) {
      const w = world('pause', { phase });
      w.conversation({ execution: 'another' });
      await advance(w.engine, uuid, CAUSE);
      expect(w.commands, phase).to.deep.equal([]);
    }
  });
});

describe('a call-back', () => {
  const receive = (
    w: ReturnType<typeof world>,
    block = 'call',
    over: { execution?: string; signature?: string } = {},
  ) => {
    const execution = over.execution ?? uuid;
    const signature = callbackAddress(w.app, execution, block).split('/').at(-1)!;
    return receiveCallback(w.app, {
      executionUuid: execution,
      block,
      signature: over.signature ?? signature,
      body: { paid: true },
    });
  };

  it('is kept with what it says', async () => {
    const w = world('call');
    await receive(w);
    expect(w.commands).to.deep.equal([{ type: 'ReceiveCallback', block: 'call', body: { paid: true } }]);
  });

  it('is not found at an address that is not ours, and says no more of it', async () => {
    const w = world('call');
    const unknown = '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b12';
    for (const over of [{ signature: 'AAAA' }, { execution: 'no-uuid' }, { execution: unknown }]) {
      const { code, details } = await refusalOf(receive(w, 'call', over));
      expect([code, details], JSON.stringify(over)).to.deep.equal(['not_found', { resource: 'callback' }]);
    }
    expect(w.commands).to.deep.equal([]);
  });

  it('is refused once the flow is over, unless it came before', async () => {
    const w = world('call', { phase: 'ended' });
    const { code, details } = await refusalOf(receive(w));
    expect([code, details]).to.deep.equal(['execution_ended', { execution_uuid: uuid }]);
    for (const before of [{ called: ['call'] }, { callbacks: { call: 1 } }]) {
      const repeated = world('call', { phase: 'ended', ...before });
      await receive(repeated);
      expect(repeated.commands).to.have.length(1);
    }
    const other = world('call', { phase: 'ended', called: ['another'], callbacks: { another: 1 } });
    expect((await refusalOf(receive(other))).code).to.equal('execution_ended');
  });
});
