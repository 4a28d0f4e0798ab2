/**
 * The codes of the send gates are the same on the call and on the polled operation (spec §7). The operation is a send
 * that passed the gate, waited, and finds it closed at dispatch.
 */
import { expect } from 'chai';
import { outcomeOf } from '../support/api/client.js';
import { eventually } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { callsOf } from '../support/e2e/product.js';
import { collection, offers, order } from '../support/e2e/templates.js';
import { tell } from '../support/e2e/whatsapp.js';

const DAY = 86_400;

describe('gates by the specification: the same code on the call and on the operation', () => {
  let people = 0;

  const product = openedProduct(() => ({ driven: true }));
  const somebody = (): string => `+55219${String(71_000_000 + (people += 1))}`;

  /** A marketing send that was accepted and waits. */
  async function waiting(phone: string): Promise<string> {
    await product.stopSending('marketing');
    await firstHeld(product, () => product.accepted(somebody(), { body: offers() }));
    return product.accepted(phone, { body: offers() });
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
      close: () => product.marketing({ enabled: false }),
      open: () => product.marketing({ enabled: true }),
    },
    {
      code: 'template_frequency_cap_exceeded',
      status: 422,
      retryAfter: null,
      close: () => product.marketing({ perContactPerDay: 0 }),
      open: () => product.marketing({ perContactPerDay: 2 }),
    },
    {
      code: 'company_daily_marketing_cap_exceeded',
      status: 422,
      retryAfter: null,
      close: () => product.marketing({ perDay: 0 }),
      open: () => product.marketing({ perDay: 1_000 }),
    },
    {
      code: 'recipient_opted_out',
      status: 422,
      retryAfter: null,
      close: async (from) => product.reply(from, 'STOP'),
      open: async (from) => product.reply(from, 'START'),
    },
    {
      code: 'channel_marketing_paused',
      status: 422,
      retryAfter: [3_500, 3_600],
      // WhatsApp answers 131048: too much of what this number sent was reported or blocked.
      close: () => product.sent('+5511966131048'),
      open: () => Promise.resolve(),
    },
  ];

  it('recipient_marketing_limit_reached: 422 on the call, error.code on the operation, each with its wait', async () => {
    // Messages to this number are accepted, and receive no status but the one that the test sends below.
    const phone = '+5511969013049';
    const first = await product.sent(phone, { body: offers() });
    expect(first.status).to.equal('succeeded');
    await waiting(somebody());
    const operation = await product.accepted(phone, { body: collection });
    const [message] = await product.messages(first.result!.conversation_uuid);
    const status = {
      id: message!.provider_message_id,
      status: 'failed',
      timestamp: String(Math.floor(product.clock!.now() / 1000)),
      recipient_id: phone.slice(1),
      errors: [{ code: 131049, title: 'Not delivered to maintain healthy ecosystem engagement' }],
    };
    await tell(product, 'messages', { statuses: [status] });
    const refused = await eventually(async () => {
      const answer = await product.send(phone, { body: offers() });
      return answer.body.error?.code === 'recipient_marketing_limit_reached' && answer;
    });
    expect(refused.status).to.equal(422);
    await product.stopSending('nothing');
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
        const answer = await product.send(somebody(), { body: offers() });
        const own = code === 'recipient_opted_out' ? await product.send(phone, { body: offers() }) : answer;
        return own.body.error?.code === code && own;
      });
      expect(refused.status).to.equal(status);
      expect(refused.headers).to.not.have.property('location');
      await product.stopSending('nothing');
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
    const phone = somebody();
    const first = await product.sent(phone, { body: order('1') });
    expect(first.status).to.equal('succeeded');
    const again = await product.send(phone, { body: order('1') });
    expect(outcomeOf(again)).to.deep.equal([422, 'duplicate_template_send']);
    const seconds = again.body.error!.details['retry_after_seconds'];
    expect(seconds)
      .to.be.within(DAY - 60, DAY)
      .and.to.satisfy(Number.isInteger);
    // Neither a text nor the same template with another parameter is a duplicate.
    expect((await product.send(phone)).status).to.equal(202);
    expect((await product.send(phone)).status).to.equal(202);
  });
});
