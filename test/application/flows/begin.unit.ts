/** An execution that the API requested begins while another one runs: it fails, waits or replaces it. */
import { expect } from 'chai';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { aCustomer, offers } from './a-customer.js';

const PAUSE: FlowDefinition = {
  schema: 1,
  start: 'rest',
  blocks: { rest: { type: 'wait', for: '3h', next: null } },
};

describe('an execution that is asked for while another flow runs', () => {
  const { world, stage, given, found } = aCustomer();

  const asked = async (ifRunning: FlowDefinition['if_running'] & string) => {
    const [first, second] = await given.listening(PAUSE, offers({ if_running: ifRunning, triggers: [] }));
    const before = await stage.execute(first!, 'first');
    await world.rest();
    const execution = await stage.execute(second!, 'second');
    await world.rest();
    return { before: await found.state(before), beforeUuid: before, execution };
  };

  it('fails where it is to be left out then', async () => {
    const { before, execution, beforeUuid } = await asked('skip');
    expect((await found.state(execution)).ended).to.deep.include({
      status: 'failed',
      reason: 'flow_running',
      details: { execution_uuid: beforeUuid },
    });
    expect(before.phase).to.equal('running');
  });

  it('gets into line where it is to wait', async () => {
    const { before, execution, beforeUuid } = await asked('wait');
    expect(await found.events(execution, 'ExecutionQueued')).to.deep.equal([{ behind_uuid: beforeUuid }]);
    expect(before.phase).to.equal('running');
    expect(found.sent()).to.deep.equal([]);
  });

  it('replaces it where nothing else is said', async () => {
    const { before } = await asked('replace');
    expect(before.ended).to.include({ status: 'cancelled', reason: 'replaced' });
    expect(found.sent()).to.deep.equal(['Ofertas!']);
  });
});
