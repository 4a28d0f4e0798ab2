/** What waits: for the operator, for the channel's lane, and for the recipient. */
import { expect } from 'chai';
import { changeSending } from '../../application/provisioning/sending.js';
import { operationStream } from '../../domain/operation/stream.js';
import { START } from '../../ports/event-store.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { firstHeld } from '../support/e2e/first-held.js';
import { callsOf, startProduct } from '../support/e2e/product.js';

const caller = { actor: 'test' };
const offers = {
  type: 'template',
  content: { name: 'weekly_offers', language: 'pt_BR', parameters: ['Ana', '10'] },
};

describe('pacing', function () {
  this.timeout(TEST_TIMEOUT_MS);

  it('a stopped channel sends nothing, what waits ends with its window, and the rest goes on when it is let', async () => {
    const product = await startProduct({ PACING_WINDOW_SECONDS: '10' }, undefined, { clock: drivenClock() });
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
    const product = await startProduct({ CHANNEL_RATE_PER_SECOND: '3' }, undefined, { clock: drivenClock() });
    try {
      const campaign = await Promise.all(
        Array.from({ length: 45 }, (_, n) => product.accepted(`+55119720${10_000 + n}`, { body: offers })),
      );
      const answer = await product.settled(await product.accepted('+5511971000004'));
      expect(answer.status).to.equal('succeeded');
      const before = product.sandbox.calls.findIndex(
        ({ body }) => body['biz_opaque_callback_data'] === answer.uuid,
      );
      expect(before, 'of the campaign, before the answer').to.be.within(0, 39);
      for (const uuid of campaign) expect((await product.settled(uuid)).status).to.equal('succeeded');
    } finally {
      await product.close();
    }
  });

  it('lets messages wait for the channel, and ends those that wait too long', async () => {
    const env = { CHANNEL_RATE_PER_SECOND: '0.5', PACING_WINDOW_SECONDS: '9' };
    const product = await startProduct(env, undefined, { clock: drivenClock() });
    try {
      // Side by side, so that they wait however long accepting one of them takes; in the order of the history.
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
      await eventually(async () => (await product.operation(uuids[7]!)).status === 'waiting');
      const ends = [];
      for (const uuid of uuids) ends.push(await product.settled(uuid, 20_000));
      const codes = ends.map(({ status, error }) => error?.code ?? status);
      expect(codes[0]).to.equal('succeeded');
      expect(codes[7]).to.equal('send_pacing_timeout');
      // First come, first served: nothing succeeds behind something that ran out of time.
      expect(codes.lastIndexOf('succeeded')).to.be.lessThan(codes.indexOf('send_pacing_timeout'));
      expect(product.sandbox.totals().calls).to.equal(codes.filter((code) => code === 'succeeded').length);
      expect(product.errors).to.deep.equal([]);
    } finally {
      await product.close();
    }
  });

  it('lets one person have 45 at once, then one every 6.1 seconds', async () => {
    const clock = drivenClock();
    const product = await startProduct({ CHANNEL_RATE_PER_SECOND: 'off' }, undefined, { clock });
    const { sandbox } = product;
    try {
      const from = clock.now();
      const uuids = await Promise.all(Array.from({ length: 50 }, () => product.accepted('+5511987651100')));
      await eventually(() => sandbox.totals().accepted >= 45, { what: 'a burst of 45' });
      // Somebody else does not wait for them.
      const other = await product.settled(await product.accepted('+5511987651101'));
      expect(other.status).to.equal('succeeded');
      for (let more = 1; more <= 5; more += 1) {
        await clock.advance(6_100);
        await eventually(() => sandbox.totals().accepted >= 45 + 1 + more, {
          what: `${more} after the burst`,
        });
      }
      const ends = await Promise.all(uuids.map((uuid) => product.settled(uuid)));
      expect(ends.every(({ status }) => status === 'succeeded')).to.equal(true);
      expect(
        other.completed_at! <
          ends
            .map(({ completed_at }) => completed_at!)
            .sort()
            .at(-1)!,
      ).to.equal(true);
      const taken = sandbox.calls.filter(({ accepted, body }) => accepted && body['to'] !== undefined);
      const times = taken
        .filter(({ body }) => body['biz_opaque_callback_data'] !== other.uuid)
        .map(({ at }) => at - from);
      expect(times).to.have.length(50);
      for (const [n, at] of times.entries()) {
        expect(at, `message ${n + 1}`).to.be.at.least(Math.max(0, n - 44) * 6_100);
      }
      // The provider counts from arrivals: after a slow first one the next may come a moment early.
      expect(sandbox.totals().refused).to.be.at.most(1);
      expect(product.errors).to.deep.equal([]);
    } finally {
      await product.close();
    }
  });
});
