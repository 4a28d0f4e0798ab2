/** Who does not want marketing, told by WhatsApp's own control and by an operator: one walk from the provider's door to what callers see. */
import { expect } from 'chai';
import { signWebhook } from '../../adapters/whatsapp/webhook-signature.js';
import { changeSending } from '../../application/provisioning/sending.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { APP_SECRET, callsOf, DEMO_NUMBER, startProduct, type Product } from '../support/e2e/product.js';

const caller = { actor: 'test' };
const offers = {
  type: 'template',
  content: { name: 'weekly_offers', language: 'pt_BR', parameters: ['Ana', '10'] },
};
interface Shown {
  readonly uuid: string;
  readonly marketing_opted_out: boolean;
  readonly marketing_opt_out_at: string | null;
}

describe('opting out of marketing', function () {
  this.timeout(2 * TEST_TIMEOUT_MS);
  let product: Product;
  let channelUuid: string;

  before(async () => {
    product = await startProduct({}, undefined, { clock: drivenClock() });
    channelUuid = product.running.credentials['channel_uuid']!;
  });
  after(async () => {
    await product.close();
    expect(product.errors).to.deep.equal([]);
  });

  /** Meta's `user_preferences`, signed, to the provider's door. */
  async function tell(phone: string, value: 'stop' | 'resume', at: number): Promise<void> {
    const wa_id = phone.slice(1);
    const preference = {
      wa_id,
      detail: `User requested to ${value} marketing messages`,
      category: 'marketing_messages',
      value,
      timestamp: Math.floor(at / 1000),
    };
    const body = Buffer.from(
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [
          {
            id: '102290129340398',
            changes: [
              {
                field: 'user_preferences',
                value: {
                  messaging_product: 'whatsapp',
                  metadata: { display_phone_number: '551140028922', phone_number_id: DEMO_NUMBER },
                  contacts: [{ profile: { name: 'Ana' }, wa_id }],
                  user_preferences: [preference],
                },
              },
            ],
          },
        ],
      }),
    );
    const answer = await fetch(`${product.running.url}/providers/whatsapp/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signWebhook(body, APP_SECRET) },
      body,
    });
    expect(answer.status, await answer.text()).to.equal(200);
  }

  const contact = async (phone: string): Promise<Shown | undefined> => {
    const answer = await product.ask('GET', `/contacts?query=${encodeURIComponent(phone)}`);
    return (answer.body.data as readonly Shown[])[0];
  };
  const code = async (phone: string): Promise<string | undefined> => {
    const answer = await product.send(phone, { body: offers });
    return answer.status === 202 ? undefined : `${answer.status} ${String(answer.body.error?.code)}`;
  };
  /** Accepted while nothing of marketing leaves the channel. */
  async function queued(phone: string): Promise<string> {
    // The channel is being paced: what is stopped then shows at once that it waits.
    await product.settled(await product.accepted('+5511972000000'));
    await changeSending(product.app, { channelUuid, stopped: 'marketing' }, caller);
    await firstHeld(product, (n) => product.accepted(`+55119720${10_000 + n}`, { body: offers }));
    return product.accepted(phone, { body: offers });
  }

  it('by WhatsApp’s own control: shown, refused on the call and for what waits, until it is resumed there', async () => {
    const phone = '+5511971230001';
    const waiting = await queued(phone);
    const stoppedAt = product.clock!.now() - 60_000;
    await tell(phone, 'stop', stoppedAt);
    const shown = await eventually(async () => {
      const found = await contact(phone);
      return found?.marketing_opted_out === true && found;
    });
    expect(Date.parse(shown.marketing_opt_out_at!)).to.equal(Math.floor(stoppedAt / 1000) * 1000);
    expect(await code(phone)).to.equal('422 recipient_opted_out');

    await changeSending(product.app, { channelUuid, stopped: 'nothing' }, caller);
    const ended = await product.settled(waiting);
    expect(ended.error?.code).to.equal('recipient_opted_out');
    expect(callsOf(product.sandbox, waiting)).to.have.length(0);

    // Uttered before the stop, told after it: it changes nothing.
    await tell(phone, 'resume', stoppedAt - 60_000);
    await tell(phone, 'resume', stoppedAt + 30_000);
    await eventually(async () => (await contact(phone))?.marketing_opted_out === false);
    const back = await product.settled(await product.accepted(phone, { body: offers }));
    expect(back.error).to.equal(null);
  });

  it('by an operator, for somebody who never wrote', async () => {
    const phone = '+5511971230002';
    const put = await product.ask('PUT', '/contacts/external/cliente-2', { json: { phone } });
    const { uuid } = put.body.data as Shown;
    const { admin_url: url, admin_token: token } = product.running.credentials;
    const wish = async (to: 'opt-out' | 'opt-in'): Promise<void> => {
      const answer = await fetch(`${url}/contacts/${uuid}/${to}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status, await answer.text()).to.equal(200);
    };
    await wish('opt-out');
    expect(await contact(phone)).to.include({ uuid, marketing_opted_out: true });
    expect(await code(phone)).to.equal('422 recipient_opted_out');
    await wish('opt-in');
    expect(await contact(phone)).to.include({ uuid, marketing_opted_out: false });
    expect(await code(phone)).to.equal(undefined);
  });
});
