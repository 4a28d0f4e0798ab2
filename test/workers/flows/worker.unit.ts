/** Reactions of the flow worker to events, due times and calls. */
import { expect } from 'chai';
import { FLOW_TIMERS } from '../../../application/flows/queues.js';
import { loadExecution } from '../../../application/flows/load.js';
import { cancelExecution } from '../../../application/flows/park.js';
import { FLOWS, relay } from '../../../application/relay.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import type { InboundBarrier } from '../../../workers/kernel/inbound-barrier.js';
import { ask, callback, flowOf, request, text } from '../../support/flow-blocks.js';
import { openedForEach } from '../../support/opened.js';
import { watchedWorker } from './watched-worker.js';

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
  const w = openedForEach(watchedWorker);

  it('begins what was accepted, and goes on once its message was sent', async () => {
    const worker = w.start();
    const execution = await w.begun(GREETING);
    await w.world.rest();
    expect(w.said()).to.deep.equal(['Olá!']);
    expect((await w.state(execution)).ended).to.include({ status: 'completed' });
    expect(await worker.lag()).to.equal(0);
    expect(await worker.waiting()).to.deep.equal({ timers: 0, requests: 0 });
    expect(new Set(w.outcomes)).to.deep.equal(new Set(['flows handled']));
    expect(w.log).to.deep.equal([]);
  });

  it('is behind by what nobody has heard of', async () => {
    const first = w.start();
    await first.stop();
    await w.begun(GREETING);
    await w.world.rest();
    expect(await first.lag()).to.equal(1);
    expect([w.said(), await first.waiting()]).to.deep.equal([[], { timers: 0, requests: 0 }]);
    w.start();
    await w.world.rest();
    expect([w.said(), await first.lag()]).to.deep.equal([['Olá!'], 0]);
  });

  it('goes on when the time of a wait is over', async () => {
    const worker = w.start();
    await w.begun(LATER);
    await w.world.rest();
    expect(await worker.waiting()).to.deep.equal({ timers: 1, requests: 0 });
    expect(w.rows(FLOW_TIMERS)[0]).to.include({ lane: w.stage.company });
    await w.world.leap(HOUR - 1);
    expect(w.said()).to.deep.equal([]);
    await w.world.leap(1_001);
    expect(w.said()).to.deep.equal(['Olá!']);
    expect(await worker.waiting()).to.deep.equal({ timers: 0, requests: 0 });
    expect(w.outcomes).to.include('flow-timers handled');
  });

  it('looks again at the time of a wait that it looked at too early', async () => {
    w.start();
    await w.begun(LATER);
    await w.world.rest();
    const { id, dueAt } = w.rows(FLOW_TIMERS)[0]!;
    await w.world.dueTimes.reschedule(FLOW_TIMERS, id, w.world.app.clock.now());
    await w.world.leap(1_000);
    expect(w.outcomes).to.include('flow-timers later');
    expect(w.rows(FLOW_TIMERS).map((row) => row.dueAt)).to.deep.equal([dueAt]);
    expect(w.said()).to.deep.equal([]);
  });

  it('makes the call that a flow asks for, once', async () => {
    const worker = w.start();
    const execution = await w.begun(flowOf({ call: request() }));
    await w.world.rest();
    await w.world.leap(1_000);
    expect(w.calls).to.deep.equal(['https://erp.example/orders']);
    expect((await w.state(execution)).phase).to.equal('ended');
    expect(await worker.waiting()).to.deep.equal({ timers: 0, requests: 0 });
    expect(w.outcomes).to.include('flow-requests handled');
  });

  it('hears what customers say', async () => {
    w.start();
    const execution = await w.begun(QUESTION);
    await w.world.rest();
    await w.stage.say({ text: 'A azul' });
    await w.world.rest();
    expect((await w.state(execution)).session.answer).to.deep.equal({ which: 'A azul' });
  });

  it('ends a flow whose conversation another one has taken, and only that', async () => {
    w.start();
    const first = await w.begun(QUESTION);
    await w.world.rest();
    const second = await w.begun(QUESTION, 'second');
    await w.world.rest();
    expect((await w.state(first)).ended).to.include({ status: 'cancelled', reason: 'replaced' });
    expect((await w.state(second)).phase).to.equal('running');
  });

  it('begins the next in line when the conversation is free', async () => {
    w.start();
    const first = await w.begun({ ...QUESTION, if_running: 'wait' });
    const second = await w.begun({ ...QUESTION, if_running: 'wait' }, 'second');
    await w.world.rest();
    expect((await w.state(second)).phase).to.equal('queued');
    await cancelExecution(w.world.app, first, { actor: 'test' });
    await w.world.rest();
    expect((await w.state(second)).phase).to.equal('running');
  });

  it('goes on with the flow that one names as its next', async () => {
    w.start();
    const [first] = await w.stage.publish(2, (place, uuids) =>
      place === 1
        ? GREETING
        : { schema: 1, start: 'more', blocks: { more: { type: 'start_flow', flow_uuid: uuids[1]! } } },
    );
    await w.stage.execute(first!, 'first');
    await w.world.rest();
    expect(w.said()).to.deep.equal(['Olá!']);
  });

  it('waits for the flows and channels to be shown as of the event, not for conversations', async () => {
    const execution = await w.begun(GREETING);
    await w.world.rest();
    for (const model of ['conversations', 'operations']) w.barrier.endAt(model, '');
    w.start();
    await w.world.rest();
    expect((await w.state(execution)).ended).to.include({ status: 'completed' });
    const late = await w.begun(GREETING, 'late');
    w.barrier.endAt('channels', '');
    await w.world.rest();
    expect(await loadExecution(w.world.app, late)).to.satisfy(
      (found: { state: { ended: unknown } } | null) => !found?.state.ended,
    );
  });

  describe('passes over', () => {
    const published = async (value: object): Promise<void> => {
      w.outcomes.length = 0;
      await w.world.app.topics.publish([{ topic: FLOWS, key: 'k', value: value as never }]);
      await w.world.rest();
    };
    const pointerOf = (type: string): object => {
      const record = w.world.store.records.find((one) => one.type === type)!;
      const [message] = relay(record).filter(({ topic }) => topic === FLOWS);
      const { stream, revision, position, eventId, meta } = record;
      const pointer = { stream, revision, position, event_id: eventId, company: meta.company };
      return message?.value ?? { ...pointer, correlation_id: meta.correlation_id };
    };

    it('an event that its stream does not have', async () => {
      w.start();
      await w.begun(QUESTION);
      await w.world.rest();
      await published({ ...pointerOf('FlowExecutionAccepted'), event_id: 'another' });
      expect(w.outcomes).to.deep.equal(['flows skipped']);
      await published({ ...pointerOf('FlowExecutionAccepted'), revision: 9 });
      expect(w.outcomes).to.deep.equal(['flows handled']);
    });

    it('a send that no flow asked for', async () => {
      w.start();
      await w.begun(GREETING);
      await w.world.rest();
      const accepted = w.world.store.records.find(({ type }) => type === 'SendAccepted')!;
      const { execution_uuid: execution } = accepted.data;
      expect(execution).to.be.a('string');
      await published(pointerOf('SendAccepted'));
      expect(w.outcomes, 'of a flow').to.deep.equal(['flows handled']);
      Object.assign(accepted.data, { execution_uuid: null });
      await published(pointerOf('SendAccepted'));
      expect(w.outcomes, 'of nobody').to.deep.equal(['flows skipped']);
    });

    it('what is about a stream of another kind', async () => {
      w.start();
      await w.begun(GREETING);
      await w.world.rest();
      await published(pointerOf('ContactCreated'));
      expect(w.outcomes).to.deep.equal(['flows skipped']);
    });
  });

  it('takes silence for an answer only once what customers wrote was heard', async () => {
    const steps: string[] = [];
    const incoming: InboundBarrier = {
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
    w.start(incoming);
    const execution = await w.begun(QUESTION);
    await w.world.rest();
    expect(steps).to.deep.equal([]);
    await w.world.leap(2 * HOUR);
    await w.world.leap(1_000);
    expect(steps).to.deep.equal(['read', 'relayed']);
    expect((await w.state(execution)).ended).to.include({ status: 'expired' });
  });

  it('takes none for an answer once it stops', async () => {
    let reading: () => void = () => undefined;
    const incoming: InboundBarrier = {
      untilRead: () => new Promise((resolve) => (reading = () => resolve(true))),
      untilRelayed: async () => true,
      toReadAgain: async () => 0,
    };
    const worker = w.start(incoming);
    const execution = await w.begun(QUESTION);
    await w.world.rest();
    await w.world.leap(2 * HOUR);
    await w.world.leap(1_000);
    const stopped = worker.stop();
    reading();
    await w.world.rest();
    await stopped;
    expect((await w.state(execution)).phase).to.equal('running');
  });

  it('waits for a call of another system', async () => {
    w.start();
    const execution = await w.begun(flowOf({ call: callback() }));
    await w.world.rest();
    expect((await w.state(execution)).wait).to.include({ waits_for: 'callback' });
  });
});
