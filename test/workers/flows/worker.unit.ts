/** What the worker of flows makes of events, times and calls, and of what keeps failing. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { FLOW_REQUESTS, FLOW_TIMERS } from '../../../application/flows/queues.js';
import { loadExecution } from '../../../application/flows/load.js';
import { cancelExecution, parkExecution, resumeExecution } from '../../../application/flows/park.js';
import { retryRow } from '../../../application/parked-messages.js';
import { FLOWS, relay } from '../../../application/relay.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { flowStream } from '../../../domain/flow/stream.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { startFlowWorker, type FlowWorker } from '../../../workers/flows/worker.js';
import type { Incoming } from '../../../workers/flows/hearing.js';
import { collectingLogger } from '../../support/app.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { ask, callback, flowOf, request, text } from '../../support/flow-blocks.js';
import { textOf } from './play.js';
import { setStage, type Stage } from './stage.js';
import { createFlowWorld, type FlowWorld } from './world.js';

const HOUR = 3_600_000;
const GREETING = flowOf({ hello: text('Olá!') });
const LATER: FlowDefinition = {
  schema: 1,
  start: 'wait',
  blocks: {
    wait: { type: 'wait', for: '1h', next: 'hello' },
    hello: { type: 'send_text', text: 'Olá!', next: null },
  },
};
const QUESTION = flowOf({ ask: ask({ text: 'Qual?', timeout: '2h' }) });

describe('the worker of flows', () => {
  let world: FlowWorld;
  let stage: Stage;
  let outcomes: string[];
  let barrier: ReturnType<typeof fakeBarrier>;
  let logs: ReturnType<typeof collectingLogger>;
  let workers: FlowWorker[];
  /** What the worker finds wrong, and how often it asked. */
  let fault: { error: Error | null; asked: number };
  let calls: string[];
  beforeEach(async () => {
    barrier = fakeBarrier();
    world = createFlowWorld({ barrier });
    stage = await setStage(world);
    outcomes = [];
    logs = collectingLogger();
    workers = [];
    fault = { error: null, asked: 0 };
    calls = [];
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    world.close();
  });

  /** It can not read what flows are where the test says so. */
  function start(incoming?: Incoming): FlowWorker {
    const app: App = {
      ...world.app,
      logger: logs.logger,
      store: {
        ...world.app.store,
        async read(stream, range) {
          if (flowStream.match(stream) !== undefined && fault.error !== null) {
            fault.asked += 1;
            throw fault.error;
          }
          return world.app.store.read(stream, range);
        },
      },
      sender: {
        ...world.app.sender,
        async request({ url }) {
          calls.push(url);
          return { kind: 'answered', status: 200, headers: {}, bodyText: '{}', durationMs: 1, address: null };
        },
      },
    };
    const worker = startFlowWorker(app, (group, kind) => outcomes.push(`${group} ${kind}`), incoming);
    workers.push(worker);
    return worker;
  }
  async function begun(definition: FlowDefinition, key = 'first'): Promise<string> {
    const [flow] = await stage.publish(1, () => definition);
    return stage.execute(flow!, key);
  }
  const state = async (execution: string) => (await loadExecution(world.app, execution))!.state;
  const said = (): readonly string[] => world.sent.map(textOf);
  const rows = (queue: string) => world.dueTimes.rows(queue);
  const parked = async (): Promise<readonly Record<string, unknown>[]> => {
    const found = await world.app.readModels.scan('parked_messages', {
      after: null,
      limit: 10,
      order: 'asc',
    });
    return found.map(({ text: json }) => JSON.parse(json) as Record<string, unknown>);
  };
  /** Past all tries of a message or a row. */
  async function allTries(): Promise<void> {
    for (let n = 0; n < 12; n += 1) await world.leap(700_000);
  }

  it('begins what was accepted, and goes on once its message was sent', async () => {
    const worker = start();
    const execution = await begun(GREETING);
    await world.rest();
    expect(said()).to.deep.equal(['Olá!']);
    expect((await state(execution)).ended).to.include({ status: 'completed' });
    expect(await worker.lag()).to.equal(0);
    expect(await worker.waiting()).to.deep.equal({ timers: 0, requests: 0 });
    expect(new Set(outcomes)).to.deep.equal(new Set(['flows handled']));
    expect(logs.log).to.deep.equal([]);
  });

  it('is behind by what nobody has heard of', async () => {
    const first = start();
    await first.stop();
    await begun(GREETING);
    await world.rest();
    expect(await first.lag()).to.equal(1);
    expect([said(), await first.waiting()]).to.deep.equal([[], { timers: 0, requests: 0 }]);
    start();
    await world.rest();
    expect([said(), await first.lag()]).to.deep.equal([['Olá!'], 0]);
  });

  it('goes on when the time of a wait is over', async () => {
    const worker = start();
    await begun(LATER);
    await world.rest();
    expect(await worker.waiting()).to.deep.equal({ timers: 1, requests: 0 });
    expect(rows(FLOW_TIMERS)[0]).to.include({ lane: stage.company });
    await world.leap(HOUR - 1);
    expect(said()).to.deep.equal([]);
    await world.leap(1_001);
    expect(said()).to.deep.equal(['Olá!']);
    expect(await worker.waiting()).to.deep.equal({ timers: 0, requests: 0 });
    expect(outcomes).to.include('flow-timers handled');
  });

  it('looks again at the time of a wait that it looked at too early', async () => {
    start();
    await begun(LATER);
    await world.rest();
    const { id, dueAt } = rows(FLOW_TIMERS)[0]!;
    await world.dueTimes.reschedule(FLOW_TIMERS, id, world.app.clock.now());
    await world.leap(1_000);
    expect(outcomes).to.include('flow-timers later');
    expect(rows(FLOW_TIMERS).map((row) => row.dueAt)).to.deep.equal([dueAt]);
    expect(said()).to.deep.equal([]);
  });

  it('makes the call that a flow asks for, once', async () => {
    const worker = start();
    const execution = await begun(flowOf({ call: request() }));
    await world.rest();
    await world.leap(1_000);
    expect(calls).to.deep.equal(['https://erp.example/orders']);
    expect((await state(execution)).phase).to.equal('ended');
    expect(await worker.waiting()).to.deep.equal({ timers: 0, requests: 0 });
    expect(outcomes).to.include('flow-requests handled');
  });

  it('hears what customers say', async () => {
    start();
    const execution = await begun(QUESTION);
    await world.rest();
    await stage.say({ text: 'A azul' });
    await world.rest();
    expect((await state(execution)).session.answer).to.deep.equal({ which: 'A azul' });
  });

  it('ends a flow whose conversation another one has taken, and only that', async () => {
    start();
    const first = await begun(QUESTION);
    await world.rest();
    const second = await begun(QUESTION, 'second');
    await world.rest();
    expect((await state(first)).ended).to.include({ status: 'cancelled', reason: 'replaced' });
    expect((await state(second)).phase).to.equal('running');
  });

  it('begins the next in line when the conversation is free', async () => {
    start();
    const first = await begun({ ...QUESTION, if_running: 'wait' });
    const second = await begun({ ...QUESTION, if_running: 'wait' }, 'second');
    await world.rest();
    expect((await state(second)).phase).to.equal('queued');
    await cancelExecution(world.app, first, { actor: 'test' });
    await world.rest();
    expect((await state(second)).phase).to.equal('running');
  });

  it('goes on with the flow that one names as its next', async () => {
    start();
    const [first] = await stage.publish(2, (place, uuids) =>
      place === 1
        ? GREETING
        : { schema: 1, start: 'more', blocks: { more: { type: 'start_flow', flow_uuid: uuids[1]! } } },
    );
    await stage.execute(first!, 'first');
    await world.rest();
    expect(said()).to.deep.equal(['Olá!']);
  });

  it('waits for the flows and channels to be shown as of the event, not for conversations', async () => {
    const execution = await begun(GREETING);
    await world.rest();
    for (const model of ['conversations', 'operations']) barrier.endAt(model, '');
    start();
    await world.rest();
    expect((await state(execution)).ended).to.include({ status: 'completed' });
    const late = await begun(GREETING, 'late');
    barrier.endAt('channels', '');
    await world.rest();
    expect(await loadExecution(world.app, late)).to.satisfy(
      (found: { state: { ended: unknown } } | null) => !found?.state.ended,
    );
  });

  describe('passes over', () => {
    const published = async (value: object): Promise<void> => {
      outcomes.length = 0;
      await world.app.topics.publish([{ topic: FLOWS, key: 'k', value: value as never }]);
      await world.rest();
    };
    const pointerOf = (type: string): object => {
      const record = world.store.records.find((one) => one.type === type)!;
      const [message] = relay(record).filter(({ topic }) => topic === FLOWS);
      const { stream, revision, position, eventId, meta } = record;
      const pointer = { stream, revision, position, event_id: eventId, company: meta.company };
      return message?.value ?? { ...pointer, correlation_id: meta.correlation_id };
    };

    it('an event that its stream does not have', async () => {
      start();
      await begun(QUESTION);
      await world.rest();
      await published({ ...pointerOf('FlowExecutionAccepted'), event_id: 'another' });
      expect(outcomes).to.deep.equal(['flows skipped']);
      await published({ ...pointerOf('FlowExecutionAccepted'), revision: 9 });
      expect(outcomes).to.deep.equal(['flows handled']);
    });

    it('a send that no flow asked for', async () => {
      start();
      await begun(GREETING);
      await world.rest();
      const accepted = world.store.records.find(({ type }) => type === 'SendAccepted')!;
      const { execution_uuid: execution } = accepted.data;
      expect(execution).to.be.a('string');
      await published(pointerOf('SendAccepted'));
      expect(outcomes, 'of a flow').to.deep.equal(['flows handled']);
      Object.assign(accepted.data, { execution_uuid: null });
      await published(pointerOf('SendAccepted'));
      expect(outcomes, 'of nobody').to.deep.equal(['flows skipped']);
    });

    it('what is about a stream of another kind', async () => {
      start();
      await begun(GREETING);
      await world.rest();
      await published(pointerOf('ContactCreated'));
      expect(outcomes).to.deep.equal(['flows skipped']);
    });
  });

  describe('where a flow can not go on', () => {
    const broken = new Error('a fault');
    /** It waits for a call of another system, as another process has it. */
    async function waiting(definition: FlowDefinition): Promise<string> {
      const other = start();
      const execution = await begun(definition);
      await world.rest();
      await other.stop();
      outcomes.length = 0;
      return execution;
    }

    it('parks it after eight tries, where it is named by its own stream', async () => {
      const execution = await waiting(QUESTION);
      fault.error = broken;
      await resumed(execution);
      start();
      await allTries();
      expect([(await state(execution)).phase, fault.asked]).to.deep.equal(['parked', 8]);
      const last = world.store.records.filter(({ type }) => type === 'ExecutionParked').at(-1)!;
      expect(last.data['reason']).to.equal('Error: a fault');
      expect(outcomes.filter((one) => one.startsWith('flows'))).to.deep.equal([
        ...Array.from({ length: 7 }, () => 'flows later'),
        'flows handled',
      ]);
      const said = logs.log.filter(({ message }) => message === 'a flow can not go on; it is parked');
      expect(said.map(({ level, fields }) => [level, fields['execution']])).to.deep.equal([
        ['error', execution],
      ]);
      expect(await parked()).to.deep.equal([]);
    });

    /** Gives the worker something to do for it: it is parked, and somebody has it go on. */
    async function resumed(execution: string): Promise<void> {
      const cause = { company: stage.company, id: execution, correlationId: execution };
      await parkExecution(createFlowEngine(world.app), execution, 'somebody has to look', cause);
      await resumeExecution(world.app, execution, { actor: 'test' });
    }

    it('parks it where a send of its names it', async () => {
      const [flow] = await stage.publish(1, () => flowOf({ hello: text('Olá!', 'ask'), ask: ask() }));
      const first = start();
      const execution = await stage.execute(flow!, 'first');
      await world.rest();
      await first.stop();
      expect(said()).to.have.length(2);
      fault.error = broken;
      outcomes.length = 0;
      const record = world.store.records.find(({ type }) => type === 'SendSucceeded')!;
      start();
      await world.app.topics.publish(relay(record).filter(({ topic }) => topic === FLOWS));
      await world.rest();
      await allTries();
      expect((await state(execution)).phase).to.equal('parked');
      expect(outcomes.at(-1)).to.equal('flows handled');
    });

    it('parks the message where the flow has not come to be, so that an operator sees it', async () => {
      fault.error = broken;
      start();
      const execution = await begun(QUESTION);
      await world.rest();
      await allTries();
      expect(await loadExecution(world.app, execution)).to.equal(null);
      expect((await parked()).map(({ group, reason }) => [group, reason])).to.deep.equal([
        ['flows', 'gave up after 8 tries: Error: a fault'],
      ]);
      expect(outcomes.at(-1)).to.equal('flows park');
      expect(logs.log.map(({ message }) => message)).not.to.include('a flow can not go on; it is parked');
    });

    it('leaves it where a store is away at the last try', async () => {
      const execution = await waiting(QUESTION);
      const { stream, revision, position, eventId, meta } = world.store.records.find(
        ({ type }) => type === 'ExecutionCreated',
      )!;
      const value = {
        ...{ stream, revision, position, event_id: eventId },
        ...{ company: meta.company, correlation_id: meta.correlation_id },
      };
      await world.dueTimes.schedule([retryRow('flows', eventId, value, world.app.clock.now(), 7)]);
      fault.error = new StoreUnavailable('gone');
      start();
      await world.leap(1_000);
      expect(outcomes).to.deep.equal(['flows later']);
      expect((await state(execution)).phase).to.equal('running');
    });

    it('leaves it where a store is away, however often that was tried', async () => {
      const execution = await waiting(QUESTION);
      fault.error = new StoreUnavailable('gone');
      await resumed(execution);
      start();
      await allTries();
      expect((await state(execution)).phase).to.equal('running');
      expect(fault.asked).to.be.greaterThan(8);
      expect(await parked()).to.deep.equal([]);
      fault.error = null;
      await allTries();
      expect((await state(execution)).ended).to.include({ status: 'expired' });
    });

    it('parks the message where that names no flow', async () => {
      await waiting(QUESTION);
      fault.error = broken;
      start();
      const message = await stage.say({ text: 'A azul' });
      await world.rest();
      await allTries();
      const left = (await parked()).filter(({ group }) => group === 'flows');
      expect(left.map(({ value }) => (value as { stream: string }).stream)).to.deep.equal([
        `message-${message}`,
      ]);
    });

    for (const [what, definition, queue] of [
      ['its time is over', LATER, FLOW_TIMERS],
      ['a call is to be made', flowOf({ call: request() }), FLOW_REQUESTS],
    ] as const) {
      it(`parks it after eight tries, where ${what}`, async () => {
        // The process that schedules its row does not live to work on it.
        const first = start();
        let stopped: Promise<void> | undefined;
        world.dueTimes.onScheduled((scheduled) => {
          if (scheduled === queue) stopped ??= first.stop();
        });
        const execution = await begun(definition);
        await world.rest();
        await stopped;
        fault.error = broken;
        await world.leap(HOUR);
        start();
        await allTries();
        expect((await state(execution)).phase).to.equal('parked');
        expect(world.store.records.find(({ type }) => type === 'ExecutionParked')!.data['reason']).to.match(
          /given up after 8 tries/,
        );
        expect(rows(queue)).to.deep.equal([]);
        expect(calls).to.deep.equal([]);
      });
    }
  });

  it('takes silence for an answer only once what customers wrote was heard', async () => {
    const steps: string[] = [];
    const incoming: Incoming = {
      async untilRead() {
        steps.push('read');
        return true;
      },
      async untilRelayed() {
        steps.push('relayed');
        return true;
      },
      toReadAgain: async () => 0,
    };
    start(incoming);
    const execution = await begun(QUESTION);
    await world.rest();
    expect(steps).to.deep.equal([]);
    await world.leap(2 * HOUR);
    await world.leap(1_000);
    expect(steps).to.deep.equal(['read', 'relayed']);
    expect((await state(execution)).ended).to.include({ status: 'expired' });
  });

  it('takes none for an answer once it stops', async () => {
    let reading: () => void = () => undefined;
    const incoming: Incoming = {
      untilRead: () => new Promise((resolve) => (reading = () => resolve(true))),
      untilRelayed: async () => true,
      toReadAgain: async () => 0,
    };
    const worker = start(incoming);
    const execution = await begun(QUESTION);
    await world.rest();
    await world.leap(2 * HOUR);
    await world.leap(1_000);
    const stopped = worker.stop();
    reading();
    await world.rest();
    await stopped;
    expect((await state(execution)).phase).to.equal('running');
  });

  it('waits for a call of another system', async () => {
    start();
    const execution = await begun(flowOf({ call: callback() }));
    await world.rest();
    expect((await state(execution)).wait).to.include({ waits_for: 'callback' });
  });
});
