/** A customer's message to a flow that runs: an answer, a request for a person, or neither. */
import { expect } from 'chai';
import { endExecution } from '../../../application/flows/end.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { parkExecution } from '../../../application/flows/park.js';
import { flowOperationId } from '../../../domain/execution/decide.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import { aCustomer, ANYTHING, GREETING, NUMBER, offers } from './a-customer.js';

const YES = { id: 'yes', title: 'Sim', next: null };
const BUTTONS: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: { ask: { type: 'ask', text: 'Posso?', save_as: 'ok', choices: [YES], next: null } },
};
const HOUR = 3_600_000;
const PAUSE: FlowDefinition = {
  schema: 1,
  start: 'rest',
  blocks: {
    rest: { type: 'wait', for: '3h', next: 'bye' },
    bye: { type: 'send_text', text: 'Até logo.', next: null },
  },
};

describe('a message of a customer', () => {
  const { world, cause, given, when, found } = aCustomer();

  describe('while a question is open', () => {
    it('is no answer where it is none: the question is put again, and people need not look', async () => {
      const execution = await given.running(NUMBER);
      await when.says('muitos');
      expect(found.sent()).to.deep.equal(['Quantos?', 'Quantos?']);
      expect((await found.state(execution)).phase).to.equal('running');
      expect((await found.conversation()).status).to.equal('pending');
    });

    for (const [what, word] of [
      ['always', 'Parar!'],
      ['of the company', 'sair'],
    ]) {
      it(`stops the flow with a word that opts out, ${what}`, async () => {
        const execution = await given.running(NUMBER, offers());
        await given.words(['SAIR'], []);
        await when.says(word!);
        expect((await found.state(execution)).ended).to.include({ status: 'cancelled', reason: 'opted_out' });
        expect(found.executions(), 'and starts none').to.deep.equal([execution]);
      });
    }

    for (const [what, word] of [
      ['always', 'Atendente'],
      ['of the company', 'vendedor'],
    ]) {
      it(`hands over to people with a word that calls one, ${what}`, async () => {
        const execution = await given.running(NUMBER, offers());
        await given.words([], ['VENDEDOR']);
        await when.says(word!);
        const { ended } = await found.state(execution);
        expect(ended).to.include({ status: 'handed_off', reason: 'asked_for_person' });
        expect(await found.conversation()).to.include({ withPeople: true, status: 'open' });
        expect(found.executions()).to.deep.equal([execution]);
      });
    }

    it('means nothing as a reaction', async () => {
      const execution = await given.running(ANYTHING);
      const before = await found.state(execution);
      await when.says({ type: 'reaction', content: { emoji: '👍', text: 'Atendente' } });
      expect(await found.state(execution)).to.deep.equal(before);
    });

    it('does not answer a question that was put after it', async () => {
      const early = await when.says('12');
      const execution = await given.running(NUMBER);
      await when.hearsAgain(early);
      expect((await found.state(execution)).session).to.deep.include({ at: 'ask', answer: {} });
      expect((await found.conversation()).status).to.equal('pending');
    });

    for (const [what, content] of [
      ['a button', { type: 'interactive', content: { kind: 'button', id: 'yes', title: 'Sim' } }],
      ['a button of a template', { type: 'button', content: { text: 'Sim', payload: 'yes' } }],
    ] as const) {
      it(`is for the question that ${what} hangs on, and for no other`, async () => {
        const execution = await given.running(BUTTONS);
        const { step } = (await found.state(execution)).session;
        const about = (messageUuid: string) =>
          when.says({ ...content, context: { message_uuid: messageUuid } });
        await about(outboundMessageId(flowOperationId(execution, step + 1)));
        expect((await found.state(execution)).ended, 'of another message').to.equal(null);
        expect((await found.conversation()).status, 'no work for people').to.equal('pending');
        const question = (await found.state(execution)).wait!.operation_uuid!;
        await about(outboundMessageId(question));
        expect((await found.state(execution)).ended).to.include({ status: 'completed' });
      });
    }

    it('may quote any message in words', async () => {
      const execution = await given.running(NUMBER);
      await when.says({ content: { text: '7' }, context: { message_uuid: 'another' } });
      expect((await found.state(execution)).session.answer).to.deep.equal({ n: 7 });
    });

    for (const [what, content, answer] of [
      ['a text', { content: { text: 'um texto' } }, 'um texto'],
      ['the title of a button', { type: 'interactive', content: { title: 'Sim' } }, 'Sim'],
      ['a button of a template', { type: 'button', content: { text: 'Sim', payload: 'p' } }, 'Sim'],
      ['one without a payload', { type: 'button', content: { text: 'Sim' } }, 'Sim'],
      ['what is written below a picture', { type: 'image', content: { caption: 'a capa' } }, 'a capa'],
    ] as const) {
      it(`answers with ${what}`, async () => {
        const execution = await given.running(ANYTHING);
        await when.says(content);
        expect((await found.state(execution)).session.answer).to.deep.equal({ said: answer });
      });
    }

    it('is a choice by its id, whatever the title says', async () => {
      const execution = await given.running(BUTTONS);
      await when.says({ type: 'interactive', content: { kind: 'button', id: 'no', title: 'Sim' } });
      expect((await found.state(execution)).session.answer).to.deep.equal({});
      await when.says({ type: 'button', content: { text: 'Talvez', payload: 'yes' } });
      expect((await found.state(execution)).session.answer).to.deep.equal({ ok: 'yes' });
    });

    it('taps the title of a button that has no payload', async () => {
      const execution = await given.running(BUTTONS);
      await when.says({ type: 'button', content: { text: 'Sim' } });
      expect((await found.state(execution)).session.answer).to.deep.equal({ ok: 'yes' });
    });

    for (const [what, timeout] of [
      ['', undefined],
      [' of a question with a time-out', '2h'],
    ] as const) {
      it(`is the answer${what}, though it overtakes the news that the question was sent`, async () => {
        const ask = { ...NUMBER.blocks['ask']!, ...(timeout === undefined ? {} : { timeout }) };
        const execution = await given.begun({ ...NUMBER, blocks: { ask } });
        expect(found.sent()).to.deep.equal(['Quantos?']);
        expect((await found.state(execution)).wait).to.equal(null);
        await when.hears(await when.says('7'));
        expect((await found.state(execution)).session.answer).to.deep.equal({ n: 7 });
        const until = timeout === undefined ? null : new Date(world.app.clock.now() + 2 * HOUR).toISOString();
        const [wait] = await found.events(execution, 'ExecutionWaitBegan');
        expect(wait).to.include({ waits_for: 'answer', until });
        expect((await found.state(execution)).conversationUuid).to.equal(
          (await found.events(execution, 'ExecutionStarted'))[0]!['conversation_uuid'],
        );
      });
    }

    it('is no answer without words', async () => {
      const execution = await given.running(ANYTHING);
      await when.says({ type: 'sticker', content: { caption: 7 } });
      expect((await found.state(execution)).session.answer).to.deep.equal({});
    });

    it('starts another flow with its word, where it is no answer', async () => {
      const execution = await given.running(NUMBER, offers());
      const message = await when.says('Promo');
      expect((await found.state(execution)).ended).to.include({ status: 'cancelled', reason: 'replaced' });
      expect(found.executions()).to.deep.equal([execution, deriveId('execution', message)]);
    });

    it('is the answer, though it is a word for another flow', async () => {
      const execution = await given.running(NUMBER, offers());
      await when.says('12');
      expect((await found.state(execution)).session.answer).to.deep.equal({ n: 12 });
      expect(found.executions()).to.deep.equal([execution]);
    });

    it('does not begin a flow that greets', async () => {
      const execution = await given.running(NUMBER, GREETING);
      const message = await when.says('Oi');
      await given.shown();
      await when.hearsAgain(message);
      expect(found.executions()).to.deep.equal([execution]);
    });
  });

  it('is not shown to people in the moment after a flow has ended', async () => {
    const execution = await given.begun(NUMBER);
    const end = { status: 'completed', reason: null } as const;
    await endExecution(createFlowEngine(world.app), execution, end, cause());
    await when.hears(await when.says('Obrigado'));
    expect((await found.conversation()).status).to.equal('pending');
  });

  describe('while a flow waits for a time', () => {
    it('is for people', async () => {
      const execution = await given.running(PAUSE);
      expect((await found.conversation()).status).to.equal('pending');
      await when.says('Tem alguém aí?');
      expect((await found.conversation()).status).to.equal('open');
      expect((await found.state(execution)).phase).to.equal('running');
    });

    it('is for people also where the flow is parked', async () => {
      const execution = await given.running(PAUSE);
      await parkExecution(createFlowEngine(world.app), execution, 'a fault', cause());
      await when.says('Tem alguém aí?');
      expect((await found.conversation()).status).to.equal('open');
      expect((await found.state(execution)).phase).to.equal('parked');
    });

    it('starts another flow, and is not shown to people then', async () => {
      const execution = await given.running(PAUSE, offers());
      await when.says('promo');
      expect((await found.state(execution)).ended).to.include({ status: 'cancelled', reason: 'replaced' });
      expect(found.sent()).to.deep.equal(['Ofertas!']);
      expect((await found.conversation()).status).to.equal('pending');
    });

    it('does not start one that is to be left out then', async () => {
      const execution = await given.running(PAUSE, offers({ if_running: 'skip' }));
      await when.says('promo');
      expect(found.executions()).to.deep.equal([execution]);
      expect((await found.conversation()).status).to.equal('open');
    });

    it('puts one in line that is to wait', async () => {
      const execution = await given.running(PAUSE, offers({ if_running: 'wait' }));
      const next = deriveId('execution', await when.says('promo'));
      expect(found.executions()).to.deep.equal([execution, next]);
      expect((await found.state(next)).phase).to.equal('queued');
      expect(await found.events(next, 'ExecutionQueued')).to.deep.equal([{ behind_uuid: execution }]);
      await world.leap(3 * HOUR);
      await world.leap(60_000);
      expect(found.sent()).to.deep.equal(['Até logo.', 'Ofertas!']);
    });
  });
});
