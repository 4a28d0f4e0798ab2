/** Identities of people at WhatsApp, their marketing preferences, and notices about them. */
import { expect } from 'chai';
import { inboundMessageId } from '../../../../domain/message/decide.js';
import { contactStream, messageStream } from '../../../../domain/streams.js';
import { openedForEach } from '../../../support/opened.js';
import { memoryNumber, only, typesOf, type Seen } from '../memory-number.js';

const PHONE = '5511987650001';
describe('people, as WhatsApp tells of them', () => {
  const number = openedForEach(memoryNumber);
  const contactOf = (events: readonly Seen[]): string =>
    contactStream.match(only(events, 'ContactCreated').stream)!;

  describe('somebody who writes', () => {
    it('is made a contact with phone, user id and name, once', async () => {
      const named = { kind: 'message', fromUserId: 'BR.1', profileName: 'Ana' } as const;
      const { events } = await number.told(named);
      expect(only(events, 'ContactCreated').data).to.include({
        source: 'inbound',
        phone: `+${PHONE}`,
        phone_key: PHONE,
        wa_user_id: 'BR.1',
        name: 'Ana',
      });
      expect(typesOf(events)).not.to.include('ContactWaIdLearned');
      const { events: again } = await number.told({ ...named, messageId: 'wamid.2' });
      expect(typesOf(again)).to.deep.equal(['MessageReceived']);
    });

    it('is found by the user id alone, and by the phone alone', async () => {
      const first = await number.told({ kind: 'message', fromUserId: 'BR.1' });
      const contact_uuid = contactOf(first.events);
      const hidden = await number.told({
        kind: 'message',
        messageId: 'wamid.2',
        from: null,
        fromUserId: 'BR.1',
      });
      expect(only(hidden.events, 'MessageReceived').data).to.include({ contact_uuid });
      const shown = await number.told({ kind: 'message', messageId: 'wamid.3' });
      expect(only(shown.events, 'MessageReceived').data).to.include({ contact_uuid });
    });

    it('gets a name once WhatsApp tells it', async () => {
      const { events } = await number.told({ kind: 'message' });
      const named = await number.told({ kind: 'message', messageId: 'wamid.2', profileName: 'Ana' });
      const { stream, data, meta } = only(named.events, 'ContactNamed');
      expect(stream).to.equal(contactStream.toName(contactOf(events)));
      expect(data).to.deep.equal({ source: 'profile', name: 'Ana' });
      expect(meta.command_id).to.equal('w2/name');
      expect(number.records.find(({ type }) => type === 'ContactNamed')!.data).to.have.property('sealed');
    });

    it('is known to WhatsApp by digits that differ from the phone that is known here', async () => {
      const { events } = await number.told({ kind: 'message', from: '551187650001' });
      const told = await number.told({ kind: 'message', messageId: 'wamid.2' });
      expect(typesOf(told.events)).to.have.members(['ContactWaIdLearned', 'MessageReceived']);
      const learned = only(told.events, 'ContactWaIdLearned');
      expect(learned.stream).to.equal(contactStream.toName(contactOf(events)));
      expect(learned.data).to.deep.equal({ channel_uuid: number.channel, wa_id: PHONE });
      expect(learned.meta.command_id).to.equal('w2/wa-id');
    });
  });

  describe('somebody who changes the number or the user id', () => {
    const written = async (): Promise<string> => contactOf((await number.told({ kind: 'message' })).events);

    it('stays the same contact under the new number', async () => {
      const contact = await written();
      const { applied, events } = await number.told({ kind: 'identity', waId: '5511987650002' });
      expect(applied).to.equal('ok');
      expect(typesOf(events)).to.deep.equal([
        'IdentityClaimed',
        'ContactWaIdLearned',
        'SystemNoticeRecorded',
      ]);
      const learned = only(events, 'ContactWaIdLearned');
      expect(learned.data).to.deep.equal({ channel_uuid: number.channel, wa_id: '5511987650002' });
      expect(learned.meta.command_id).to.equal('w2/wa-id');
      const notice = only(events, 'SystemNoticeRecorded');
      expect(notice.stream).to.equal(
        messageStream.toName(inboundMessageId(number.channel, 'wamid.identity.1')),
      );
      expect(notice.data).to.include({
        contact_uuid: contact,
        kind: 'user_changed_number',
        provider_message_id: 'wamid.identity.1',
        at: number.at(),
      });
      const next = await number.told({ kind: 'message', messageId: 'wamid.2', from: '5511987650002' });
      expect(only(next.events, 'MessageReceived').data).to.include({ contact_uuid: contact });
    });

    it('stays the same contact under the new user id', async () => {
      const contact = await written();
      const { applied, events } = await number.told({ kind: 'identity', userId: 'BR.2' });
      expect(applied).to.equal('ok');
      expect(typesOf(events)).to.deep.equal([
        'IdentityClaimed',
        'ContactUserIdLearned',
        'SystemNoticeRecorded',
      ]);
      const learned = only(events, 'ContactUserIdLearned');
      expect(learned.data).to.deep.equal({ wa_user_id: 'BR.2' });
      expect(learned.meta.command_id).to.equal('w2/user-id');
      expect(only(events, 'SystemNoticeRecorded').data).to.include({ kind: 'user_changed_user_id' });
      const next = await number.told({
        kind: 'message',
        messageId: 'wamid.2',
        from: null,
        fromUserId: 'BR.2',
      });
      expect(only(next.events, 'MessageReceived').data).to.include({ contact_uuid: contact });
    });

    it('is found by the former user id before the former number', async () => {
      await written();
      const { events } = await number.told({
        kind: 'message',
        messageId: 'wamid.2',
        from: null,
        fromUserId: 'BR.1',
      });
      const told = await number.told({
        kind: 'identity',
        previousUserId: 'BR.1',
        waId: '5511987650009',
        userId: 'BR.9',
      });
      const stream = contactStream.toName(contactOf(events));
      expect(only(told.events, 'ContactWaIdLearned').stream).to.equal(stream);
      expect(only(told.events, 'ContactUserIdLearned').stream).to.equal(stream);
    });

    it('is looked for again where nobody is known by the former one', async () => {
      const { applied, events } = await number.told({ kind: 'identity', waId: '5511987650002' });
      expect(applied).to.deep.equal({ retry: 'nobody is known who changed their number or user id' });
      expect(events).to.deep.equal([]);
    });

    for (const [what, change] of [
      ['number', { waId: '5511987650003' }],
      ['user id', { userId: 'BR.3' }],
    ] as const) {
      it(`does not become somebody else whose ${what} that is`, async () => {
        await written();
        await number.told({
          kind: 'message',
          messageId: 'wamid.2',
          from: '5511987650003',
          fromUserId: 'BR.3',
        });
        const { applied, events } = await number.told({ kind: 'identity', ...change });
        expect(applied).to.deep.equal({
          park: 'the new number or user id already belongs to another contact',
        });
        expect(events).to.deep.equal([]);
      });
    }
  });

  describe('a notice', () => {
    it('is put into the conversation of the person', async () => {
      const { events: before } = await number.told({ kind: 'message' });
      const { conversation_uuid, contact_uuid } = only(before, 'MessageReceived').data;
      const { applied, events } = await number.told({ kind: 'notice' });
      expect([applied, typesOf(events)]).to.deep.equal(['ok', ['SystemNoticeRecorded']]);
      expect(events[0]!.stream).to.equal(
        messageStream.toName(inboundMessageId(number.channel, 'wamid.notice.1')),
      );
      expect(events[0]!.data).to.deep.equal({
        company_uuid: number.company,
        channel_uuid: number.channel,
        conversation_uuid,
        contact_uuid,
        kind: 'message_edited',
        provider_message_id: 'wamid.notice.1',
        at: number.at(),
      });
      expect(events[0]!.meta.command_id).to.equal('w2/notice');
    });

    it('waits for a conversation, and opens none', async () => {
      const retry = 'no conversation is known that the notice "message_edited" belongs to';
      expect(await number.told({ kind: 'notice' })).to.deep.equal({ applied: { retry }, events: [] });
      await number.told({ kind: 'address_book' });
      expect(await number.told({ kind: 'notice' })).to.deep.equal({ applied: { retry }, events: [] });
    });
  });

  describe('a wish about marketing by WhatsApp’s own control', () => {
    it('is that of the person, also of one who never wrote', async () => {
      const { applied, events } = await number.told({ kind: 'preference' });
      expect(applied).to.equal('ok');
      expect(typesOf(events)).to.deep.equal(['IdentityClaimed', 'ContactCreated', 'ContactOptedOut']);
      const { data, meta } = only(events, 'ContactOptedOut');
      expect(data).to.include({ source: 'native', at: number.at(), message_uuid: null });
      expect(meta.command_id).to.match(/^w1\/preference\//);
      expect(only(events, 'ContactCreated').data).to.include({ name: null });
      await number.clock.advance(60_000);
      const back = await number.told({ kind: 'preference', value: 'resume' });
      expect(typesOf(back.events)).to.deep.equal(['ContactOptedIn']);
      expect(back.events[0]!.data).to.include({ source: 'native' });
    });

    it('of a category that nobody knows is parked, its name cut short', async () => {
      const { applied, events } = await number.told({ kind: 'preference', category: 'x'.repeat(70) });
      expect(applied).to.deep.equal({ park: `unknown category of preference "${'x'.repeat(64)}"` });
      expect(events).to.deep.equal([]);
    });

    it('is parked where it names nobody', async () => {
      expect(await number.told({ kind: 'preference', waId: null })).to.deep.equal({
        applied: { park: 'the preference names nobody' },
        events: [],
      });
    });
  });

  describe('the address book of the Business app', () => {
    it('makes a contact of who is not known yet', async () => {
      const { applied, events } = await number.told({ kind: 'address_book' });
      expect([applied, typesOf(events)]).to.deep.equal(['ok', ['IdentityClaimed', 'ContactCreated']]);
      expect(only(events, 'ContactCreated').data).to.include({
        source: 'import',
        phone: `+${PHONE}`,
        name: 'Ana',
        wa_user_id: null,
      });
    });

    it('takes nobody away', async () => {
      expect(await number.told({ kind: 'address_book', action: 'remove' })).to.deep.equal({
        applied: 'ok',
        events: [],
      });
    });
  });
});
