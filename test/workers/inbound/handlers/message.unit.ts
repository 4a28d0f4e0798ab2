/** A customer's message: its contact, the marketing that it stops or resumes, the window that it opens, its context. */
import { expect } from 'chai';
import { directCommand } from '../../../../application/app.js';
import { changeOptOutWords } from '../../../../application/provisioning/companies.js';
import { inboundMessageId, messageAggregate } from '../../../../domain/message/decide.js';
import { contactStream, conversationStream, messageStream } from '../../../../domain/streams.js';
import { openedForEach } from '../../../support/opened.js';
import { memoryNumber, only, typesOf, type Told } from '../memory-number.js';

const FIRST = ['IdentityClaimed', 'ContactCreated', 'ConversationOpened', 'MessageReceived', 'CustomerWrote'];

describe('what a customer writes', () => {
  const number = openedForEach(memoryNumber);
  const message = (more: object = {}): Told => ({ kind: 'message', ...more });
  const uuidOf = (providerMessageId: string): string => inboundMessageId(number.channel, providerMessageId);
  const wishes = async (): Promise<readonly string[]> =>
    typesOf(await number.events()).filter((type) => type.startsWith('ContactOpted'));

  it('makes a contact, a conversation and a message, and opens the service window', async () => {
    const { applied, events } = await number.told(message());
    expect(applied).to.equal('ok');
    expect(typesOf(events)).to.have.members(FIRST);
    const { stream, data, meta } = only(events, 'MessageReceived');
    expect(stream).to.equal(messageStream.toName(uuidOf('wamid.1')));
    expect(data).to.deep.equal({
      company_uuid: number.company,
      channel_uuid: number.channel,
      conversation_uuid: conversationStream.match(only(events, 'ConversationOpened').stream),
      contact_uuid: contactStream.match(only(events, 'ContactCreated').stream),
      type: 'text',
      content: { text: 'Oi' },
      provider_message_id: 'wamid.1',
      sent_at: number.at(),
      context: null,
      referral: null,
    });
    expect(meta).to.include({ company: number.company, actor: 'provider', command_id: 'w1/message' });
    const wrote = only(events, 'CustomerWrote');
    expect(wrote.data).to.deep.equal({ at: number.at() });
    expect(wrote.meta.command_id).to.equal('w1/window');
    expect(only(events, 'ConversationOpened').data).to.include({ opened_by: 'inbound' });
  });

  it('is sealed under the key of the person', async () => {
    await number.told(message());
    const stored = number.records.find(({ type }) => type === 'MessageReceived')!;
    expect(stored.data).to.have.property('sealed');
    expect(JSON.stringify(stored)).not.to.include('"Oi"');
  });

  it('goes to the person and the conversation that are known', async () => {
    const first = await number.told(message());
    const { events } = await number.told(message({ messageId: 'wamid.2' }));
    expect(typesOf(events)).to.deep.equal(['MessageReceived']);
    const { conversation_uuid, contact_uuid } = only(first.events, 'MessageReceived').data;
    expect(only(events, 'MessageReceived').data).to.include({ conversation_uuid, contact_uuid });
  });

  it('is recorded once, however often it is told', async () => {
    await number.told(message());
    const again = await number.told(message());
    expect([again.applied, again.events]).to.deep.equal(['ok', []]);
  });

  it('opens the window also where the process ended between the message and that', async () => {
    // Recorded, but without a window: a reaction leaves that state.
    const { events } = await number.told(message({ type: 'reaction', content: reaction('wamid.0') }));
    expect(typesOf(events)).not.to.include('CustomerWrote');
    const again = await number.told(message());
    expect(again.applied).to.equal('ok');
    expect(typesOf(again.events)).to.deep.equal(['CustomerWrote']);
    expect(again.events[0]!.stream).to.equal(only(events, 'ConversationOpened').stream);
  });

  it('opens no window where it is told of what the business wrote', async () => {
    await number.told({ kind: 'echo', messageId: 'wamid.1' });
    expect(await number.told(message())).to.deep.equal({ applied: 'ok', events: [] });
  });

  it('is parked where it names no sender', async () => {
    const { applied, events } = await number.told(message({ from: null }));
    expect([applied, events]).to.deep.equal([{ park: 'the message names no sender' }, []]);
  });

  it('brings the ad that it began with', async () => {
    const referral = { source_id: '120208', source_type: 'ad', ctwa_clid: 'ARAk' };
    const { events } = await number.told(message({ referral }));
    expect(only(events, 'MessageReceived').data).to.deep.include({ referral });
    const attributed = only(events, 'ContactAttributed');
    expect(attributed.data).to.deep.include({
      custom_fields: { ad_id: '120208', referral_source: 'ad', ctwa_clid: 'ARAk' },
    });
    expect(attributed.meta.command_id).to.match(/^w1\/ad\//);
  });

  describe('as a wish about marketing', () => {
    const text = (words: string, more: object = {}): Told => message({ content: { text: words }, ...more });

    it('stops it, and resumes it', async () => {
      const { events } = await number.told(text('Parar!'));
      const wish = only(events, 'ContactOptedOut');
      expect(wish.data).to.deep.include({
        source: 'keyword',
        at: number.at(),
        message_uuid: uuidOf('wamid.1'),
      });
      expect(wish.meta.command_id).to.match(/^w1\/opt-out\//);
      await number.clock.advance(60_000);
      const back = await number.told(text('voltar', { messageId: 'wamid.2' }));
      expect(only(back.events, 'ContactOptedIn').data).to.deep.include({
        source: 'keyword',
        message_uuid: uuidOf('wamid.2'),
      });
    });

    it('is on record before the message is', async () => {
      const { events } = await number.told(text('Parar'));
      const types = typesOf(events);
      expect(types.indexOf('ContactOptedOut')).to.be.lessThan(types.indexOf('MessageReceived'));
    });

    it('is understood in the words of the company too', async () => {
      await changeOptOutWords(
        number.app,
        { companyUuid: number.company, words: { stop: ['SAIR'] } },
        { actor: 'admin' },
      );
      await number.told(text('sair'));
      expect(await wishes()).to.deep.equal(['ContactOptedOut']);
    });

    for (const [what, type, content] of [
      ['a tapped button of a template', 'button', { payload: 'p', text: 'STOP' }],
      ['a tapped choice', 'interactive', { kind: 'button_reply', id: '1', title: 'STOP' }],
      ['an entry of a list', 'interactive', { kind: 'list_reply', id: '1', title: 'STOP' }],
    ] as const) {
      it(`is understood as ${what}`, async () => {
        await number.told(message({ type, content }));
        expect(await wishes()).to.deep.equal(['ContactOptedOut']);
      });
    }

    for (const [what, type, content] of [
      ['a sentence that holds the word', 'text', { text: 'Quero parar de receber' }],
      ['more than anybody would type', 'text', { text: `STOP${'!'.repeat(97)}` }],
      ['a form', 'interactive', { kind: 'nfm_reply', title: 'STOP', response: {} }],
      ['a choice without a title', 'interactive', { kind: 'button_reply', id: 'STOP' }],
      ['a caption', 'image', { media_id: '1', mime_type: null, sha256: null, caption: 'STOP' }],
    ] as const) {
      it(`is none in ${what}`, async () => {
        expect((await number.told(message({ type, content }))).applied).to.equal('ok');
        expect(await wishes()).to.deep.equal([]);
      });
    }

    it('is one up to a hundred characters', async () => {
      await number.told(text(`STOP${'!'.repeat(96)}`));
      expect(await wishes()).to.deep.equal(['ContactOptedOut']);
    });
  });

  describe('about another message', () => {
    const received = async (more: object) =>
      only((await number.told(message(more))).events, 'MessageReceived').data;

    it('as a reaction names it where it is known, and opens no window', async () => {
      await number.told(message());
      await number.clock.advance(120_000);
      const reacted = message({ messageId: 'wamid.2', type: 'reaction', content: reaction('wamid.1') });
      const { events } = await number.told(reacted);
      expect(typesOf(events)).to.deep.equal(['MessageReceived']);
      expect(events[0]!.data['content']).to.deep.equal({
        message_id: 'wamid.1',
        emoji: '👍',
        message_uuid: uuidOf('wamid.1'),
      });
      const unknown = await received({
        messageId: 'wamid.3',
        type: 'reaction',
        content: reaction('wamid.0'),
      });
      expect(unknown['content']).to.deep.include({ message_uuid: null });
    });

    it('as an answer names it, and where it stands in time, but no phone', async () => {
      await number.told(message());
      const context = { id: 'wamid.1', from: '5511987650001' };
      const { context: kept } = await received({ messageId: 'wamid.2', context });
      expect(kept).to.deep.equal({
        id: 'wamid.1',
        message_uuid: uuidOf('wamid.1'),
        answered_at: '2026-03-01T11:59:59.999Z',
      });
    });

    it('as an answer names none where it is not known', async () => {
      const context = { id: 'wamid.0', from: '5511987650001', forwarded: 'forwarded' };
      expect((await received({ context }))['context']).to.deep.equal({
        id: 'wamid.0',
        forwarded: 'forwarded',
        message_uuid: null,
      });
    });

    it('keeps what is said of a context that names no message', async () => {
      const context = { id: null, from: '5511987650001', forwarded: 'forwarded' };
      expect((await received({ context }))['context']).to.deep.equal({ id: null, forwarded: 'forwarded' });
    });

    it('stands behind what that one answers itself', async () => {
      await number.told(message());
      const early = '2026-03-01T11:00:00.000Z';
      await received({ messageId: 'wamid.2', at: early, context: { id: 'wamid.1', from: null } });
      const { context } = await received({ messageId: 'wamid.3', context: { id: 'wamid.2', from: null } });
      expect(context).to.include({ answered_at: '2026-03-01T11:59:59.999Z' });
    });

    it('that WhatsApp gave no time stands where it was recorded', async () => {
      const { conversation_uuid, contact_uuid } = await received({});
      const uuid = uuidOf('wamid.notice');
      await number.app.executor.execute(
        messageAggregate,
        uuid,
        {
          type: 'RecordNotice',
          data: {
            company_uuid: number.company,
            channel_uuid: number.channel,
            conversation_uuid: String(conversation_uuid),
            contact_uuid: String(contact_uuid),
            kind: 'message_edited',
            provider_message_id: 'wamid.notice',
            at: number.at(),
          },
        },
        directCommand(number.app, { company: number.company, actor: 'test' }),
      );
      const { context } = await received({
        messageId: 'wamid.2',
        context: { id: 'wamid.notice', from: null },
      });
      expect(context).to.include({ answered_at: '2026-03-01T12:00:00.000Z' });
    });

    it('is placed by the message, not by an edit that came before it', async () => {
      await number.told({ kind: 'edit' });
      await number.clock.advance(5_000);
      await number.told(message());
      const { context } = await received({ messageId: 'wamid.2', context: { id: 'wamid.1', from: null } });
      expect(context).to.include({ answered_at: '2026-03-01T12:00:04.999Z' });
    });
  });
});

const reaction = (messageId: string) => ({ message_id: messageId, emoji: '👍' });
