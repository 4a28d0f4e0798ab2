/**
 * The codes of the send gates appear on the call and on the polled operation alike (spec §7): a send that passed the
 * gate, waited, and finds it closed when its turn comes.
 */
import { expect } from 'chai';
import { DEMO_WABA_ID } from '../../adapters/whatsapp/sandbox/seeds.js';
import { signWebhook } from '../../adapters/whatsapp/webhook-signature.js';
import { changeMarketingSettings } from '../../application/provisioning/companies.js';
import { changeSending } from '../../application/provisioning/sending.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { eventually } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { APP_SECRET, callsOf, DEMO_NUMBER, startProduct, type Product } from '../support/e2e/product.js';

const by = { actor: 'test' };
const DAY = 86_400;
const offers = {
  type: 'template',
  content: { name: 'weekly_offers', language: 'pt_BR', parameters: ['Ana', '10'] },
};

describe('gates by the specification: the same code on the call and on the operation', function () {
  this.timeout(120_000);
  let product: Product;
  let people = 0;

  before(async () => {
    product = await startProduct({}, undefined, { clock: drivenClock() });
  });
  after(async () => {
    await product.close();
    expect(product.errors).to.deep.equal([]);
  });

  const somebody = (): string => `+55219${String(71_000_000 + (people += 1))}`;
  const credential = (name: string): string => product.running.credentials[name]!;
  const settings = (changed: Parameters<typeof changeMarketingSettings>[1]['settings']) =>
    changeMarketingSettings(product.app, { companyUuid: credential('company_uuid'), settings: changed }, by);
  const stop = (stopped: 'marketing' | 'nothing') =>
    changeSending(product.app, { channelUuid: credential('channel_uuid'), stopped }, by);

  /** A marketing send that was accepted and waits. */
  async function waiting(phone: string): Promise<string> {
    await stop('marketing');
    await firstHeld(product, () => product.accepted(somebody(), { body: offers }));
    return product.accepted(phone, { body: offers });
  }

  const closings: readonly {
    readonly code: string;
    readonly status: number;
    readonly retryAfter: readonly [number, number] | null;
    readonly close: (phone: string) => Promise<unknown>;
    readonly open: (phone: string) => Promise<unknown>;
  }[] = [
    {
      code: 'marketing_sends_disabled',
      status: 403,
      retryAfter: null,
      close: () => settings({ enabled: false }),
      open: () => settings({ enabled: true }),
    },
    {
      code: 'template_frequency_cap_exceeded',
      status: 422,
      retryAfter: null,
      close: () => settings({ perContactPerDay: 0 }),
      open: () => settings({ perContactPerDay: 2 }),
    },
    {
      code: 'company_daily_marketing_cap_exceeded',
      status: 422,
      retryAfter: null,
      close: () => settings({ perDay: 0 }),
      open: () => settings({ perDay: 1_000 }),
    },
    {
      code: 'recipient_opted_out',
      status: 422,
      retryAfter: null,
      close: async (from) => product.sandbox.reply({ phoneNumberId: DEMO_NUMBER, from, text: 'STOP' }),
      open: async (from) => product.sandbox.reply({ phoneNumberId: DEMO_NUMBER, from, text: 'START' }),
    },
    {
      code: 'channel_marketing_paused',
      status: 422,
      retryAfter: [3_500, 3_600],
      // WhatsApp answers 131048: too much of what this number sent was reported or blocked.
      close: async () => product.settled(await product.accepted('+5511966131048')),
      open: () => Promise.resolve(),
    },
  ];

  it('recipient_marketing_limit_reached: 422 on the call, error.code on the operation, each with its wait', async () => {
    // Its messages are taken, and no status comes but the one told below.
    const phone = '+5511969013049';
    const first = await product.settled(await product.accepted(phone, { body: offers }));
    expect(first.status).to.equal('succeeded');
    await waiting(somebody());
    const other = {
      type: 'template',
      content: {
        name: 'new_collection',
        parameters: ['Ana'],
        header: { link: 'https://example.com/verao.jpg' },
        buttons: [{ index: 0, value: 'verao' }],
      },
    };
    const operation = await product.accepted(phone, { body: other });
    const [message] = await product.messages(first.result!.conversation_uuid);
    const status = {
      id: message!.provider_message_id,
      status: 'failed',
      timestamp: String(Math.floor(product.clock!.now() / 1000)),
      recipient_id: phone.slice(1),
      errors: [{ code: 131049, title: 'Not delivered to maintain healthy ecosystem engagement' }],
    };
    const value = {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: DEMO_NUMBER },
      statuses: [status],
    };
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: DEMO_WABA_ID, changes: [{ field: 'messages', value }] }],
    });
    const told = await fetch(`${product.running.url}/providers/whatsapp/webhooks`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': signWebhook(Buffer.from(body), APP_SECRET) },
      body,
    });
    expect(told.status).to.equal(200);
    const refused = await eventually(async () => {
      const answer = await product.send(phone, { body: offers });
      return answer.body.error?.code === 'recipient_marketing_limit_reached' && answer;
    });
    expect(refused.status).to.equal(422);
    await stop('nothing');
    const ended = await product.settled(operation);
    expect(ended.error?.code).to.equal('recipient_marketing_limit_reached');
    for (const details of [refused.body.error!.details, ended.error!.details]) {
      expect(details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
    }
    expect(callsOf(product.sandbox, operation)).to.deep.equal([]);
  });

  for (const { code, status, retryAfter, close, open } of closings) {
    it(`${code}: ${status} on the call, error.code on the operation`, async () => {
      const phone = somebody();
      const operation = await waiting(phone);
      await close(phone);
      const refused = await eventually(async () => {
        const answer = await product.send(somebody(), { body: offers });
        const own = code === 'recipient_opted_out' ? await product.send(phone, { body: offers }) : answer;
        return own.body.error?.code === code && own;
      });
      expect(refused.status).to.equal(status);
      expect(refused.headers).to.not.have.property('location');
      await stop('nothing');
      const ended = await product.settled(operation);
      expect(ended).to.include({ status: 'failed', result: null });
      expect(ended.error?.code).to.equal(code);
      expect(ended.error?.message).to.be.a('string').that.matches(/\.$/);
      expect(callsOf(product.sandbox, operation), 'nothing was sent').to.deep.equal([]);
      if (retryAfter !== null) {
        for (const details of [refused.body.error!.details, ended.error!.details]) {
          expect(details['retry_after_seconds']).to.be.within(...retryAfter);
        }
      }
      await open(phone);
    });
  }

  it('duplicate_template_send says when it opens again, in seconds of the 24 hours', async () => {
    const utility = {
      type: 'template',
      content: { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', '1'] },
    };
    const phone = somebody();
    const first = await product.settled(await product.accepted(phone, { body: utility }));
    expect(first.status).to.equal('succeeded');
    const again = await product.send(phone, { body: utility });
    expect([again.status, again.body.error?.code]).to.deep.equal([422, 'duplicate_template_send']);
    const seconds = again.body.error!.details['retry_after_seconds'];
    expect(seconds)
      .to.be.within(DAY - 60, DAY)
      .and.to.satisfy(Number.isInteger);
    // Neither a text nor the same template with another parameter is a duplicate.
    expect((await product.send(phone)).status).to.equal(202);
    expect((await product.send(phone)).status).to.equal(202);
  });
});
