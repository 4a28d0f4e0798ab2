/** Flows that continue with another flow: only the end of the first execution, in that way, creates the second. */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { beginAccepted } from '../../../application/flows/begin.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { loadExecution } from '../../../application/flows/load.js';
import { cancelExecution } from '../../../application/flows/park.js';
import type { Executor } from '../../../application/execute.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import { MAX_FLOWS_WITHOUT_WAIT } from '../../../domain/execution/depth.js';
import type { ExecutionData } from '../../../domain/execution/events.js';
import { failureOf } from '../../../domain/execution/failure.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { executionStream } from '../../../domain/streams.js';
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
      // The block loads the flow that comes next. At that moment somebody ends the execution.
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

describe('a flow that starts itself without a wait, by a version that was published before that was refused', () => {
  // The process dies in the middle: the executions that follow still count towards the bound.
  const world = openedForEach(() => createFlowWorld({ faults: [{ at: 60, how: 'dies after' }] }));
  const stage = openedForEach(() => setStage(world));

  it('ends at a bound, and says so', async () => {
    const { app } = world;
    const flow = deriveId('flow', 'itself');
    const definition: FlowDefinition = {
      schema: 1,
      start: 'hello',
      blocks: {
        hello: { type: 'send_text', text: 'Oi', next: 'again' },
        again: { type: 'start_flow', flow_uuid: flow },
      },
    };
    for (const command of [
      { type: 'CreateFlow', companyUuid: stage.company, name: 'Oi' },
      { type: 'SaveFlowDraft', definition, digest: 'digest' },
      { type: 'PublishFlow', flowUuid: deriveId('flow', 'unknown'), others: new Map() },
    ] as const) {
      const context = directCommand(app, { company: stage.company, actor: 'test' });
      await app.executor.execute(flowAggregate, flow, command, context);
    }
    await world.show();
    await stage.execute(flow, 'first');
    world.startProcess();
    await world.rest();
    expect(world.struck).to.have.length(1);
    expect(world.sent.length).to.be.lessThan(MAX_FLOWS_WITHOUT_WAIT);
    world.startProcess();
    await world.rest();
    expect(world.sent).to.have.length(MAX_FLOWS_WITHOUT_WAIT);
    const ends = world.store.records.filter(({ type }) => type === 'ExecutionEnded');
    expect(ends).to.have.length(MAX_FLOWS_WITHOUT_WAIT);
    expect(failureOf(ends.at(-1)!.data as ExecutionData<'ExecutionEnded'>)).to.deep.equal({
      code: 'too_many_flows',
      message:
        'Block again: 20 flows have started one another without waiting for anybody or anything. Look for the circle among their start_flow blocks.',
      details: { limit: 20, block: 'again' },
    });
  });
});
