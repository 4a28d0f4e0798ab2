/** The gates of template sends as callers meet them: on the call, on the operation, and when they open again. */
import { expect } from 'chai';
import { changeMarketingSettings } from '../../application/provisioning/companies.js';
import { changeSending } from '../../application/provisioning/sending.js';
import type { Answer } from '../support/api/client.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { callsOf, DEMO_NUMBER, startProduct, type Product } from '../support/e2e/product.js';

const caller = { actor: 'test' };
const DAY = 86_400;

const offers = (first = 'Ana') => ({
  type: 'template',
  content: { name: 'weekly_offers', language: 'pt_BR', parameters: [first, '10'] },
});
const order = (id: string) => ({
  type: 'template',
  content: { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', id] },
});

describe('gates', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let product: Product;
  let companyUuid: string;
  let channelUuid: string;

  before(async () => {
    product = await startProduct({}, undefined, { clock: drivenClock() });
    companyUuid = product.running.credentials['company_uuid']!;
    channelUuid = product.running.credentials['channel_uuid']!;
  });
  after(async () => {
    await product.close();
    expect(product.errors).to.deep.equal([]);
  });

  let people = 0;
  const somebody = (): string => `+55119${String(70_000_000 + (people += 1))}`;
  const sent = async (phone: string, body: object) => {
    const operation = await product.settled(await product.accepted(phone, { body }));
    expect(operation.error).to.equal(null);
    return operation;
  };
  const refused = (answer: Answer, status: number, code: string) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.body.error!.code).to.equal(code);
    return answer.body.error!.details;
  };
  const contactOf = async (phone: string) => {
    const answer = await product.ask('GET', `/contacts?query=${encodeURIComponent(phone)}`);
    return (answer.body.data as readonly { readonly marketing_opted_out: boolean }[])[0];
  };
  const settings = (changed: Parameters<typeof changeMarketingSettings>[1]['settings']) =>
    changeMarketingSettings(product.app, { companyUuid, settings: changed }, caller);

  it('the same MARKETING template again within 24 hours is refused, whatever its parameters and the ninth digit', async () => {
    const first = await sent('+5531987650001', offers());
    for (const phone of ['+5531987650001', '+553187650001']) {
      const details = refused(
        await product.send(phone, { body: offers('Outra') }),
        422,
        'duplicate_template_send',
      );
      expect(details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
      expect(details['earlier_events']).to.have.nested.property('[0].operation_uuid', first.uuid);
    }
  });

  it('an identical UTILITY message is refused, one with other parameters is not', async () => {
    const phone = somebody();
    const first = await sent(phone, order('881'));
    const details = refused(
      await product.send(phone, { body: order('881') }),
      422,
      'duplicate_template_send',
    );
    expect(details['earlier_events']).to.have.nested.property('[0].operation_uuid', first.uuid);
    expect(details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
    await sent(phone, order('882'));
    await sent(somebody(), order('881'));
  });

  it('a send that fails gives its slot back, at once or by a later status', async () => {
    const atOnce = '+5511966131026';
    for (let times = 0; times < 2; times += 1) {
      const failed = await product.settled(await product.accepted(atOnce, { body: offers() }));
      expect(failed.error!.code).to.equal('recipient_unreachable');
    }
    const later = '+5511967131026';
    const operation = await sent(later, offers());
    await product.messageStatus(operation, 'failed');
    await sent(later, offers());
  });

  it('131049 closes marketing to the person for a day, and nothing else', async () => {
    const phone = '+5511967131049';
    const operation = await sent(phone, offers());
    await product.messageStatus(operation, 'failed');
    const details = await eventually(async () => {
      const answer = await product.send(phone, { body: offers() });
      return answer.status === 422 && refused(answer, 422, 'recipient_marketing_limit_reached');
    });
    expect(details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
    expect(details['earlier_events']).to.have.nested.property('[0].operation_uuid', operation.uuid);
    await sent(phone, order('1'));
  });

  it('whoever wrote PARAR gets no marketing, also what waits for its turn, until they come back', async () => {
    const phone = somebody();
    await sent(phone, order('1'));
    await changeSending(product.app, { channelUuid, stopped: 'marketing' }, caller);
    await firstHeld(product, () => product.accepted(somebody(), { body: offers() }));
    const reply = (text: string) => product.sandbox.reply({ phoneNumberId: DEMO_NUMBER, from: phone, text });
    const waiting = await product.accepted(phone, { body: offers() });
    reply('Parar!');
    // Not by sending: what is accepted on the way would wait beside it, and go out after the person came back.
    const wish = async (): Promise<boolean | undefined> => (await contactOf(phone))?.marketing_opted_out;
    await eventually(async () => (await wish()) === true);
    const details = refused(await product.send(phone, { body: offers() }), 422, 'recipient_opted_out');
    expect(details['opted_out_at']).to.be.a('string');
    await changeSending(product.app, { channelUuid, stopped: 'nothing' }, caller);
    const ended = await product.settled(waiting);
    expect(ended.error?.code).to.equal('recipient_opted_out');
    expect(callsOf(product.sandbox, waiting)).to.have.length(0);
    await sent(phone, order('2'));
    // WhatsApp tells no more than the second: of two wishes in the same one, that to be left alone holds.
    await product.clock!.advance(1_000);
    reply('Voltar');
    await eventually(async () => (await wish()) === false);
    expect((await product.settled(await product.accepted(phone, { body: offers() }))).error).to.equal(null);
  });

  it('131050 on the call opts the person out', async () => {
    const phone = '+5511966131050';
    const failed = await product.settled(await product.accepted(phone, { body: offers() }));
    expect(failed.error!.code).to.equal('recipient_opted_out');
    refused(await product.send(phone, { body: offers() }), 422, 'recipient_opted_out');
  });

  it('caps per person spare who has just written; the cap of the company does not', async () => {
    const phone = somebody();
    await settings({ perContactPerDay: 0 });
    refused(await product.send(phone, { body: offers() }), 422, 'template_frequency_cap_exceeded');
    product.sandbox.reply({ phoneNumberId: DEMO_NUMBER, from: phone, text: 'Oi' });
    const operation = await eventually(async () => {
      const answer = await product.send(phone, { body: offers() });
      return answer.status === 202 && (answer.body.data as { uuid: string }).uuid;
    });
    expect((await product.settled(operation)).error).to.equal(null);
    await settings({ perContactPerDay: 2, perDay: 1 });
    const details = refused(
      await product.send(somebody(), { body: offers() }),
      422,
      'company_daily_marketing_cap_exceeded',
    );
    expect(details['retry_after_seconds']).to.be.within(DAY - 120, DAY);
    await settings({ perDay: 1_000 });
    await sent(somebody(), offers());
  });

  it('marketing that nobody enabled is refused with 403, other templates are not', async () => {
    await settings({ enabled: false });
    refused(await product.send(somebody(), { body: offers() }), 403, 'marketing_sends_disabled');
    await sent(somebody(), order('3'));
    await settings({ enabled: true });
  });

  it('a retry under the same key gets its answer, although the same send again would be refused', async () => {
    const phone = somebody();
    const more = { body: offers(), idempotencyKey: 'gates-retry' };
    const first = await product.send(phone, more);
    await product.settled((first.body.data as { uuid: string }).uuid);
    const again = await product.send(phone, more);
    expect(again.status).to.equal(202);
    expect(again.body).to.deep.equal(first.body);
  });

  it('131048 pauses the marketing of the channel, and says until when', async () => {
    const failed = await product.settled(await product.accepted('+5511966131048', { body: order('4') }));
    expect(failed.error!.code).to.equal('provider_rejected');
    const details = refused(
      await product.send(somebody(), { body: offers() }),
      422,
      'channel_marketing_paused',
    );
    expect(details['retry_after_seconds']).to.be.within(3_540, 3_600);
    await sent(somebody(), order('5'));
  });

  it('a template that WhatsApp paused blocks what was accepted with it, and then is refused on the call', async () => {
    const failed = await product.settled(await product.accepted('+5511966132015', { body: order('6') }));
    expect(failed.error!.code).to.equal('template_quality_blocked');
  });
});
