/** Flows of contacts that prove to be one person, and many starts for one contact at once. */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { loadExecution } from '../../../application/flows/load.js';
import { admitToConversation } from '../../../application/people/admit-to-conversation.js';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { addCustomer, addInboundMessage, type Customer } from '../../support/api/world.js';
import { textOf } from './play.js';
import { setStage, type Stage } from './stage.js';
import { createFlowWorld, type FlowWorld, type WorldOptions } from './world.js';

const QUESTION: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: {
    ask: { type: 'ask', text: 'Quantos?', save_as: 'n', expect: 'number', next: 'bye' },
    bye: { type: 'send_text', text: 'Obrigado.', next: null },
  },
};
const GREETING: FlowDefinition = {
  schema: 1,
  start: 'hello',
  blocks: { hello: { type: 'send_text', text: 'Olá!', next: null } },
};

describe('flows of one person', () => {
  let world: FlowWorld;
  let stage: Stage;
  async function open(options?: WorldOptions): Promise<void> {
    world = createFlowWorld(options);
    stage = await setStage(world);
  }
  afterEach(() => world.close());

  const context = () => directCommand(world.app, { company: stage.company, actor: 'test' });
  const conversationOf = async ({ conversation }: Pick<Customer, 'conversation'>) =>
    (await world.app.executor.load(conversationAggregate, conversation)).state;
  const state = async (execution: string) => (await loadExecution(world.app, execution))!.state;

  /** The contact that the flow asked is merged into an older one that has an open conversation. */
  async function merged(publish: readonly FlowDefinition[] = [QUESTION]) {
    await open();
    const flows = await stage.publish(publish.length, (place) => publish[place]!);
    const older = await addCustomer(world.app, stage, { phone: '+5511987650099' });
    world.startProcess();
    await world.leap(1_000);
    const execution = await stage.execute(flows[0]!, 'asked');
    await world.rest();
    const { created } = (await loadExecution(world.app, execution))!;
    return {
      flows,
      older,
      execution,
      merge: async () => {
        const pair = [older.contact, created.contact_uuid] as const;
        const { uuid, contact } = await mergeContacts(world.app, stage.company, pair, 'manual', context());
        expect(uuid).to.equal(older.contact);
        const thread = {
          companyUuid: stage.company,
          channelUuid: stage.channel,
          contactUuid: uuid,
          absorbed: [...contact.absorbed, created.contact_uuid],
        };
        expect(await admitToConversation(world.app, thread, 'inbound', context())).to.equal(
          older.conversation,
        );
        await world.rest();
      },
      answer: async (text: string) => {
        await addInboundMessage(world.app, stage, older, text);
        await world.rest();
      },
    };
  }

  it('go to the conversation that goes on after a merge, and hear the answer there', async () => {
    const { execution, older, merge, answer } = await merged();
    const asked = (await state(execution)).conversationUuid!;
    await merge();
    expect((await state(execution)).conversationUuid).to.equal(older.conversation);
    expect(await conversationOf(older)).to.include({ execution, status: 'pending' });
    expect(await conversationOf({ conversation: asked })).to.include({ execution: null, status: 'resolved' });
    await answer('12');
    expect((await state(execution)).ended).to.include({ status: 'completed' });
    expect((await conversationOf(older)).execution).to.equal(null);
    expect(world.sent.map(textOf)).to.deep.equal(['Quantos?', 'Obrigado.']);
    expect(world.errors).to.deep.equal([]);
  });

  it('end where another flow is in charge of that conversation, or people are', async () => {
    const first = await merged();
    const other = 'b7d7ac11-2d0e-4b7e-9c3e-0f6a3c1d9e01';
    await world.app.executor.execute(
      conversationAggregate,
      first.older.conversation,
      { type: 'TakeByFlow', executionUuid: other, ifRunning: 'replace' },
      context(),
    );
    await first.merge();
    expect((await state(first.execution)).ended).to.include({ status: 'cancelled', reason: 'replaced' });
    expect((await conversationOf(first.older)).execution).to.equal(other);
    world.close();

    const second = await merged();
    await world.app.executor.execute(
      conversationAggregate,
      second.older.conversation,
      { type: 'HandOffToPeople', executionUuid: null, by: 'asked' },
      context(),
    );
    await second.merge();
    expect((await state(second.execution)).ended).to.include({ status: 'handed_off' });
    expect(await conversationOf(second.older)).to.include({ withPeople: true, execution: null });
  });

  it('begin in turn, however many are asked for at once', async () => {
    await open({ delays: () => 3 });
    const [flow] = await stage.publish(1, () => ({ ...GREETING, if_running: 'wait' as const }));
    const many = Array.from({ length: 20 }, (_, n) => `start-${n}`);
    const executions: string[] = [];
    for (const key of many) executions.push(await stage.execute(flow!, key));
    world.startProcess();
    await world.rest();
    for (const execution of executions) {
      expect((await state(execution)).ended, execution).to.include({ status: 'completed' });
    }
    expect(world.sent).to.have.length(many.length);
    expect(world.errors).to.deep.equal([]);
  });
});
