/** Flows that go on with another flow: it is made because the first one has ended in that way, and of nothing else. */
import { expect } from 'chai';
import { beginAccepted } from '../../../application/flows/begin.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { loadExecution } from '../../../application/flows/load.js';
import { cancelExecution } from '../../../application/flows/park.js';
import type { Executor } from '../../../application/execute.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import { executionStream } from '../../../domain/execution/stream.js';
import { openedForEach } from '../../support/opened.js';
import { textOf } from './play.js';
import { setStage } from './stage.js';
import { createFlowWorld } from './world.js';

const first = (next: string): FlowDefinition => ({
  schema: 1,
  start: 'keep',
  blocks: {
    keep: { type: 'set_variable', name: 'seen', value: '{{vars.page}}!', next: 'more' },
    more: { type: 'start_flow', flow_uuid: next, variables: { from: '{{vars.seen}}' } },
  },
});
const SECOND: FlowDefinition = {
  schema: 1,
  start: 'hello',
  blocks: { hello: { type: 'send_text', text: 'De {{vars.from}}', next: null } },
};

describe('a flow that another one goes on with', () => {
  const world = openedForEach(() => createFlowWorld());
  const stage = openedForEach(() => setStage(world));
  let uuid: string;
  let next: string;

  beforeEach(async () => {
    const [flow, second] = await stage.publish(2, (place, uuids) =>
      place === 0 ? first(uuids[1]!) : SECOND,
    );
    next = second!;
    uuid = await stage.execute(flow!, 'first', { page: 'sapatos' });
  });

  const executions = () =>
    world.store.records.flatMap(({ type, stream }) =>
      type === 'ExecutionCreated' ? [executionStream.match(stream)!] : [],
    );

  it('begins with what the block gave it, by the version that was published then', async () => {
    world.startProcess();
    await world.rest();
    expect(world.sent.map(textOf)).to.deep.equal(['De sapatos!']);
    const [, second] = executions();
    const { state, created } = (await loadExecution(world.app, second!))!;
    expect(created).to.deep.include({ trigger: 'flow', parent_uuid: uuid, flow_version: 1, depth: 1 });
    expect(state.ended).to.include({ status: 'completed' });
  });

  it('is not made when the first one is ended in the middle of that block', async () => {
    const { app } = world;
    let ended = false;
    const load: Executor['load'] = async (aggregate, id) => {
      // The block looks at the flow that it goes on with; just then somebody ends the execution.
      if (aggregate.stream.prefix === flowAggregate.stream.prefix && id === next && !ended) {
        ended = true;
        await cancelExecution(app, uuid, { actor: 'test' });
      }
      return app.executor.load(aggregate, id);
    };
    const engine = createFlowEngine({ ...app, executor: { ...app.executor, load } });
    await beginAccepted(engine, uuid, { company: stage.company, id: uuid, correlationId: uuid });
    world.startProcess();
    await world.rest();
    expect(ended).to.equal(true);
    expect((await loadExecution(app, uuid))!.state.ended).to.include({ status: 'cancelled' });
    expect(executions()).to.deep.equal([uuid]);
    expect(world.sent).to.deep.equal([]);
  });
});
