/** The outcome of a flow that keeps failing. */
import { expect } from 'chai';
import { FLOW_REQUESTS, FLOW_TIMERS } from '../../../application/flows/queues.js';
import { loadExecution } from '../../../application/flows/load.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { parkExecution, resumeExecution } from '../../../application/flows/park.js';
import { retryRow } from '../../../application/parked-messages.js';
import { FLOWS, relay } from '../../../application/relay.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { ask, flowOf, request, text } from '../../support/flow-blocks.js';
import { openedForEach } from '../../support/opened.js';
import { watchedWorker } from './watched-worker.js';

const HOUR = 3_600_000;
const LATER: FlowDefinition = {
  schema: 1,
  start: 'wait',
  blocks: {
    wait: { type: 'wait', for: '1h', next: 'hello' },
    hello: { type: 'send_text', text: 'Olá!', next: null },
  },
};
const QUESTION = flowOf({ ask: ask({ text: 'Qual?', timeout: '2h' }) });

describe('a flow that can not go on', () => {
  const w = openedForEach(watchedWorker);

  const broken = new Error('a fault');
  /** Begins the flow in another process, which stops while the execution waits. */
  async function waiting(definition: FlowDefinition): Promise<string> {
    const other = w.start();
    const execution = await w.begun(definition);
    await w.world.rest();
    await other.stop();
    w.outcomes.length = 0;
    return execution;
  }

  it('parks it after eight tries, where it is named by its own stream', async () => {
    const execution = await waiting(QUESTION);
    w.fault.error = broken;
    await resumed(execution);
    w.start();
    await w.allTries();
    expect([(await w.state(execution)).phase, w.fault.asked]).to.deep.equal(['parked', 8]);
    const last = w.world.store.records.filter(({ type }) => type === 'ExecutionParked').at(-1)!;
    expect(last.data['reason']).to.equal('Error: a fault');
    expect(w.outcomes.filter((one) => one.startsWith('flows'))).to.deep.equal([
      ...Array.from({ length: 7 }, () => 'flows later'),
      'flows handled',
    ]);
    const said = w.log.filter(({ message }) => message === 'a flow failed; its execution is parked');
    expect(said.map(({ level, fields }) => [level, fields['execution']])).to.deep.equal([
      ['error', execution],
    ]);
    expect(await w.parked()).to.deep.equal([]);
  });

  /** Gives the worker something to do for the execution: it is parked, and an operator resumes it. */
  async function resumed(execution: string): Promise<void> {
    const cause = { company: w.stage.company, id: execution, correlationId: execution };
    await parkExecution(createFlowEngine(w.world.app), execution, 'somebody has to look', cause);
    await resumeExecution(w.world.app, execution, { actor: 'test' });
  }

  it('parks it where a send of its names it', async () => {
    const [flow] = await w.stage.publish(1, () => flowOf({ hello: text('Olá!', 'ask'), ask: ask() }));
    const first = w.start();
    const execution = await w.stage.execute(flow!, 'first');
    await w.world.rest();
    await first.stop();
    expect(w.said()).to.have.length(2);
    w.fault.error = broken;
    w.outcomes.length = 0;
    const record = w.world.store.records.find(({ type }) => type === 'SendSucceeded')!;
    w.start();
    await w.world.app.topics.publish(relay(record).filter(({ topic }) => topic === FLOWS));
    await w.world.rest();
    await w.allTries();
    expect((await w.state(execution)).phase).to.equal('parked');
    expect(w.outcomes.at(-1)).to.equal('flows handled');
  });

  it('parks the message where the flow has not come to be, so that an operator sees it', async () => {
    w.fault.error = broken;
    w.start();
    const execution = await w.begun(QUESTION);
    await w.world.rest();
    await w.allTries();
    expect(await loadExecution(w.world.app, execution)).to.equal(null);
    expect((await w.parked()).map(({ group, reason }) => [group, reason])).to.deep.equal([
      ['flows', 'gave up after 8 tries: Error: a fault'],
    ]);
    expect(w.outcomes.at(-1)).to.equal('flows park');
    expect(w.log.map(({ message }) => message)).not.to.include('a flow failed; its execution is parked');
  });

  it('leaves it where a store is away at the last try', async () => {
    const execution = await waiting(QUESTION);
    const { stream, revision, position, eventId, meta } = w.world.store.records.find(
      ({ type }) => type === 'ExecutionCreated',
    )!;
    const value = {
      ...{ stream, revision, position, event_id: eventId },
      ...{ company: meta.company, correlation_id: meta.correlation_id },
    };
    await w.world.dueTimes.schedule([retryRow('flows', eventId, value, w.world.app.clock.now(), 7)]);
    w.fault.error = new StoreUnavailable('gone');
    w.start();
    await w.world.leap(1_000);
    expect(w.outcomes).to.deep.equal(['flows later']);
    expect((await w.state(execution)).phase).to.equal('running');
  });

  it('leaves it where a store is away, however often that was tried', async () => {
    const execution = await waiting(QUESTION);
    w.fault.error = new StoreUnavailable('gone');
    await resumed(execution);
    w.start();
    await w.allTries();
    expect((await w.state(execution)).phase).to.equal('running');
    expect(w.fault.asked).to.be.greaterThan(8);
    expect(await w.parked()).to.deep.equal([]);
    w.fault.error = null;
    await w.allTries();
    expect((await w.state(execution)).ended).to.include({ status: 'expired' });
  });

  it('parks the message where that names no flow', async () => {
    await waiting(QUESTION);
    w.fault.error = broken;
    w.start();
    const message = await w.stage.say({ text: 'A azul' });
    await w.world.rest();
    await w.allTries();
    const left = (await w.parked()).filter(({ group }) => group === 'flows');
    expect(left.map(({ value }) => (value as { stream: string }).stream)).to.deep.equal([
      `message-${message}`,
    ]);
  });

  for (const [what, definition, queue] of [
    ['its time is over', LATER, FLOW_TIMERS],
    ['a call is to be made', flowOf({ call: request() }), FLOW_REQUESTS],
  ] as const) {
    it(`parks it after eight tries, where ${what}`, async () => {
      // The process that schedules the row stops before it can work on it.
      const first = w.start();
      let stopped: Promise<void> | undefined;
      w.world.dueTimes.onScheduled((scheduled) => {
        if (scheduled === queue) stopped ??= first.stop();
      });
      const execution = await w.begun(definition);
      await w.world.rest();
      await stopped;
      w.fault.error = broken;
      await w.world.leap(HOUR);
      w.start();
      await w.allTries();
      expect((await w.state(execution)).phase).to.equal('parked');
      expect(w.world.store.records.find(({ type }) => type === 'ExecutionParked')!.data['reason']).to.match(
        /given up after 8 tries/,
      );
      expect(w.rows(queue)).to.deep.equal([]);
      expect(w.calls).to.deep.equal([]);
    });
  }
});
