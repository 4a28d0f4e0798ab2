/**
 * WhatsApp's answer reaches the operation, its message, its person and its channel, also while a store is unavailable.
 */
import { expect } from 'chai';
import { recipientLedger } from '../../../application/send/quotas.js';
import { exampleIds } from '../../support/examples/example.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { channelControlsAggregate } from '../../../domain/channel-controls/decide.js';
import type { SendOutcome } from '../../../ports/provider.js';
import { recordOutcome } from '../../../workers/sending/record.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { RECONCILE_MS, WINDOW_MS } from './memory-sends.js';
import { memoryRecorded } from './memory-recorded.js';

const MARKETING: Partial<SendAsAccepted> = {
  message_type: 'template',
  content: { name: 'promo', language: 'pt_BR' },
  template_uuid: exampleIds.template,
  template_category: 'MARKETING',
};

describe('an answer of WhatsApp', () => {
  it('that it took the message ends the operation, and the message has its id', async () => {
    for (const held of [false, true]) {
      const w = await memoryRecorded();
      const step = await w.record({ ...accepted('wamid.7'), held } as SendOutcome);
      expect(step).to.deep.include({ kind: 'done' });
      expect((step as { judged: { outcome: object } }).judged.outcome).to.include({ kind: 'accepted' });
      const { type, data, meta } = await w.last(w.operation);
      expect([type, meta.command_id]).to.deep.equal(['SendSucceeded', 'claim/outcome']);
      expect(data).to.include({ provider_message_id: 'wamid.7', status: held ? 'queued' : 'sent' });
      const said = await w.said(w.operation);
      expect([said.type, said.data]).to.deep.equal([
        'MessageAccepted',
        { provider_message_id: 'wamid.7', held },
      ]);
    }
  });

  it('that it refused ends the operation, and the message has the provider’s reason', async () => {
    const w = await memoryRecorded();
    const step = await w.record(rejected(131_026, { title: 'Undeliverable', details: 'not on WhatsApp' }));
    expect(step.kind).to.equal('done');
    expect(await w.state(w.operation)).to.include({ phase: 'failed', failureCode: 'recipient_unreachable' });
    const said = await w.said(w.operation);
    expect([said.type, said.meta.command_id]).to.deep.equal(['MessageRefused', 'claim/outcome/message']);
    expect(said.data).to.deep.equal({
      code: 'recipient_unreachable',
      message: 'WhatsApp can not deliver to this recipient.',
      provider_error: { code: 131_026, title: 'Undeliverable', details: 'not on WhatsApp' },
    });
    expect((await w.contact()).optedOut).to.equal(false);
  });

  it('that it is to be tried later brings the operation back then, and says nothing of the message', async () => {
    const w = await memoryRecorded();
    const step = await w.record(rejected(131_000, { retryAfterSeconds: 20 }));
    expect(step).to.deep.include({ kind: 'again', at: w.clock.now() + 20_000 });
    expect((step as { judged: object }).judged).to.have.property('hold');
    expect((await w.said(w.operation)).type).to.equal('MessageQueued');
  });

  it('that it is to be tried after the window ends operation and message', async () => {
    const w = await memoryRecorded();
    const step = await w.record(rejected(131_000, { retryAfterSeconds: WINDOW_MS / 1000 + 1 }));
    expect(step.kind).to.equal('done');
    expect((step as { judged: { outcome: object } }).judged.outcome).to.include({ kind: 'postponed' });
    expect(await w.state(w.operation)).to.include({ failureCode: 'send_pacing_timeout' });
    const said = await w.said(w.operation);
    expect([said.type, said.data['code']]).to.deep.equal(['MessageRefused', 'send_pacing_timeout']);
  });

  it('that was lost waits for a status', async () => {
    const w = await memoryRecorded();
    const step = await w.record({ kind: 'unknown', reason: 'cut' });
    expect(step).to.deep.equal({ kind: 'reconcile', until: w.clock.now() + RECONCILE_MS });
    expect((await w.said(w.operation)).type).to.equal('MessageQueued');
  });

  describe('names the WhatsApp id of the person', () => {
    for (const [what, learned, waId, known] of [
      ['which is the phone’s own, and not kept', [], '5511987650001', undefined],
      ['which is another one, and kept', [], '551187650001', '551187650001'],
      ['which is known already', ['551187650001'], '551187650001', '551187650001'],
      ['which is another one than before', ['551187650001'], '5511987650001', '5511987650001'],
      ['not, and nothing changes', ['551187650001'], null, '551187650001'],
    ] as const) {
      it(what, async () => {
        const w = await memoryRecorded({}, ...learned);
        await w.record({ ...accepted(), waId } as SendOutcome);
        expect((await w.contact()).waIds[exampleIds.channel]).to.equal(known);
        const events = w.types().filter((type) => type === 'ContactWaIdLearned');
        expect(events).to.have.length(learned.length + Number(known !== undefined && known !== learned[0]));
      });
    }

    it('not where it refused the message', async () => {
      const w = await memoryRecorded({}, '551187650001');
      expect((await w.record(rejected(131_026))).kind).to.equal('done');
      expect((await w.contact()).waIds[exampleIds.channel]).to.equal('551187650001');
    });

    it('who has no phone', async () => {
      const w = await memoryRecorded();
      const uuid = await w.given.contact({ uuid: exampleIds.otherContact, phone: null, waUserId: 'BR.1' });
      const contact = await w.contact(uuid);
      await recordOutcome(w.app, {
        operationUuid: w.operation,
        messageUuid: outboundMessageId(w.operation),
        accepted: (await w.state(w.operation)).accepted!,
        attempt: 1,
        channel: { uuid: exampleIds.channel } as never,
        contact: { uuid, subject: contact.subject, contact },
        outcome: { ...accepted(), waId: '551187650001' } as SendOutcome,
        context: w.contextOf(null, 'claim'),
        ending: () => false,
      });
      expect((await w.contact(uuid)).waIds).to.deep.equal({ [exampleIds.channel]: '551187650001' });
      const learned = w.store.records.find(({ type }) => type === 'ContactWaIdLearned')!;
      expect(learned.meta.command_id).to.equal('claim/outcome/wa-id');
    });
  });

  describe('says something of others', () => {
    it('of a person who stopped marketing: they are opted out, before the operation has ended', async () => {
      const w = await memoryRecorded();
      await w.record(rejected(131_050));
      const optedOut = w.store.records.find(({ type }) => type === 'ContactOptedOut')!;
      expect(optedOut.data).to.include({
        source: 'provider_131050',
        at: new Date(w.clock.now()).toISOString(),
        message_uuid: outboundMessageId(w.operation),
      });
      expect(optedOut.meta.command_id).to.match(/^claim\/outcome\/opt-out/);
      expect(w.types().indexOf('ContactOptedOut')).to.be.below(w.types().indexOf('SendFailed'));
      expect((await w.app.executor.load(channelControlsAggregate, exampleIds.channel)).state.pause).to.equal(
        null,
      );
    });

    it('of the number, where too many complain: its marketing pauses for an hour', async () => {
      const w = await memoryRecorded();
      await w.record(rejected(131_048));
      const { state } = await w.app.executor.load(channelControlsAggregate, exampleIds.channel);
      expect(state.pause).to.deep.equal({
        code: 131_048,
        operationUuid: w.operation,
        until: new Date(w.clock.now() + 3_600_000).toISOString(),
      });
      const paused = w.store.records.find(({ type }) => type === 'MarketingPausedByProvider')!;
      expect(paused.meta.command_id).to.equal('claim/outcome/pause');
      expect((await w.contact()).optedOut).to.equal(false);
    });

    it('of a person who has had enough marketing for a day, and no other code says so', async () => {
      const limited = async (code: number) => {
        const w = await memoryRecorded(MARKETING);
        await w.record(rejected(code));
        const ledger = recipientLedger((await w.contact()).subject);
        const { limited: limit } = (await w.app.executor.load(quotaAggregate, ledger)).state;
        return limit === null ? null : limit.at - w.clock.now();
      };
      expect(await limited(131_049)).to.equal(0);
      expect(await limited(131_026)).to.equal(null);
      expect(await limited(131_064), 'the account is blocked for a day').to.equal(null);
    });

    it('only of the account: its channel does not pause', async () => {
      const w = await memoryRecorded();
      await w.record(rejected(131_064));
      expect((await w.app.executor.load(channelControlsAggregate, exampleIds.channel)).state.pause).to.equal(
        null,
      );
    });
  });

  it('that it refused gives back the slot that was taken, and not one that is to be tried later', async () => {
    const slots = async (outcome: SendOutcome): Promise<number> => {
      const w = await memoryRecorded({ ...MARKETING, template_category: 'UTILITY' });
      await w.takeSlot(w.operation);
      await w.record(outcome);
      return (await w.slotsOf(w.operation)).length;
    };
    expect(await slots(rejected(131_026))).to.equal(0);
    expect(await slots(rejected(131_000))).to.equal(1);
  });
});
