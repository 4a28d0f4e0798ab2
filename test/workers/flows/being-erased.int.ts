/** A person's key is destroyed before the erasure is recorded: seconds before, where processes keep keys in memory. */
import { expect } from 'chai';
import { loadExecution } from '../../../application/flows/load.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { openedForEach } from '../../support/opened.js';
import { setStage } from './stage.js';
import { createFlowWorld } from './world.js';

const LATER: FlowDefinition = {
  schema: 1,
  start: 'wait',
  blocks: {
    wait: { type: 'wait', for: '1h', next: 'hello' },
    hello: { type: 'send_text', text: 'Olá!', next: null },
  },
};

describe('a flow of somebody who is being erased', () => {
  const world = openedForEach(() => createFlowWorld());
  const stage = openedForEach(() => setStage(world));

  it('ends as it does once that is on record', async () => {
    const [flow] = await stage.publish(1, () => LATER);
    const uuid = await stage.execute(flow!, 'first');
    world.startProcess();
    await world.rest();
    const { state, created } = (await loadExecution(world.app, uuid))!;
    expect(state.phase).to.equal('running');
    const contact = await world.app.executor.load(contactAggregate, created.contact_uuid);
    await world.app.keys.destroy(contact.state.subject);
    world.app.codec.forget();
    await world.leap(3_600_000);
    await world.rest();
    const { ended } = (await loadExecution(world.app, uuid))!.state;
    expect(ended).to.deep.include({ status: 'cancelled', reason: 'contact_erased' });
    expect(world.sent).to.deep.equal([]);
  });
});
