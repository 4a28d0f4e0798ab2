/** Updates about a number, a whole account or its templates, and updates that cannot be applied. */
import { expect } from 'chai';
import { directCommand } from '../../../../application/app.js';
import { disconnectChannel } from '../../../../application/provisioning/channels.js';
import { templateId } from '../../../../application/templates/import.js';
import { REFRESH_QUEUE } from '../../../../application/templates/refresh.js';
import { Refusal } from '../../../../domain/kernel/refusal.js';
import { channelStream, templateStream } from '../../../../domain/streams.js';
import { templateAggregate } from '../../../../domain/template/decide.js';
import { StoreUnavailable } from '../../../../ports/event-store.js';
import { providerError } from '../../../support/fakes/provider.js';
import { openedForEach } from '../../../support/opened.js';
import { memoryNumber, NUMBER, only, typesOf, WABA } from '../memory-number.js';

const NOBODY = { park: 'no channel belongs to this WhatsApp account or number' };

describe('what WhatsApp tells of accounts', () => {
  const number = openedForEach(memoryNumber);
  const unreachable = () => ({ ok: false, error: null, reason: 'connection refused' }) as const;

  describe('about a number', () => {
    it('has WhatsApp asked for its state', async () => {
      number.provider.number.qualityRating = 'RED';
      const asked = number.provider.asked;
      const { applied, events } = await number.told({ kind: 'number' });
      expect([applied, number.provider.asked - asked]).to.deep.equal(['ok', 1]);
      const { stream, data, meta } = only(events, 'ChannelHealthReported');
      expect(stream).to.equal(channelStream.toName(number.channel));
      expect(data).to.include({ quality_rating: 'RED' });
      expect(meta).to.include({ actor: 'provider', correlation_id: 'trace of w1' });
    });

    it('asks for that number alone, and for none of another account', async () => {
      const asked = number.provider.asked;
      expect((await number.told({ kind: 'number', phone: '551140028923' })).applied).to.deep.equal(NOBODY);
      expect((await number.told({ kind: 'number', wabaId: 'another' })).applied).to.deep.equal(NOBODY);
      expect((await number.told({ kind: 'number', wabaId: null })).applied).to.deep.equal(NOBODY);
      expect(number.provider.asked).to.equal(asked);
    });

    it('is tried again while WhatsApp can not be reached', async () => {
      number.provider.port.phoneNumber = async () => unreachable();
      expect((await number.told({ kind: 'number' })).applied).to.deep.equal({
        retry: `the state of the channel ${number.channel} could not be read: provider_unavailable`,
      });
    });

    it('is parked where WhatsApp refuses to say', async () => {
      const error = providerError(190, { httpStatus: 401 });
      number.provider.port.phoneNumber = async () => ({ ok: false, error, reason: 'expired' });
      expect((await number.told({ kind: 'number' })).applied).to.deep.equal({
        park: `the state of the channel ${number.channel} could not be read: provider_rejected`,
      });
    });

    it('is no answer of WhatsApp’s where a store is away', async () => {
      const gone = new StoreUnavailable('gone');
      number.provider.port.phoneNumber = () => Promise.reject(gone);
      expect(await number.told({ kind: 'number' }).catch((error: unknown) => error)).to.equal(gone);
    });
  });

  describe('about an account', () => {
    for (const about of ['alert', 'review'] as const) {
      it(`is left to an operator as ${about}`, async () => {
        const asked = number.provider.asked;
        const { applied, events } = await number.told({ kind: 'account', about, summary: 'look at it' });
        expect([applied, events]).to.deep.equal([{ park: `WhatsApp account ${about}: look at it` }, []]);
        expect(number.provider.asked).to.equal(asked);
      });
    }

    it('is recorded of each number, which is asked for too', async () => {
      const second = await number.connect('106540352242923', WABA, number.company);
      await number.connect('106540352242924', 'another');
      const asked = number.provider.asked;
      const expiresAt = '2026-04-01T00:00:00.000Z';
      const restriction = { type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiresAt };
      const { applied, events } = await number.told({ kind: 'account', restrictions: [restriction] });
      expect([applied, number.provider.asked - asked]).to.deep.equal(['ok', 2]);
      const reported = events.filter(({ type }) => type === 'ChannelAccountReported');
      expect(
        reported.map(({ stream, meta }) => [stream, meta.command_id, meta.company]),
      ).to.have.deep.members(
        [number.channel, second].map((uuid) => [
          channelStream.toName(uuid),
          `w1/account/${uuid}`,
          number.company,
        ]),
      );
      for (const { data } of reported) {
        expect(data).to.deep.include({
          event: 'ACCOUNT_RESTRICTION',
          restrictions: [{ type: restriction.type, expires_at: expiresAt }],
          at: number.at(),
        });
      }
    });

    it('is recorded as a ban', async () => {
      const ban = { kind: 'account', event: null, banState: 'DISABLE' } as const;
      const { events } = await number.told(ban);
      expect(only(events, 'ChannelAccountReported').data).to.include({
        event: 'UNKNOWN',
        ban_state: 'DISABLE',
      });
    });

    it('has its numbers asked for, and nothing recorded, where it is about what it may do', async () => {
      const asked = number.provider.asked;
      const { applied, events } = await number.told({ kind: 'account', about: 'capability' });
      expect([applied, number.provider.asked - asked]).to.deep.equal(['ok', 1]);
      expect(typesOf(events)).not.to.include('ChannelAccountReported');
    });

    it('that nobody has is parked, and leaves out what was taken off', async () => {
      expect((await number.told({ kind: 'account', wabaId: 'another' })).applied).to.deep.equal(NOBODY);
      await disconnectChannel(number.app, { channelUuid: number.channel }, { actor: 'admin' });
      await number.show('channels');
      expect((await number.told({ kind: 'account' })).applied).to.deep.equal(NOBODY);
    });
  });

  describe('about a template', () => {
    async function imported(company = number.company): Promise<string> {
      const id = templateId(company, WABA, 'pedido_saiu', 'pt_BR');
      const definition = {
        providerTemplateId: '1',
        status: 'APPROVED',
        category: 'UTILITY',
        parameterFormat: 'POSITIONAL' as const,
        components: [{ type: 'BODY', text: 'Seu pedido saiu.' }],
      };
      await number.app.executor.execute(
        templateAggregate,
        id,
        {
          type: 'ImportTemplate',
          companyUuid: company,
          channelUuid: number.channel,
          wabaId: WABA,
          name: 'pedido_saiu',
          language: 'pt_BR',
          definition,
        },
        directCommand(number.app, { company, actor: 'test' }),
      );
      return id;
    }
    const ordered = () => number.dueTimes.rows(REFRESH_QUEUE).map(({ payload }) => payload);

    it('counts at once, and has the template fetched', async () => {
      const id = await imported();
      const { applied, events } = await number.told({ kind: 'template', event: 'REJECTED', reason: 'ABUSE' });
      expect(applied).to.equal('ok');
      expect(events).to.have.length(1);
      const { type, stream, data, meta } = events[0]!;
      expect([type, stream]).to.deep.equal(['TemplateChanged', templateStream.toName(id)]);
      expect(data).to.include({ status: 'REJECTED', rejected_reason: 'ABUSE', category: 'UTILITY' });
      expect(meta).to.include({ company: number.company, command_id: `w1/template/${number.company}` });
      expect(ordered()).to.deep.equal([{ company_uuid: number.company, waba_id: WABA, name: 'pedido_saiu' }]);
    });

    it('keeps the reason of a rejection only', async () => {
      await imported();
      const { events } = await number.told({ kind: 'template', event: 'PAUSED', reason: 'NONE' });
      expect(events[0]!.data).to.include({ status: 'PAUSED', rejected_reason: null });
    });

    it('changes nothing but the quality where it is about that', async () => {
      await imported();
      const { events } = await number.told({ kind: 'template', quality: 'RED' });
      expect(events.map(({ type, data }) => [type, data])).to.deep.equal([
        ['TemplateQualityReported', { quality: 'RED' }],
      ]);
    });

    it('moves it to another category now, or says that it will be moved', async () => {
      await imported();
      const later = { now: 'UTILITY', correct: 'MARKETING' };
      const announced = await number.told({ kind: 'template', category: later });
      expect(announced.events.map(({ type, data }) => [type, data])).to.deep.equal([
        ['TemplateCategoryAnnounced', { category: 'MARKETING', provider_category: 'MARKETING' }],
      ]);
      const moved = await number.told({ kind: 'template', category: { now: 'MARKETING', correct: null } });
      expect(typesOf(moved.events)).to.deep.equal(['TemplateChanged']);
      expect(moved.events[0]!.data).to.include({ category: 'MARKETING', status: 'APPROVED' });
    });

    it('is for each company that has numbers in the account, once', async () => {
      await number.connect('106540352242923', WABA, number.company);
      await number.connect('106540352242924', WABA);
      await imported();
      await number.told({ kind: 'template', event: 'PAUSED' });
      const companies = ordered().map(({ company_uuid }) => company_uuid);
      expect(companies).to.have.length(2);
      expect(companies).to.include(number.company);
      expect(new Set(companies).size).to.equal(2);
    });

    it('of an account that nobody has is parked', async () => {
      const park = 'no channel belongs to this WhatsApp account';
      for (const wabaId of ['another', null]) {
        expect((await number.told({ kind: 'template', wabaId })).applied).to.deep.equal({ park });
      }
      expect(ordered()).to.deep.equal([]);
    });
  });

  describe('an update', () => {
    it('that was not understood is parked with the reason', async () => {
      const { applied } = await number.told({ kind: 'other', field: 'flows', reason: 'no such field' });
      expect(applied).to.deep.equal({ park: 'no such field' });
    });

    it('of a number that nobody has is parked', async () => {
      const { applied } = await number.told({ kind: 'message', phoneNumberId: '1' });
      expect(applied).to.deep.equal({ park: 'no channel has the phone number id 1' });
    });

    it('belongs to the number that is connected, else to the one that was last', async () => {
      await disconnectChannel(number.app, { channelUuid: number.channel }, { actor: 'admin' });
      await number.show('channels');
      const former = await number.told({ kind: 'message' });
      expect(only(former.events, 'MessageReceived').data).to.include({ channel_uuid: number.channel });
      const now = await number.connect(NUMBER, WABA);
      const { events } = await number.told({ kind: 'message', messageId: 'wamid.2' });
      expect(only(events, 'MessageReceived').data).to.include({ channel_uuid: now });
    });

    it('that does not fit what is kept is parked', async () => {
      const { applied } = await number.told({ kind: 'message', type: 7 });
      expect(applied)
        .to.have.property('park')
        .that.matches(/^it does not fit what is kept: /);
    });

    const refusedWith = async (code: string): Promise<unknown> => {
      number.app.store.append = () => Promise.reject(new Refusal(code as 'not_found', 'not now'));
      return (await number.told({ kind: 'message' })).applied;
    };
    for (const code of ['concurrent_update', 'provider_unavailable', 'contact_merged']) {
      it(`that is refused with ${code} is tried again`, async () => {
        expect(await refusedWith(code)).to.deep.equal({ retry: 'not now' });
      });
    }

    it('that is refused otherwise is parked', async () => {
      expect(await refusedWith('not_found')).to.deep.equal({ park: 'not now' });
    });

    it('is the caller’s to try again where something else fails', async () => {
      const gone = new StoreUnavailable('gone');
      number.app.store.append = () => Promise.reject(gone);
      expect(await number.told({ kind: 'message' }).catch((error: unknown) => error)).to.equal(gone);
    });
  });
});
