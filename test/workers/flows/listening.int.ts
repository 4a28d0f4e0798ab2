/** Customers' messages to running flows, also when they are received more than once; and flows that were parked. */
import { expect } from 'chai';
import { callbackAddress } from '../../../application/flows/callback-address.js';
import { receiveCallback } from '../../../application/flows/callbacks.js';
import { listen } from '../../../application/flows/listen.js';
import { loadExecution } from '../../../application/flows/load.js';
import { parkExecution, resumeExecution } from '../../../application/flows/park.js';
import { createFlowEngine, type UntilInboundProcessed } from '../../../application/flows/engine.js';
import { timeIsUp } from '../../../application/flows/time.js';
import { FLOWS, relay } from '../../../application/relay.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { executionStream, messageStream } from '../../../domain/streams.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { openedForEach } from '../../support/opened.js';
import { textOf } from './play.js';
import { setStage } from './stage.js';
import { createFlowWorld } from './world.js';

const SURVEY: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: {
    ask: { type: 'ask', text: 'Quantos?', save_as: 'n', expect: 'number', timeout: '2h', next: 'rest' },
    rest: { type: 'wait', for: '3h', next: 'bye' },
    bye: { type: 'send_text', text: 'Até logo.', next: null },
  },
};
const OFFERS: FlowDefinition = {
  schema: 1,
  start: 'offer',
  triggers: [{ on: 'keyword', words: ['promo', '12'] }],
  blocks: { offer: { type: 'ask', text: 'Uma oferta?', save_as: 'x', next: null } },
};
const CALLED: FlowDefinition = {
  schema: 1,
  start: 'call',
  blocks: {
    call: { type: 'wait_for_callback', timeout: '2h', save: [{ path: 'paid', as: 'paid' }], next: null },
  },
};
const HOUR = 3_600_000;

describe('what flows hear', () => {
  const world = openedForEach(() => createFlowWorld());
  const stage = openedForEach(() => setStage(world));
  let execution: string;

  beforeEach(async () => {
    const [survey] = await stage.publish(2, (place) => (place === 0 ? SURVEY : OFFERS));
    world.startProcess();
    execution = await stage.execute(survey!, 'first');
    await world.rest();
    expect(said()).to.deep.equal(['Quantos?']);
  });

  const said = (): readonly string[] => world.sent.map(textOf);
  const loaded = async (uuid = execution) => (await loadExecution(world.app, uuid))!;
  const conversation = async () => {
    const { created } = await loaded();
    const uuid = conversationId(created.contact_uuid, stage.channel, 0);
    return (await world.app.executor.load(conversationAggregate, uuid)).state;
  };
  const started = () =>
    world.store.records.flatMap(({ type, stream }) =>
      type === 'ExecutionCreated' ? [executionStream.match(stream)] : [],
    );

  async function hearAgain(messageUuid: string): Promise<void> {
    const [record] = await world.store.read(messageStream.toName(messageUuid));
    await world.app.topics.publish(relay(record!).filter(({ topic }) => topic === FLOWS));
    await world.rest();
  }

  it('obey a word for another flow where the question does not take it', async () => {
    const message = await stage.say({ text: 'Promo!' });
    await world.rest();
    expect((await loaded()).state.ended).to.include({ status: 'cancelled', reason: 'replaced' });
    expect(said()).to.deep.equal(['Quantos?', 'Uma oferta?']);
    expect((await conversation()).execution).to.equal(deriveId('execution', message));
  });

  it('take what the question takes for its answer, though it is a word for another flow, however often they hear it', async () => {
    const message = await stage.say({ text: '12' });
    await world.rest();
    await hearAgain(message);
    expect((await loaded()).state.session).to.deep.include({ at: 'rest', answer: { n: 12 } });
    expect((await loaded()).state.phase).to.equal('running');
    expect(started()).to.deep.equal([execution]);
    expect((await conversation()).status, 'no work for people').to.equal('pending');
    await world.leap(3 * HOUR);
    await hearAgain(message);
    expect(said()).to.deep.equal(['Quantos?', 'Até logo.']);
    expect(started()).to.deep.equal([execution]);
  });

  it('leave to people what is said while they wait for a time', async () => {
    await stage.say({ text: '7' });
    await world.rest();
    await stage.say({ text: 'Tem alguém aí?' });
    await world.rest();
    expect((await conversation()).status).to.equal('open');
    expect((await loaded()).state.phase).to.equal('running');
  });

  it('go on waiting after they were parked, also when the time had come meanwhile', async () => {
    const engine = createFlowEngine(world.app);
    const cause = { company: stage.company, id: execution, correlationId: execution };
    await parkExecution(engine, execution, 'somebody has to look', cause);
    await world.leap(2 * HOUR + 1);
    await world.leap(60_000);
    expect((await loaded()).state.phase).to.equal('parked');
    expect(world.dueTimes.rows('flow-timers'), 'its row is gone').to.deep.equal([]);
    await resumeExecution(world.app, execution, { actor: 'test' });
    await world.rest();
    await world.leap(2_000);
    expect((await loaded()).state.ended).to.include({ status: 'expired', block: 'ask' });
  });

  describe('when nobody was there for long', () => {
    beforeEach(() => world.close());

    const cause = () => ({ company: stage.company, id: execution, correlationId: execution });
    async function timeIsUpNow(untilHeard?: UntilInboundProcessed): Promise<void> {
      const { state } = await loaded();
      await world.leap(Date.parse(state.wait!.until!) + HOUR - world.app.clock.now());
      const { step } = state.session;
      const row = { execution_uuid: execution, step, company: stage.company, correlation_id: execution };
      await timeIsUp(createFlowEngine(world.app, untilHeard), row, cause());
    }

    it('take an answer that had come in before they take silence for one', async () => {
      const message = await stage.say({ text: '7' });
      const asked: number[] = [];
      await timeIsUpNow(async (since) => {
        asked.push(since);
        await listen(createFlowEngine(world.app), message, cause());
      });
      expect((await loaded()).state.session).to.deep.include({ at: 'rest', answer: { n: 7 } });
      expect((await loaded()).state.phase).to.equal('running');
      expect(asked).to.have.length(1);
    });

    it('stay as they are while it is not known whether there was an answer', async () => {
      const unknown = timeIsUpNow(() => Promise.reject(new StoreUnavailable('still being read')));
      expect(await unknown.catch((error: unknown) => error)).to.be.instanceOf(StoreUnavailable);
      expect((await loaded()).state.wait).to.include({ waits_for: 'answer' });
    });

    it('are over where there was none', async () => {
      await timeIsUpNow(() => Promise.resolve());
      expect((await loaded()).state.ended).to.include({ status: 'expired', block: 'ask' });
    });

    it('take a call that is on record, not the end of its time', async () => {
      const [, , flow] = await stage.publish(3, () => CALLED);
      execution = await stage.execute(flow!, 'second');
      world.startProcess();
      await world.rest();
      world.close();
      expect((await loaded()).state.wait).to.include({ waits_for: 'callback' });
      const signature = callbackAddress(world.app, execution, 'call').split('/').at(-1)!;
      const body = { paid: 'yes' };
      await receiveCallback(world.app, { executionUuid: execution, block: 'call', signature, body });
      await timeIsUpNow();
      const { ended, session } = (await loaded()).state;
      expect(ended).to.include({ status: 'completed' });
      expect(session.vars).to.deep.equal({ paid: 'yes' });
    });
  });
});
