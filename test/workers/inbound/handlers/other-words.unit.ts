/** Messages that are edited or deleted, or were written in the Business app. */
import { expect } from 'chai';
import { inboundMessageId } from '../../../../domain/message/decide.js';
import { contactStream, conversationStream, messageStream } from '../../../../domain/streams.js';
import { openedForEach } from '../../../support/opened.js';
import { memoryNumber, only, placeOf, typesOf, type Told } from '../memory-number.js';

describe('words that are not a customer’s new ones', () => {
  const number = openedForEach(memoryNumber);
  describe('a change of a message', () => {
    it('gives it other words', async () => {
      await number.told({ kind: 'message' });
      const { applied, events } = await number.told({ kind: 'edit' });
      expect(applied).to.equal('ok');
      const { type, stream, data, meta } = events[0]!;
      expect([events.length, type, stream]).to.deep.equal([1, 'MessageEdited', number.streamOf('wamid.1')]);
      expect(data).to.deep.equal({
        by: 'contact',
        at: number.at(),
        provider_message_id: 'wamid.edit.1',
        content: { text: 'Oi, tudo bem?' },
      });
      expect(meta.command_id).to.equal('w2');
    });

    it('has its words sealed under the key of the person', async () => {
      await number.told({ kind: 'message' });
      await number.told({ kind: 'edit' });
      const [received, edited] = ['MessageReceived', 'MessageEdited'].map((wanted) =>
        JSON.stringify(number.records.find(({ type }) => type === wanted)!.data),
      );
      const { subject } = (await number.events()).find(({ type }) => type === 'ContactCreated')!.data;
      for (const stored of [received, edited]) expect(stored).to.include(`${String(subject)}/`);
    });

    it('takes it back', async () => {
      await number.told({ kind: 'message' });
      const { events } = await number.told({ kind: 'revoke' });
      expect(events.map(({ type, stream }) => [type, stream])).to.deep.equal([
        ['MessageDeleted', number.streamOf('wamid.1')],
      ]);
      expect(events[0]!.data).to.deep.equal({
        by: 'contact',
        at: number.at(),
        provider_message_id: 'wamid.revoke.1',
      });
    });

    it('is the author’s alone', async () => {
      await number.told({ kind: 'message' });
      await number.told({ kind: 'echo' });
      const theirs = await number.told({ kind: 'revoke', by: 'business_app' });
      expect(theirs).to.deep.equal({
        applied: { park: 'the revoke is not by the one who wrote the message' },
        events: [],
      });
      const ours = await number.told({ kind: 'edit', originalMessageId: 'wamid.echo.1' });
      expect(ours).to.deep.equal({
        applied: { park: 'the edit is not by the one who wrote the message' },
        events: [],
      });
      const own = await number.told({
        kind: 'revoke',
        by: 'business_app',
        originalMessageId: 'wamid.echo.1',
      });
      expect(typesOf(own.events)).to.deep.equal(['MessageDeleted']);
    });

    it('lies in the stream that the message will have, where it comes first', async () => {
      const edit = await number.told({ kind: 'edit' });
      expect(edit.applied).to.equal('ok');
      const kept = only(edit.events, 'MessageEditKept');
      expect(kept.stream).to.equal(number.streamOf('wamid.1'));
      expect(kept.data).to.deep.include({ content: { text: 'Oi, tudo bem?' } });
      const revoke = await number.told({ kind: 'revoke', originalMessageId: 'wamid.2' });
      expect(revoke.events.map(({ type, stream }) => [type, stream])).to.deep.equal([
        ['MessageDeletionKept', number.streamOf('wamid.2')],
      ]);
      const { events } = await number.told({ kind: 'message' });
      expect(typesOf(events)).to.include.members(['MessageReceived', 'MessageEdited']);
    });

    it('that comes first has its words sealed, and is parked where it names nobody', async () => {
      await number.told({ kind: 'edit' });
      const stored = number.records.find(({ type }) => type === 'MessageEditKept')!;
      expect(stored.data).to.have.property('sealed');
      const nobody = {
        kind: 'edit',
        originalMessageId: 'wamid.2',
        contact: { waId: null, userId: null },
      } as const;
      const { applied, events } = await number.told(nobody);
      expect([applied, events]).to.deep.equal([{ park: 'the edit names nobody' }, []]);
    });

    it('by the business is waited for before it is kept, since the API may have sent the message', async () => {
      const told: Told = { kind: 'revoke', by: 'business_app', originalMessageId: 'wamid.9' };
      const { applied, events } = await number.told(told);
      expect(events).to.deep.equal([]);
      expect(applied).to.include({ retry: 'no message is known for the provider message id wamid.9' });
      const { lastly } = applied as { lastly: () => Promise<unknown> };
      expect(await lastly()).to.equal('ok');
      expect((await number.events()).at(-1)).to.deep.include({
        type: 'MessageDeletionKept',
        stream: number.streamOf('wamid.9'),
      });
    });

    it('reaches a message that the API sent', async () => {
      const { events } = await number.told({ kind: 'message' });
      const uuid = await number.sent('wamid.9', placeOf(only(events, 'MessageReceived')));
      const told = await number.told({ kind: 'revoke', by: 'business_app', originalMessageId: 'wamid.9' });
      expect(told.events.map(({ type, stream }) => [type, stream])).to.deep.equal([
        ['MessageDeleted', messageStream.toName(uuid)],
      ]);
    });
  });

  describe('what the business wrote in its app', () => {
    it('is part of the conversation, which it opens', async () => {
      const { applied, events } = await number.told({ kind: 'echo' });
      expect(applied).to.equal('ok');
      expect(typesOf(events)).to.deep.equal([
        'IdentityClaimed',
        'ContactCreated',
        'ConversationOpened',
        'MessageEchoed',
      ]);
      const { stream, data, meta } = only(events, 'MessageEchoed');
      expect(stream).to.equal(number.streamOf('wamid.echo.1'));
      expect(data).to.deep.equal({
        company_uuid: number.company,
        channel_uuid: number.channel,
        conversation_uuid: conversationStream.match(only(events, 'ConversationOpened').stream),
        contact_uuid: contactStream.match(only(events, 'ContactCreated').stream),
        type: 'text',
        content: { text: 'Olá' },
        provider_message_id: 'wamid.echo.1',
        sent_at: number.at(),
        context: null,
      });
      expect(meta.command_id).to.equal('w1/message');
      expect(only(events, 'ConversationOpened').data).to.include({ opened_by: 'outbound' });
      expect(number.records.at(-1)!.data).to.have.property('sealed');
    });

    it('names the message that it answers', async () => {
      await number.told({ kind: 'message' });
      const { events } = await number.told({ kind: 'echo', context: { id: 'wamid.1', from: null } });
      expect(only(events, 'MessageEchoed').data['context']).to.include({
        message_uuid: inboundMessageId(number.channel, 'wamid.1'),
      });
    });

    it('is recorded once, and not where the API sent it', async () => {
      const first = await number.told({ kind: 'echo' });
      expect(await number.told({ kind: 'echo' })).to.deep.equal({ applied: 'ok', events: [] });
      await number.sent('wamid.9', placeOf(only(first.events, 'MessageEchoed')));
      expect(await number.told({ kind: 'echo', messageId: 'wamid.9' })).to.deep.equal({
        applied: 'ok',
        events: [],
      });
    });

    it('goes to somebody who is known by a user id alone, and is parked where it names nobody', async () => {
      const { events } = await number.told({ kind: 'echo', to: null, toUserId: 'BR.1' });
      expect(only(events, 'ContactCreated').data).to.include({ phone: null, wa_user_id: 'BR.1', name: null });
      const nobody = await number.told({ kind: 'echo', messageId: 'wamid.2', to: null });
      expect(nobody).to.deep.equal({ applied: { park: 'the echo names no recipient' }, events: [] });
    });
  });
});
