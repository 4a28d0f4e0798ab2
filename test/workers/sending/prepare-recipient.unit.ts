/** The recipient and the address of a prepared send, and its end where no recipient exists. */
import { expect } from 'chai';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { exampleIds } from '../../support/examples/example.js';
import type { Operation } from '../../../domain/operation/state.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../../ports/event-store.js';

import { memoryPrepared, refused, type PreparedWithConversation } from './memory-prepared.js';

const CHANNEL = exampleIds.channel;

type World = Awaited<ReturnType<typeof memoryPrepared>>;

describe('the recipient of a send that is prepared', () => {
  it('has its channel, the person behind the phone and their conversation', async () => {
    const w = await memoryPrepared();
    const ready = (await w.prepare(
      await w.given.accepted({ phone: '+551187654321', external_id: null }),
    )) as PreparedWithConversation;
    const { kind, channel, contact, to, conversationUuid } = ready;
    expect([kind, channel.uuid, channel.phone_number_id]).to.deep.equal(['ready', CHANNEL, 'number']);
    expect(to, 'as it was accepted').to.deep.equal({ phone: '+551187654321' });
    expect(await w.contact(contact.uuid)).to.deep.include({
      companyUuid: exampleIds.company,
      phone: '+551187654321',
      phoneKey: '5511987654321',
      name: null,
      waUserId: null,
      subject: contact.subject,
      links: {},
    });
    expect(w.store.records.find(({ type }) => type === 'ContactCreated')!.data).to.include({
      source: 'send',
    });
    expect(conversationUuid).to.equal(conversationId(contact.uuid, CHANNEL, 0));
    const opened = w.store.records.find(({ type }) => type === 'ConversationOpened')!;
    expect(opened.data).to.deep.include({
      company_uuid: exampleIds.company,
      channel_uuid: CHANNEL,
      contact_uuid: contact.uuid,
      opened_by: 'outbound',
    });
  });

  describe('to a contact that was named', () => {
    const to = async (...contact: Parameters<World['given']['contact']>) => {
      const w = await memoryPrepared();
      const contact_uuid = await w.given.contact(...contact);
      const ready = await w.prepare(await w.given.accepted({ contact_uuid, phone: null }));
      return ready.kind === 'ready' ? ready.to : ready;
    };

    it('goes to the WhatsApp id that is known of this channel, else to the phone, else to the user id', async () => {
      const learned = (channelUuid: string) =>
        ({ type: 'LearnWaId', channelUuid, waId: '551187650001' }) as const;
      expect(await to({}, learned(CHANNEL))).to.deep.equal({ waId: '551187650001' });
      expect(await to({}, learned(exampleIds.test))).to.deep.equal({ phone: '+5511987650001' });
      expect(await to({ waUserId: 'BR.1' })).to.deep.equal({ phone: '+5511987650001' });
      expect(await to({ phone: null, waUserId: 'BR.1' })).to.deep.equal({ userId: 'BR.1' });
    });

    it('goes to the phone that it was accepted with', async () => {
      const w = await memoryPrepared();
      const contact_uuid = await w.given.contact();
      const ready = await w.prepare(await w.given.accepted({ contact_uuid, phone: '+5511987650002' }));
      expect((ready as PreparedWithConversation).to).to.deep.equal({ phone: '+5511987650002' });
    });

    it('is for that contact, in its conversation', async () => {
      const w = await memoryPrepared();
      const contact_uuid = await w.given.contact();
      const ready = (await w.prepare(
        await w.given.accepted({ contact_uuid, phone: null }),
      )) as PreparedWithConversation;
      const { uuid, subject, contact } = ready.contact;
      expect([uuid, subject]).to.deep.equal([contact_uuid, (await w.contact(contact_uuid)).subject]);
      expect(contact).to.deep.equal(await w.contact(contact_uuid));
      expect(ready.conversationUuid).to.equal(conversationId(contact_uuid, CHANNEL, 0));
    });

    it('is for the one that goes on for it, in the conversation that goes on', async () => {
      const w = await memoryPrepared();
      const ended = await w.given.contact({ uuid: exampleIds.otherContact, phone: '+5511987650003' });
      const uuid = await w.given.contact();
      for (const contactUuid of [ended, uuid]) {
        await w.app.executor.execute(
          conversationAggregate,
          conversationId(contactUuid, CHANNEL, 0),
          {
            type: 'AdmitMessage',
            by: 'inbound',
            companyUuid: exampleIds.company,
            channelUuid: CHANNEL,
            contactUuid,
            ordinal: 0,
          },
          w.contextOf(null),
        );
      }
      await w.given.contact({ uuid: ended }, { type: 'MergeInto', contactUuid: uuid, reason: 'manual' });
      const accepted = await w.given.accepted({ contact_uuid: ended, phone: null });
      const ready = (await w.prepare(accepted)) as PreparedWithConversation;
      expect(ready.contact.uuid).to.equal(uuid);
      expect(ready.conversationUuid).to.equal(conversationId(uuid, CHANNEL, 0));
      const other = await w.app.executor.load(conversationAggregate, conversationId(ended, CHANNEL, 0));
      expect(other.state.status, 'one of them is open').to.equal('resolved');
    });
  });

  const erasedContact = ({ given }: World) => given.contact({}, { type: 'EraseContact', reason: 'asked' });
  const withoutPhone = ({ given }: World) => given.contact({ phone: null });
  for (const [who, accepted, make] of [
    ['whose words were sealed and can not be read any more', { content: null }, undefined],
    ['of whom neither a contact nor a phone is left', { phone: null }, undefined],
    [
      'who was erased as a contact',
      { contact_uuid: exampleIds.contact, phone: '+5511987650001' },
      erasedContact,
    ],
    [
      'whose contact can not be reached any more',
      { contact_uuid: exampleIds.contact, phone: null },
      withoutPhone,
    ],
  ] as const) {
    it(`ends where it is for somebody ${who}`, async () => {
      const w = await memoryPrepared();
      await make?.(w);
      const operation = await w.given.accepted();
      const { accepted: before } = await w.state(operation);
      const seen = { accepted: { ...before!, ...accepted } } as Partial<Operation>;
      expect(await w.prepare(operation, 'channel_pace', seen)).to.deep.equal(refused('recipient_erased'));
      const { type, data, meta } = await w.last(operation);
      expect([type, meta.command_id]).to.deep.equal(['SendFailed', `${operation}/claim/fail`]);
      expect(data).to.deep.include({ code: 'recipient_erased', details: {} });
      expect(data['message']).to.match(/was erased/);
    });
  }

  describe('under an identifier of its integration', () => {
    it('gives it to the contact', async () => {
      const w = await memoryPrepared();
      const operation = await w.given.accepted({ external_id: 'customer-1' });
      const ready = (await w.prepare(operation)) as PreparedWithConversation;
      expect((await w.contact(ready.contact.uuid)).links).to.deep.equal({
        [exampleIds.integration]: 'customer-1',
      });
      const flow = await w.given.accepted({ external_id: 'customer-2', integration_uuid: null });
      const other = (await w.prepare(flow)) as PreparedWithConversation;
      expect((await w.contact(other.contact.uuid)).links).to.deep.equal({});
    });

    it('ends where somebody else has it, without a word of the identifier', async () => {
      const w = await memoryPrepared();
      const first = await w.given.accepted({ external_id: 'customer-1' });
      const { contact } = (await w.prepare(first)) as PreparedWithConversation;
      const second = await w.given.accepted({ external_id: 'customer-1' });
      expect(await w.prepare(second)).to.deep.equal(refused('external_contact_conflict'));
      const { data } = await w.last(second);
      expect(data['details']).to.deep.equal({ contact_uuid: contact.uuid });
      expect(data['message']).to.match(/already linked/);
    });

    for (const error of [new StoreUnavailable('gone'), new Refusal('concurrent_update', 'Try again.')]) {
      it(`is left to the next try where it can not be given for a moment: ${error.message}`, async () => {
        const w = await memoryPrepared();
        const contact_uuid = await w.given.contact();
        const operation = await w.given.accepted({ external_id: 'customer-1', contact_uuid });
        w.given.faults('IdentityClaimed', () => Promise.reject(error));
        expect(await w.prepare(operation).catch((reason: unknown) => reason)).to.equal(error);
        expect((await w.state(operation)).phase).to.equal('queued');
      });
    }
  });
});
