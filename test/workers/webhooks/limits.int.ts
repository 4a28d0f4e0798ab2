/** The limits of the webhook dispatcher: slots, claims, signatures, and updates that a store has not accepted yet. */
import { expect } from 'chai';
import type { AttemptNotice } from '../../../workers/webhooks/options.js';
import { newWebhookSecret } from '../../../domain/policies/webhook-signature.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer, createHarness } from './harness.js';

describe('limits of the webhook dispatcher', () => {
  const h = openedForEach(createHarness);

  it('no more requests are under way than all endpoints together may have', async () => {
    const hanging = h.hang();
    for (let n = 0; n < 3; n += 1) await h.enqueue(h.addEndpoint(`https://r${n}.example/`), 10);
    const dispatcher = h.start({ limits: { maxInFlight: 4 } });
    await turns(20);
    expect(dispatcher.stats().inFlight).to.equal(4);
    while (h.sent.length < 30) {
      for (const end of hanging.splice(0)) end();
      await turns(1);
      expect(dispatcher.stats().inFlight).to.be.at.most(4);
    }
    for (const end of hanging.splice(0)) end();
    await dispatcher.idle();
    expect(await h.rows()).to.equal(0);
  });

  it('many that are slow leave a share to one that is known to be quick, also after a quiet time', async () => {
    const limits = { maxInFlight: 4, maxSlowInFlight: 3 };
    const quick = h.addEndpoint('https://quick.example/');
    const dispatcher = h.start({ limits });
    await h.enqueue(quick);
    await turns(20);
    await h.clock.advance(60_000);

    const slow = (url: string): boolean => url !== quick.url;
    const hanging: (() => void)[] = [];
    h.respond(({ url }) =>
      slow(url) ? new Promise((resolve) => hanging.push(() => resolve(answer(200)))) : answer(200),
    );
    for (let n = 0; n < 9; n += 1) await h.enqueue(h.addEndpoint(`https://slow${n}.example/`));
    await turns(20);
    expect(dispatcher.stats().inFlight, 'to those of whom nothing is known').to.equal(3);
    await h.enqueue(quick, 5);
    await turns(20);
    expect(h.sent.filter(({ url }) => !slow(url))).to.have.length(6);
    expect(dispatcher.stats().inFlight).to.equal(3);
    h.respond(() => answer(200));
    for (const end of hanging) end();
    await dispatcher.idle();
  });

  it('no request begins that could outlive the claim of its row', async () => {
    const claimedUntil = new Map<string, number>();
    const late: string[] = [];
    h.respond((attempt) => {
      const id = attempt.headers['Service-Delivery-Id']!;
      if (h.clock.now() + attempt.timeoutMs > claimedUntil.get(id)!) late.push(id);
      return new Promise((resolve) => {
        h.clock.after(900, () => resolve(answer(200, {}, 900)));
      });
    });
    const dueTimes: typeof h.store.dueTimes = {
      ...h.store.dueTimes,
      async claim(request) {
        const claimed = await h.store.dueTimes.claim(request);
        for (const { id } of claimed) claimedUntil.set(id, request.now + request.leaseMs);
        return claimed;
      },
    };
    await h.enqueue(h.addEndpoint(), 60);
    // One at a time; the claimed rows together would take far longer than a claim lasts.
    const limits = { maxInFlight: 1, timeoutMs: 2_000, leaseMs: 5_000 };
    const dispatcher = h.start({ dueTimes, limits });
    await h.clock.advance(90_000);
    await dispatcher.idle();
    expect(late).to.deep.equal([]);
    expect(h.requested()).to.equal(60);
    expect(h.sent).to.have.length(60);
  });

  it('no more than two secrets sign, the current one first', async () => {
    const endpoint = h.addEndpoint();
    endpoint.secrets = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    await h.attempted(endpoint);
    expect(h.sent[0]!.headers['Service-Signature']).to.match(/^v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  });

  it('an endpoint without a secret is asked again a second later, which costs no attempt', async () => {
    const endpoint = h.addEndpoint();
    const [secret] = endpoint.secrets;
    endpoint.secrets = [];
    const dispatcher = h.start();
    const [delivery] = await h.enqueue(endpoint);
    await turns();
    endpoint.secrets = [secret!];
    await h.clock.advance(1_000);
    await dispatcher.idle();
    expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
  });

  it('the metrics say how long a delivery waited to be sent', async () => {
    const notices: AttemptNotice[] = [];
    await h.enqueue(h.addEndpoint());
    await h.clock.advance(3_000);
    await h.start({ onAttempt: (notice) => void notices.push(notice) }).idle();
    expect(notices.map(({ lagMs, step }) => ({ lagMs, step }))).to.deep.equal([
      { lagMs: 3_000, step: 'delivered' },
    ]);
  });

  it('nothing new is sent while a store takes no records, beyond a bound', async () => {
    const write = (): Promise<never> => Promise.reject(new Error('disk full'));
    for (let n = 0; n < 13; n += 1) await h.enqueue(h.addEndpoint(`https://r${n}.example/`), 200);
    const dispatcher = h.start({ readModels: { ...h.store.readModels, write } });
    await turns(2_000);
    const { unrecorded } = dispatcher.stats();
    // Two thousand, and the requests under way by then.
    expect(unrecorded).to.be.within(2_000, 2_000 + 256);
    expect(h.sent).to.have.length(unrecorded);
    void dispatcher.stop();
    await h.clock.advance(20_000);
  });
});
