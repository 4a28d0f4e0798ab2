/** Messages of the Business app from before the number was connected. */
import { expect } from 'chai';
import { resolveConversation } from '../../../../application/conversations/commands.js';
import { contactStream, conversationStream } from '../../../../domain/streams.js';
import { openedForEach } from '../../../support/opened.js';
import { memoryNumber, only, placeOf, typesOf } from '../memory-number.js';

describe('a history of the Business app', () => {
  const number = openedForEach(memoryNumber);

  const past = (messageId: string, more: object = {}) => ({
    messageId,
    direction: 'inbound',
    type: 'text',
    content: { text: 'Abrem domingo?' },
    at: '2025-12-20T09:00:00.000Z',
    status: null,
    context: null,
    ...more,
  });

  it('is put into a conversation of the person, and opens no window', async () => {
    const { applied, events } = await number.told({ kind: 'history', messages: [past('wamid.h1')] });
    expect(applied).to.equal('ok');
    expect(typesOf(events)).to.deep.equal([
      'IdentityClaimed',
      'ContactCreated',
      'ConversationOpened',
      'MessageImported',
    ]);
    const opened = only(events, 'ConversationOpened');
    expect(opened.data).to.deep.equal({
      company_uuid: number.company,
      channel_uuid: number.channel,
      contact_uuid: contactStream.match(only(events, 'ContactCreated').stream),
      ordinal: 0,
      opened_by: 'history',
    });
    expect(opened.meta.command_id).to.equal('w1/conversation');
    expect(only(events, 'ContactCreated').data).to.include({ source: 'import', name: null });
    const { stream, data, meta } = only(events, 'MessageImported');
    expect(stream).to.equal(number.streamOf('wamid.h1'));
    expect(data).to.deep.equal({
      company_uuid: number.company,
      channel_uuid: number.channel,
      conversation_uuid: conversationStream.match(opened.stream),
      contact_uuid: contactStream.match(only(events, 'ContactCreated').stream),
      direction: 'inbound',
      type: 'text',
      content: { text: 'Abrem domingo?' },
      status: 'received',
      provider_message_id: 'wamid.h1',
      sent_at: '2025-12-20T09:00:00.000Z',
      context: null,
    });
    expect(meta.command_id).to.equal('w1/wamid.h1');
    expect(number.records.at(-1)!.data).to.have.property('sealed');
  });

  it('goes into the latest conversation, and wakes it not', async () => {
    const { events } = await number.told({ kind: 'message' });
    const conversation = conversationStream.match(only(events, 'ConversationOpened').stream)!;
    await number.show('conversations', 'contacts');
    await resolveConversation(number.app, { conversationUuid: conversation }, { actor: 'test' });
    const { events: told } = await number.told({ kind: 'history', messages: [past('wamid.h1')] });
    expect(typesOf(told)).to.deep.equal(['MessageImported']);
    expect(told[0]!.data).to.include({ conversation_uuid: conversation });
  });

  for (const [status, kept] of [
    ['PENDING', 'queued'],
    ['SENT', 'sent'],
    ['DELIVERED', 'delivered'],
    ['READ', 'read'],
    ['PLAYED', 'read'],
    ['ERROR', 'failed'],
    ['ANOTHER', 'sent'],
    [null, 'sent'],
  ] as const) {
    it(`says "${kept}" of what the business wrote where the app says ${status ?? 'nothing'}`, async () => {
      const messages = [past('wamid.h1', { direction: 'outbound', status })];
      const { events } = await number.told({ kind: 'history', messages });
      expect(only(events, 'MessageImported').data).to.include({ direction: 'outbound', status: kept });
    });
  }

  it('is recorded whole, in chunks, each message once', async () => {
    const messages = Array.from({ length: 45 }, (_, n) => past(`wamid.h${n}`));
    const { events } = await number.told({ kind: 'history', messages });
    const imported = events.filter(({ type }) => type === 'MessageImported');
    expect(imported.map(({ data }) => data['provider_message_id'])).to.have.members(
      messages.map(({ messageId }) => messageId),
    );
    expect((await number.told({ kind: 'history', messages })).events).to.deep.equal([]);
  });

  it('has twenty appends under way at most', async () => {
    const messages = Array.from({ length: 45 }, (_, n) => past(`wamid.h${n}`));
    const store = { ...number.app.store };
    let under = 0;
    let most = 0;
    number.app.store.append = async (stream, expected, records) => {
      most = Math.max(most, (under += 1));
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return store.append(stream, expected, records);
    };
    await number.told({ kind: 'history', messages });
    expect(most).to.equal(20);
  });

  it('leaves out what the API sent, and brings the file of what was recorded without it', async () => {
    const placeholder = past('wamid.h1', { type: 'unsupported', content: { kind: 'media_placeholder' } });
    const { events } = await number.told({ kind: 'history', messages: [placeholder] });
    await number.sent('wamid.9', placeOf(only(events, 'MessageImported')));
    const image = { media_id: '1', mime_type: 'image/jpeg', sha256: null };
    const messages = [past('wamid.h1', { type: 'image', content: image }), past('wamid.9')];
    const again = await number.told({ kind: 'history', messages });
    expect(again.events.map(({ type, data }) => [type, data])).to.deep.equal([
      ['MessageMediaImported', { type: 'image', content: image }],
    ]);
  });

  it('is parked where it names nobody', async () => {
    const { applied, events } = await number.told({ kind: 'history', waId: null });
    expect([applied, events]).to.deep.equal([{ park: 'the history names nobody' }, []]);
  });
});
