/**
 * State that survives a restart: the pace of a channel and of a recipient, refusals by WhatsApp, and work in progress.
 */
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/sandbox.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { APP_SECRET, callsOf, startProduct } from '../support/e2e/product.js';
import { doorOf } from '../support/e2e/whatsapp.js';

describe('a restart', function () {
  this.timeout(TEST_TIMEOUT_MS);

  it('sends everything once that was under way', async () => {
    const clock = drivenClock();
    const sandbox = await startSandbox({ appSecret: APP_SECRET, webhookUrl: null, clock });
    const env = { WHATSAPP_API_URL: sandbox.url, CHANNEL_RATE_PER_SECOND: '3' };
    let product = await startProduct(env, undefined, { clock });
    try {
      sandbox.setWebhookUrl(doorOf(product));
      const uuids = await Promise.all(
        Array.from({ length: 40 }, (_, i) => product.accepted(`+55119876${60_000 + i}`)),
      );
      await eventually(() => sandbox.totals().calls >= 5, { clock });
      await product.stop();
      expect(sandbox.totals().calls).to.be.lessThan(40);
      product = await product.restart();
      sandbox.setWebhookUrl(doorOf(product));
      for (const uuid of uuids) {
        expect((await product.settled(uuid)).status).to.equal('succeeded');
        expect(callsOf(sandbox, uuid)).to.have.length(1);
      }
    } finally {
      await product.close();
      await sandbox.close();
    }
  });

  it("forgets neither a recipient's pace nor the channel's", async () => {
    const clock = drivenClock();
    const phone = '+5511971000005';
    let product = await startProduct({}, undefined, { clock });
    try {
      const from = clock.now();
      const burst = await Promise.all(Array.from({ length: 45 }, () => product.accepted(phone)));
      for (const uuid of burst) expect((await product.settled(uuid)).status).to.equal('succeeded');
      product = await product.restart();
      const more = await Promise.all(Array.from({ length: 30 }, () => product.accepted(phone)));
      const states = await eventually(async () => {
        const seen = await Promise.all(more.map((uuid) => product.operation(uuid)));
        return seen.every(({ status }) => status === 'succeeded' || status === 'waiting') && seen;
      });
      // One send for each 6.1 seconds since the first; a fresh burst allowance of 45 would have let all of them
      // through.
      const earned = Math.floor((clock.now() - from) / 6_100) + 1;
      const went = states.filter(({ status }) => status === 'succeeded').length;
      expect(went).to.be.at.most(Math.min(earned, 29));
      const other = await product.sent('+5511971000006');
      expect(other.status).to.equal('succeeded');
    } finally {
      await product.close();
    }
  });

  it('forgets not that WhatsApp refused a recipient for its pace', async () => {
    const clock = drivenClock();
    // The sandbox answers 131056 to every send to this number.
    const phone = '+5511966131056';
    let product = await startProduct({}, undefined, { clock });
    try {
      const first = await product.accepted(phone);
      // The retries after 1 and 4 seconds are over; the wait of 16 seconds has begun.
      await eventually(() => callsOf(product.sandbox, first).length === 3, { clock });
      product = await product.restart();
      const second = await product.accepted(phone);
      await product.inStatus(second, 'waiting');
      expect(callsOf(product.sandbox, second)).to.have.length(0);
    } finally {
      await product.close();
    }
  });
});
