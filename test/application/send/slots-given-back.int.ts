/** A send that failed for certain leaves no slot behind; one that may have been delivered keeps its slot. */
import { expect } from 'chai';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { companyLedger, dayOf, recipientLedger, templateKey } from '../../../application/send/quotas.js';
import { noteFailedDelivery } from '../../../application/send/release.js';
import { reclaim, takeCompanySlot, takeRecipientSlot } from '../../../application/send/slots.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { messageAggregate, outboundMessageId } from '../../../domain/message/decide.js';
import { operationAggregate, type OperationCommand } from '../../../domain/operation/decide.js';
import { companyRules, DEFAULT_MARKETING } from '../../../domain/policies/gates.js';
import { makeApi } from '../../support/api/make-api.js';
import { HOUR, makeSendWorld } from '../../support/sends/send-world.js';
import { refusalOf } from '../provisioning/workspace.js';
import { opened, openedForEach } from '../../support/opened.js';
import { rejected } from '../../support/fakes/provider.js';

const UNREACHABLE = 131026;

describe('slots of sends that came to nothing', () => {
  const api = opened(makeApi);
  const w = openedForEach(() => makeSendWorld(api));

  const command = (uuid: string, of: OperationCommand) =>
    w.app.executor.execute(operationAggregate, uuid, of, w.context());
  /** Takes the slot as the dispatcher does, without the send that would follow. */
  async function takeSlot(phone: string, uuid: string, template: string): Promise<void> {
    const what = templateKey(w.world.company, template);
    const who = await w.resolve(phone);
    await takeRecipientSlot(w.app, who, { operationUuid: uuid, what, counted: true }, [], w.context());
  }
  /** A send that failed for certain, and whose process died before it returned the slot. */
  async function failedWithItsSlot(phone: string, template: string): Promise<string> {
    const uuid = await w.accept(phone, template);
    await takeSlot(phone, uuid, template);
    await command(uuid, { type: 'FailSend', code: 'channel_not_connected', message: 'Gone.', details: {} });
    return uuid;
  }
  /** WhatsApp reports that a message which it had accepted was not delivered. */
  async function reportFailed(uuid: string): Promise<void> {
    const at = new Date(w.time.now).toISOString();
    const errors = [{ code: UNREACHABLE, title: 'Undeliverable', details: null }];
    const messageUuid = outboundMessageId(uuid);
    const data = { status: 'failed', at, provider_message_id: 'wamid.1', errors, pricing: null } as const;
    await w.app.executor.execute(messageAggregate, messageUuid, { type: 'ReportStatus', data }, w.context());
  }
  const noteFailed = (uuid: string): Promise<void> =>
    noteFailedDelivery(
      w.app,
      {
        operationUuid: uuid,
        messageUuid: outboundMessageId(uuid),
        errors: [],
        at: new Date(w.time.now).toISOString(),
      },
      w.context(),
    );
  const held = async (ledger: string): Promise<readonly string[]> => {
    const { state } = await w.app.executor.load(quotaAggregate, ledger);
    return state.slots.map(({ operationUuid }) => operationUuid);
  };
  /**
   * The company's slots, today's and tomorrow's. A next send that succeeds would not prove that a slot was returned: a
   * full quota reclaims the slots of failed sends by itself.
   */
  const heldByCompany = async (): Promise<readonly string[]> => {
    const today = dayOf(w.time.now);
    const days = [today, today + 1].map((day) => held(companyLedger(w.world.company, day)));
    return (await Promise.all(days)).flat();
  };
  const outcomeOfNew = async (phone: string, template: string): Promise<string> =>
    w.outcome(await w.send(phone, template));

  it('one whose fate is unknown keeps its slot: it may have been delivered', async () => {
    const phone = w.somebody();
    w.provider.answer = () => ({ kind: 'unknown', reason: 'the connection was cut' });
    const lost = await w.send(phone, 'promo_1');
    await command(lost, { type: 'GiveUpReconciling', attempt: 1 });
    expect(await w.outcome(lost)).to.equal('send_outcome_unknown');
    const answer = await refusalOf(w.accept(phone, 'promo_1'));
    expect(answer.code).to.equal('duplicate_template_send');
    // At dispatch too, where slots of failed sends are reclaimed, this one is kept.
    const { subject } = await w.resolve(phone);
    const ledger = recipientLedger(subject);
    const { state } = await w.app.executor.load(quotaAggregate, ledger);
    expect(await reclaim(w.app, ledger, state, w.context())).to.equal(false);
    const what = templateKey(w.world.company, 'promo_1');
    const request = { operationUuid: w.app.newId(), what, counted: true };
    const rules = [{ code: 'duplicate_template_send', windowMs: 24 * HOUR, most: 1, of: 'same' }] as const;
    const again = takeRecipientSlot(w.app, await w.resolve(phone), request, rules, w.context());
    expect((await refusalOf(again)).code).to.equal('duplicate_template_send');
  });

  it('one that failed before it could give its slot back stands in nobody’s way on the call', async () => {
    const phone = w.somebody();
    await failedWithItsSlot(phone, 'promo_1');
    expect(await outcomeOfNew(phone, 'promo_1')).to.equal('succeeded');
  });

  it('one that failed before it could give its slot back does so when its row is claimed again', async () => {
    const phone = w.somebody();
    const failed = await failedWithItsSlot(phone, 'promo_1');
    await w.attempt(failed, { fence: 2 });
    const { subject } = await w.resolve(phone);
    expect(await held(recipientLedger(subject))).to.deep.equal([]);
  });

  it('one that failed does not hide others that stand in the way', async () => {
    const phone = w.somebody();
    await w.send(phone, 'promo_2');
    await w.send(phone, 'promo_3');
    await w.settings({ perContactPerDay: 3 });
    await failedWithItsSlot(phone, 'promo_1');
    await w.settings({ perContactPerDay: 2 });
    const answer = await refusalOf(w.accept(phone, 'promo_4'));
    expect(answer.code).to.equal('template_frequency_cap_exceeded');
    expect(answer.details['earlier_events']).to.have.length(2);
  });

  it('one that WhatsApp reports as failed later stands in nobody’s way, at once on the call', async () => {
    const phone = w.somebody();
    const failed = await w.send(phone, 'promo_1');
    await reportFailed(failed);
    await w.accept(phone, 'promo_1');
  });

  for (const template of ['promo_1', 'order']) {
    it(`one that WhatsApp reports as failed later gives its slots back: ${template}`, async () => {
      const phone = w.somebody();
      await w.settings({ perDay: 1 });
      const failed = await w.send(phone, template);
      await reportFailed(failed);
      await noteFailed(failed);
      expect(await outcomeOfNew(phone, template)).to.equal('succeeded');
    });
  }

  it('one that was delivered keeps its slot, whatever else is reported', async () => {
    const phone = w.somebody();
    const delivered = await w.send(phone, 'promo_1');
    await noteFailed(delivered);
    expect((await refusalOf(w.accept(phone, 'promo_1'))).code).to.equal('duplicate_template_send');
  });

  it('the slot comes back also after its person was merged into another contact', async () => {
    const [older, newer] = [w.somebody(), w.somebody()];
    const one = await w.resolve(older);
    w.time.now += 1_000;
    const failed = await w.send(newer, 'promo_1');
    const two = await w.resolve(newer);
    await mergeContacts(w.app, w.world.company, [one.uuid, two.uuid], 'manual', w.context());
    expect((await refusalOf(w.accept(older, 'promo_1'))).code).to.equal('duplicate_template_send');
    expect(await held(recipientLedger(two.subject))).to.deep.equal([failed]);
    await reportFailed(failed);
    await noteFailed(failed);
    expect(await held(recipientLedger(two.subject))).to.deep.equal([]);
    expect(await outcomeOfNew(older, 'promo_1')).to.equal('succeeded');
  });

  it('the slot of the company comes back when the window of the send ends on the next day', async () => {
    await w.settings({ perDay: 1 });
    w.time.now = Date.parse('2026-03-10T23:50:00.000Z');
    const answer = w.provider.answer;
    w.provider.answer = () => rejected(UNREACHABLE);
    expect(await outcomeOfNew(w.somebody(), 'promo_1')).to.equal('recipient_unreachable');
    expect(await heldByCompany()).to.deep.equal([]);
    w.provider.answer = answer;
    expect(await outcomeOfNew(w.somebody(), 'promo_1')).to.equal('succeeded');
  });

  it('the slot of the company comes back from tomorrow, which a clock that is ahead has begun', async () => {
    await w.settings({ perDay: 2 });
    w.time.now = Date.parse('2026-03-11T00:00:01.000Z');
    const first = await w.send(w.somebody(), 'promo_1');
    w.time.now = Date.parse('2026-03-10T23:30:00.000Z');
    const answer = w.provider.answer;
    w.provider.answer = () => rejected(UNREACHABLE);
    expect(await outcomeOfNew(w.somebody(), 'promo_1')).to.equal('recipient_unreachable');
    expect(await heldByCompany()).to.deep.equal([first]);
    w.provider.answer = answer;
    expect(await outcomeOfNew(w.somebody(), 'promo_1')).to.equal('succeeded');
  });

  it('a full company takes back what failed sends still hold, at most once a minute', async () => {
    const rules = companyRules({ ...DEFAULT_MARKETING, enabled: true, perDay: 1 });
    const take = (uuid: string): Promise<void> =>
      takeCompanySlot(
        w.app,
        w.world.company,
        { operationUuid: uuid, what: 'x', counted: true },
        rules,
        w.context(),
      );
    const fail = async (uuid: string): Promise<void> => {
      await command(uuid, { type: 'FailSend', code: 'channel_not_connected', message: 'Gone.', details: {} });
    };
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => w.accept(w.somebody(), null)));
    await take(first!);
    await fail(first!);
    await take(second!);
    await fail(second!);
    expect((await refusalOf(take(third!))).code).to.equal('company_daily_marketing_cap_exceeded');
    w.time.now += 60_000;
    await take(third!);
    expect(await heldByCompany()).to.deep.equal([third]);
  });
});
