/** What waits: for the operator, for the channel's lane, for the recipient, and over a restart. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { changeSending } from '../../application/provisioning/sending.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { callsOf, startProduct, type Product } from '../support/e2e/product.js';

const caller = { actor: 'test' };
const offers = {
  type: 'template',
  content: { name: 'weekly_offers', language: 'pt_BR', parameters: ['Ana', '10'] },
};

describe('pacing', function () {
  this.timeout(TEST_TIMEOUT_MS);

  it('a stopped channel sends nothing, what waits ends with its window, and the rest goes on when it is let', async () => {
    const product = await startProduct({ PACING_WINDOW_SECONDS: '10' });
    try {
      const channelUuid = product.running.credentials['channel_uuid']!;
      await product.settled(await product.accepted('+5511971000001'));
      await changeSending(product.app, { channelUuid, stopped: 'everything' }, caller);
      const held = await firstHeld(product, () => product.accepted('+5511971000002'));
      expect(callsOf(product.sandbox, held)).to.have.length(0);
      const ended = await product.settled(held);
      expect(ended.error!.code).to.equal('send_pacing_timeout');
      expect(ended.error!.details['last_reason']).to.equal('channel_stopped');
      const later = await product.accepted('+5511971000003');
      await changeSending(product.app, { channelUuid, stopped: 'nothing' }, caller);
      expect((await product.settled(later)).status).to.equal('succeeded');
      expect(product.errors).to.deep.equal([]);
    } finally {
      await product.close();
    }
  });

  it('an answer does not wait behind a queue of marketing', async () => {
    const product = await startProduct({ CHANNEL_RATE_PER_SECOND: '3' });
    try {
      const campaign = await Promise.all(
        Array.from({ length: 45 }, (_, n) => product.accepted(`+55119720${10_000 + n}`, { body: offers })),
      );
      const answer = await product.settled(await product.accepted('+5511971000004'));
      expect(answer.status).to.equal('succeeded');
      const states = await Promise.all(campaign.map((uuid) => product.operation(uuid)));
      expect(states.filter(({ status }) => status === 'succeeded').length).to.be.below(40);
      for (const uuid of campaign) expect((await product.settled(uuid)).status).to.equal('succeeded');
    } finally {
      await product.close();
    }
  });

  it("a restart forgets neither a recipient's pace nor the channel's", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recado-e2e-'));
    const phone = '+5511971000005';
    let product: Product = await startProduct({}, folder);
    try {
      const from = Date.now();
      const burst = await Promise.all(Array.from({ length: 45 }, () => product.accepted(phone)));
      for (const uuid of burst) expect((await product.settled(uuid)).status).to.equal('succeeded');
      await product.stop();
      product = await startProduct({}, folder);
      const more = await Promise.all(Array.from({ length: 30 }, () => product.accepted(phone)));
      const states = await eventually(async () => {
        const seen = await Promise.all(more.map((uuid) => product.operation(uuid)));
        return seen.every(({ status }) => status === 'succeeded' || status === 'waiting') && seen;
      });
      // One for each 6.1 seconds that have passed since the first; a burst of 45 would have let all of them through.
      const earned = Math.floor((Date.now() - from) / 6_100) + 1;
      const went = states.filter(({ status }) => status === 'succeeded').length;
      expect(went).to.be.at.most(Math.min(earned, 29));
      const other = await product.settled(await product.accepted('+5511971000006'));
      expect(other.status).to.equal('succeeded');
    } finally {
      await product.close();
    }
  });

  it('nor that WhatsApp refused the recipient for its pace', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recado-e2e-'));
    // The sandbox answers 131056 to every send to this number.
    const phone = '+5511966131056';
    let product: Product = await startProduct({}, folder);
    try {
      const first = await product.accepted(phone);
      // 1 and 4 seconds are over, the 16 have begun.
      await eventually(() => callsOf(product.sandbox, first).length === 3, { timeoutMs: 15_000 });
      await product.stop();
      product = await startProduct({}, folder);
      const second = await product.accepted(phone);
      await eventually(async () => (await product.operation(second)).status === 'waiting');
      expect(callsOf(product.sandbox, second)).to.have.length(0);
    } finally {
      await product.close();
    }
  });
});
