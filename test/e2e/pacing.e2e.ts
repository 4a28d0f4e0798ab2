/** Sends that wait: for the operator, for the channel's lane, and for the recipient. */
import { expect } from 'chai';
import { operationStream } from '../../domain/streams.js';
import { START } from '../../ports/event-store.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { withProduct } from '../support/e2e/opened-product.js';
import { callsOf } from '../support/e2e/product.js';
import { offers } from '../support/e2e/templates.js';

describe('pacing', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const opening = (env: Readonly<Record<string, string>>) => ({ env, driven: true });

  it('a stopped channel sends nothing, what waits ends with its window, and the rest goes on when it is let', () =>
    withProduct(opening({ PACING_WINDOW_SECONDS: '10' }), async (product) => {
      await product.sent('+5511971000001');
      await product.stopSending('everything');
      const held = await firstHeld(product, () => product.accepted('+5511971000002'));
      expect(callsOf(product.sandbox, held)).to.have.length(0);
      const ended = await product.settled(held);
      expect(ended.error!.code).to.equal('send_pacing_timeout');
      expect(ended.error!.details['last_reason']).to.equal('channel_stopped');
      const later = await product.accepted('+5511971000003');
      await product.stopSending('nothing');
      expect((await product.settled(later)).status).to.equal('succeeded');
    }));

  it('an answer does not wait behind a queue of marketing', () =>
    withProduct(opening({ CHANNEL_RATE_PER_SECOND: '3' }), async (product) => {
      const campaign = await Promise.all(
        Array.from({ length: 45 }, (_, n) => product.accepted(`+55119720${10_000 + n}`, { body: offers() })),
      );
      const answer = await product.sent('+5511971000004');
      expect(answer.status).to.equal('succeeded');
      const before = product.sandbox.calls.findIndex(
        ({ body }) => body['biz_opaque_callback_data'] === answer.uuid,
      );
      expect(before, 'of the campaign, before the answer').to.be.within(0, 39);
      for (const uuid of campaign) expect((await product.settled(uuid)).status).to.equal('succeeded');
    }));

  it('lets messages wait for the channel, and ends those that wait too long', () =>
    withProduct(opening({ CHANNEL_RATE_PER_SECOND: '0.5', PACING_WINDOW_SECONDS: '9' }), async (product) => {
      // Accepted concurrently, so that all wait even when accepting is slow. Their order is read from the event store.
      await Promise.all(Array.from({ length: 8 }, (_, i) => product.accepted(`+55119876510${10 + i}`)));
      const { records } = await product.app.store.readAll({
        after: START,
        limit: 100,
        prefixes: [operationStream.prefix],
      });
      const uuids = records
        .filter(({ type }) => type === 'SendAccepted')
        .map(({ stream }) => operationStream.match(stream)!);
      expect(uuids).to.have.length(8);
      await product.inStatus(uuids[7]!, 'waiting');
      const ends = [];
      for (const uuid of uuids) ends.push(await product.settled(uuid, 20_000));
      const codes = ends.map(({ status, error }) => error?.code ?? status);
      expect(codes[0]).to.equal('succeeded');
      expect(codes[7]).to.equal('send_pacing_timeout');
      // First in, first out: no send succeeds after an earlier one has timed out.
      expect(codes.lastIndexOf('succeeded')).to.be.lessThan(codes.indexOf('send_pacing_timeout'));
      expect(product.sandbox.totals().calls).to.equal(codes.filter((code) => code === 'succeeded').length);
    }));

  it('lets one person have 45 at once, then one every 6.1 seconds', () =>
    withProduct(opening({ CHANNEL_RATE_PER_SECOND: 'off' }), async (product) => {
      const { sandbox } = product;
      const clock = product.clock!;
      const from = clock.now();
      const uuids = await Promise.all(Array.from({ length: 50 }, () => product.accepted('+5511987651100')));
      await eventually(() => sandbox.totals().accepted >= 45, { what: 'a burst of 45' });
      // A send to another person does not wait for these.
      const other = await product.sent('+5511987651101');
      expect(other.status).to.equal('succeeded');
      for (let more = 1; more <= 5; more += 1) {
        await clock.advance(6_100);
        await eventually(() => sandbox.totals().accepted >= 45 + 1 + more, {
          what: `${more} after the burst`,
        });
      }
      const ends = await Promise.all(uuids.map((uuid) => product.settled(uuid)));
      expect(ends.every(({ status }) => status === 'succeeded')).to.equal(true);
      const last = ends.map(({ completed_at }) => completed_at!).sort();
      expect(other.completed_at! < last.at(-1)!).to.equal(true);
      const taken = sandbox.calls.filter(({ accepted, body }) => accepted && body['to'] !== undefined);
      const times = taken
        .filter(({ body }) => body['biz_opaque_callback_data'] !== other.uuid)
        .map(({ at }) => at - from);
      expect(times).to.have.length(50);
      for (const [n, at] of times.entries()) {
        expect(at, `message ${n + 1}`).to.be.at.least(Math.max(0, n - 44) * 6_100);
      }
      // The provider measures arrival times. After a slow first call, the next may arrive slightly too early for it.
      expect(sandbox.totals().refused).to.be.at.most(1);
    }));
});
