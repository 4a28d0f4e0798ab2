/** The flow that a customer's message starts, and messages that start none. */
import { expect } from 'chai';
import { createExecution } from '../../../application/flows/begin.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { admitToConversation } from '../../../application/people/admit-to-conversation.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { aCustomer, GREETING, NUMBER, offers } from './a-customer.js';

const BEGINNING = deriveId('execution', 'of another message');

describe('a message of a customer', () => {
  const { world, stage, cause, direct, person, given, when, found } = aCustomer();

  describe('while no flow runs', () => {
    it('starts the flow that has its word', async () => {
      const [flow] = await given.listening(offers());
      const message = await when.says('promo');
      const [execution] = found.executions();
      expect(execution).to.equal(deriveId('execution', message));
      const { uuid: contact, subject } = await person();
      expect((await found.execution(execution!)).created).to.deep.equal({
        company_uuid: stage.company,
        flow_uuid: flow,
        flow_version: 1,
        if_running: 'replace',
        start: 'offer',
        channel_uuid: stage.channel,
        contact_uuid: contact,
        subject,
        trigger: 'keyword',
        integration_uuid: null,
        operation_uuid: null,
        message_uuid: message,
        parent_uuid: null,
        depth: 0,
        depth_without_wait: 0,
        variables: {},
      });
      expect(found.sent()).to.deep.equal(['Ofertas!']);
    });

    it('starts one once, however often it is heard', async () => {
      await given.listening(offers());
      const message = await when.says('promo');
      await when.hearsAgain(message);
      expect(found.executions()).to.have.length(1);
      expect(found.sent()).to.deep.equal(['Ofertas!']);
    });

    it('keeps what the flow says of others that run', async () => {
      await given.listening(offers({ if_running: 'skip' }));
      await when.says('promo');
      const [execution] = found.executions();
      expect((await found.execution(execution!)).created.if_running).to.equal('skip');
    });

    for (const [what, content] of [
      ['the title of a button', { type: 'interactive', content: { title: 'Promo' } }],
      ['a button of a template', { type: 'button', content: { text: 'Promo', payload: 'p' } }],
      ['what is written below a picture', { type: 'image', content: { caption: 'Promo' } }],
    ] as const) {
      it(`starts one with ${what}`, async () => {
        await given.listening(offers());
        await when.says(content);
        expect(found.executions()).to.have.length(1);
      });
    }

    it('starts none with a word that opts out or calls a person', async () => {
      await given.listening(offers());
      await given.words(['SAIR'], ['VENDEDOR']);
      await when.says('sair');
      await when.says('vendedor');
      expect(found.executions()).to.deep.equal([]);
    });

    it('starts none while people have the conversation', async () => {
      await given.listening(offers());
      await given.conversation({ type: 'HandOffToPeople', executionUuid: null, by: 'asked' });
      await when.says('promo');
      expect(found.executions()).to.deep.equal([]);
    });

    it('changes nothing as a reaction, nor where there is none', async () => {
      await given.listening(offers());
      await when.says({ type: 'reaction', content: { text: 'promo' } });
      const records = world.store.records.length;
      await when.hears('no-such-message');
      expect(world.store.records).to.have.length(records);
      expect(found.executions()).to.deep.equal([]);
    });

    describe('and one greets', () => {
      it('is greeted as the first one', async () => {
        await given.flows(GREETING);
        const first = await when.says('Oi');
        await given.shown();
        await when.hears(first);
        const [execution] = found.executions();
        expect((await found.execution(execution!)).created.trigger).to.equal('first_message');
      });

      it('is not greeted as a later one', async () => {
        await given.flows(GREETING);
        await when.says('Oi');
        const second = await when.says('Oi?');
        await given.shown();
        await when.hears(second);
        expect(found.executions()).to.deep.equal([]);
      });

      it('is not greeted in a later conversation', async () => {
        await given.flows(GREETING);
        await when.says('Oi');
        await given.conversation({ type: 'ResolveConversation' });
        const message = await when.says('Oi de novo');
        await given.shown();
        await when.hears(message);
        expect(found.executions()).to.deep.equal([]);
      });

      it('is not greeted in a conversation that the business began', async () => {
        await given.flows(GREETING);
        const { uuid } = await person();
        const thread = { companyUuid: stage.company, channelUuid: stage.channel, contactUuid: uuid };
        await admitToConversation(world.app, { ...thread, absorbed: [] }, 'outbound', direct());
        const message = await when.says('Oi');
        await given.shown();
        await when.hears(message);
        expect(found.executions()).to.deep.equal([]);
      });
    });
  });

  it('leaves alone a flow that has the conversation and is about to begin', async () => {
    const [flow] = await given.flows(NUMBER, offers());
    const { uuid: contact, subject } = await person();
    await createExecution(
      createFlowEngine(world.app),
      BEGINNING,
      {
        company_uuid: stage.company,
        flow_uuid: flow!,
        flow_version: 1,
        if_running: 'replace',
        start: 'ask',
        channel_uuid: stage.channel,
        contact_uuid: contact,
        subject,
        trigger: 'keyword',
        integration_uuid: null,
        operation_uuid: null,
        message_uuid: null,
        parent_uuid: null,
        depth: 0,
        depth_without_wait: 0,
        variables: {},
      },
      cause(),
    );
    await given.conversation({ type: 'TakeByFlow', executionUuid: BEGINNING, ifRunning: 'replace' });
    await when.hears(await when.says('promo'));
    await when.hears(await when.says('Parar'));
    expect(found.executions()).to.deep.equal([BEGINNING]);
    expect((await found.state(BEGINNING)).phase).to.equal('queued');
    expect((await found.conversation()).status).to.equal('pending');
  });
});
