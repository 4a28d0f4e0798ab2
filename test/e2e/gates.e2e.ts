/**
 * The gates of template sends from a caller's view: the refusal of the call, the operation, and when the gates open
 * again.
 */
import { expect } from 'chai';
import { outcomeOf, type Answer } from '../support/api/client.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { callsOf } from '../support/e2e/product.js';
import { offers, order } from '../support/e2e/templates.js';

const DAY = 86_400;

describe('gates', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = openedProduct(() => ({ driven: true }));

  let people = 0;
  const somebody = (): string => `+55119${String(70_000_000 + (people += 1))}`;
  const sent = async (phone: string, body: object) => {
    const operation = await product.sent(phone, { body });
    expect(operation.error).to.equal(null);
    return operation;
  };
  const failed = async (phone: string, body: object) => (await product.sent(phone, { body })).error!.code;
  const refused = (answer: Answer, status: number, code: string) => {
    expect(outcomeOf(answer), answer.text).to.deep.equal([status, code]);
    return answer.body.error!.details;
  };
  const sendRefused = async (phone: string, body: object, code: string) =>
    refused(await product.send(phone, { body }), 422, code);

  it('the same MARKETING template again within 24 hours is refused, whatever its parameters and the ninth digit', async () => {
    const first = await sent('+5531987650001', offers());
    for (const phone of ['+5531987650001', '+553187650001']) {
      const details = await sendRefused(phone, offers('Outra'), 'duplicate_template_send');
      expect(details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
      expect(details['earlier_events']).to.have.nested.property('[0].operation_uuid', first.uuid);
    }
  });

  it('an identical UTILITY message is refused, one with other parameters is not', async () => {
    const phone = somebody();
    const first = await sent(phone, order('881'));
    const details = await sendRefused(phone, order('881'), 'duplicate_template_send');
    expect(details['earlier_events']).to.have.nested.property('[0].operation_uuid', first.uuid);
    expect(details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
    await sent(phone, order('882'));
    await sent(somebody(), order('881'));
  });

  it('a send that fails gives its slot back, at once or by a later status', async () => {
    const atOnce = '+5511966131026';
    for (let times = 0; times < 2; times += 1) {
      expect(await failed(atOnce, offers())).to.equal('recipient_unreachable');
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
    await product.stopSending('marketing');
    await firstHeld(product, () => product.accepted(somebody(), { body: offers() }));
    const waiting = await product.accepted(phone, { body: offers() });
    product.reply(phone, 'Parar!');
    // Polls the contact instead of sending: a send accepted too early would wait with the other one and go out
    // afterwards.
    const wishes = (optedOut: boolean) =>
      eventually(async () => (await product.contact(phone))?.['marketing_opted_out'] === optedOut);
    await wishes(true);
    const details = await sendRefused(phone, offers(), 'recipient_opted_out');
    expect(details['opted_out_at']).to.be.a('string');
    await product.stopSending('nothing');
    const ended = await product.settled(waiting);
    expect(ended.error?.code).to.equal('recipient_opted_out');
    expect(callsOf(product.sandbox, waiting)).to.have.length(0);
    await sent(phone, order('2'));
    // WhatsApp's timestamps have a resolution of one second. Of two choices in the same second, the opt-out wins.
    await product.clock!.advance(1_000);
    product.reply(phone, 'Voltar');
    await wishes(false);
    await sent(phone, offers());
  });

  it('131050 on the call opts the person out', async () => {
    const phone = '+5511966131050';
    expect(await failed(phone, offers())).to.equal('recipient_opted_out');
    await sendRefused(phone, offers(), 'recipient_opted_out');
  });

  it('caps per person spare who has just written; the cap of the company does not', async () => {
    const phone = somebody();
    await product.marketing({ perContactPerDay: 0 });
    await sendRefused(phone, offers(), 'template_frequency_cap_exceeded');
    product.reply(phone, 'Oi');
    const operation = await eventually(async () => {
      const answer = await product.send(phone, { body: offers() });
      return answer.status === 202 && (answer.body.data as { uuid: string }).uuid;
    });
    expect((await product.settled(operation)).error).to.equal(null);
    await product.marketing({ perContactPerDay: 2, perDay: 1 });
    const details = await sendRefused(somebody(), offers(), 'company_daily_marketing_cap_exceeded');
    expect(details['retry_after_seconds']).to.be.within(DAY - 120, DAY);
    await product.marketing({ perDay: 1_000 });
    await sent(somebody(), offers());
  });

  it('marketing that nobody enabled is refused with 403, other templates are not', async () => {
    await product.marketing({ enabled: false });
    refused(await product.send(somebody(), { body: offers() }), 403, 'marketing_sends_disabled');
    await sent(somebody(), order('3'));
    await product.marketing({ enabled: true });
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
    expect(await failed('+5511966131048', order('4'))).to.equal('provider_rejected');
    const details = await sendRefused(somebody(), offers(), 'channel_marketing_paused');
    expect(details['retry_after_seconds']).to.be.within(3_540, 3_600);
    await sent(somebody(), order('5'));
  });

  it('a template that WhatsApp paused blocks what was accepted with it, and then is refused on the call', async () => {
    expect(await failed('+5511966132015', order('6'))).to.equal('template_quality_blocked');
  });
});
