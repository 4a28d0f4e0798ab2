/**
 * Marketing opt-outs, by WhatsApp's own control and by an operator: from the provider's webhook to what callers see.
 */
import { expect } from 'chai';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { callsOf } from '../support/e2e/product.js';
import { offers } from '../support/e2e/templates.js';
import { tell } from '../support/e2e/whatsapp.js';

interface Shown {
  readonly uuid: string;
  readonly marketing_opted_out: boolean;
  readonly marketing_opt_out_at: string | null;
}

describe('opting out of marketing', function () {
  this.timeout(2 * TEST_TIMEOUT_MS);
  const product = openedProduct(() => ({ driven: true }));

  /** Sends Meta's `user_preferences` webhook. */
  async function prefers(phone: string, value: 'stop' | 'resume', at: number): Promise<void> {
    const wa_id = phone.slice(1);
    const preference = {
      wa_id,
      detail: `User requested to ${value} marketing messages`,
      category: 'marketing_messages',
      value,
      timestamp: Math.floor(at / 1000),
    };
    const contacts = [{ profile: { name: 'Ana' }, wa_id }];
    await tell(product, 'user_preferences', { contacts, user_preferences: [preference] });
  }

  const contact = (phone: string) => product.contact<Shown>(phone);
  const code = async (phone: string): Promise<string | undefined> => {
    const answer = await product.send(phone, { body: offers() });
    return answer.status === 202 ? undefined : `${answer.status} ${String(answer.body.error?.code)}`;
  };
  /** Accepts a send while the channel sends no marketing. */
  async function queued(phone: string): Promise<string> {
    // After this send the channel is paced, so a held send appears as waiting at once.
    await product.sent('+5511972000000');
    await product.stopSending('marketing');
    await firstHeld(product, (n) => product.accepted(`+55119720${10_000 + n}`, { body: offers() }));
    return product.accepted(phone, { body: offers() });
  }

  it('by WhatsApp’s own control: shown, refused on the call and for what waits, until it is resumed there', async () => {
    const phone = '+5511971230001';
    const waiting = await queued(phone);
    const stoppedAt = product.clock!.now() - 60_000;
    await prefers(phone, 'stop', stoppedAt);
    const shown = await eventually(async () => {
      const found = await contact(phone);
      return found?.marketing_opted_out === true && found;
    });
    expect(Date.parse(shown.marketing_opt_out_at!)).to.equal(Math.floor(stoppedAt / 1000) * 1000);
    expect(await code(phone)).to.equal('422 recipient_opted_out');

    await product.stopSending('nothing');
    const ended = await product.settled(waiting);
    expect(ended.error?.code).to.equal('recipient_opted_out');
    expect(callsOf(product.sandbox, waiting)).to.have.length(0);

    // This choice was made before the opt-out but is delivered after it, so it changes nothing.
    await prefers(phone, 'resume', stoppedAt - 60_000);
    await prefers(phone, 'resume', stoppedAt + 30_000);
    await eventually(async () => (await contact(phone))?.marketing_opted_out === false);
    const back = await product.sent(phone, { body: offers() });
    expect(back.error).to.equal(null);
  });

  it('by an operator, for somebody who never wrote', async () => {
    const phone = '+5511971230002';
    const put = await product.ask('PUT', '/contacts/external/cliente-2', { json: { phone } });
    const { uuid } = put.body.data as Shown;
    await product.admin('POST', `/contacts/${uuid}/opt-out`, undefined, 200);
    expect(await contact(phone)).to.include({ uuid, marketing_opted_out: true });
    expect(await code(phone)).to.equal('422 recipient_opted_out');
    await product.admin('POST', `/contacts/${uuid}/opt-in`, undefined, 200);
    expect(await contact(phone)).to.include({ uuid, marketing_opted_out: false });
    expect(await code(phone)).to.equal(undefined);
  });
});
