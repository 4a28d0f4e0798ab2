/** How many requests are under way at once, when the dispatcher is idle, and how it stops. */
import { expect } from 'chai';
import { RECORD_WITHIN_MS } from '../../../workers/webhooks/dispatcher.js';
import { deferred } from '../../conformance/support.js';
import { atOnce } from '../../support/fakes/manual-clock.js';
import { answer, failure } from './dispatching.js';
import { createMemoryHarness, type MemoryHarness } from './memory-harness.js';

describe('the webhook dispatcher', () => {
  let h: MemoryHarness;
  beforeEach(async () => {
    h = await createMemoryHarness();
  });

  describe('has no more under way', () => {
    it('than all endpoints together may have, and the next begins when one has ended', async () => {
      const hanging = h.hang();
      for (let n = 0; n < 3; n += 1) await h.enqueue(h.addEndpoint(`https://r${n}.example/`), 2);
      const dispatcher = h.start({ limits: { maxInFlight: 4 } });
      await h.clock.advance(0);
      expect(dispatcher.stats()).to.include({ inFlight: 4, held: 2 });
      hanging[0]!();
      await h.clock.advance(0);
      expect(h.sent).to.have.length(5);
      expect(dispatcher.stats()).to.include({ inFlight: 4, held: 1 });
      for (const end of hanging) end();
      await h.clock.advance(0);
      for (const end of hanging) end();
      await h.clock.advance(0);
      expect(dispatcher.stats()).to.include({ inFlight: 0, held: 0 });
    });

    it('than one endpoint may have, and its next begins when one has ended', async () => {
      const hanging = h.hang();
      h.start({ limits: { maxPerEndpoint: 2 } });
      await h.clock.advance(0);
      await h.enqueue(h.addEndpoint(), 5);
      await h.clock.advance(0);
      expect(h.sent).to.have.length(2);
      hanging[0]!();
      await h.clock.advance(0);
      expect(h.sent).to.have.length(3);
    });

    it('than one endpoint may have, and endpoints take turns', async () => {
      const hanging = h.hang();
      const [busy, other] = [h.addEndpoint('https://busy.example/'), h.addEndpoint('https://other.example/')];
      await h.enqueue(busy, 5);
      await h.enqueue(other, 1);
      h.start({ limits: { maxPerEndpoint: 2, maxInFlight: 3 } });
      await h.clock.advance(0);
      expect(h.sent.map(({ url }) => url)).to.have.members([busy.url, busy.url, other.url]);
      hanging[0]!();
      await h.clock.advance(0);
      expect(h.sent.filter(({ url }) => url === busy.url)).to.have.length(3);
    });

    it('to endpoints of which nothing is known than their share, which leaves the rest to quick ones', async () => {
      const quick = h.addEndpoint('https://quick.example/');
      await h.enqueue(quick);
      const dispatcher = h.start({ limits: { maxInFlight: 4, maxSlowInFlight: 2 } });
      await h.clock.advance(0);
      const unknown = Array.from({ length: 4 }, (_, n) => h.addEndpoint(`https://unknown${n}.example/`));
      const hanging = h.hang();
      for (const endpoint of unknown) await h.enqueue(endpoint);
      await h.clock.advance(0);
      expect(dispatcher.stats().inFlight).to.equal(2);
      await h.enqueue(quick, 3);
      await h.clock.advance(0);
      expect(dispatcher.stats().inFlight).to.equal(4);
      expect(h.sent.filter(({ url }) => url === quick.url)).to.have.length(3);
      hanging[0]!();
      await h.clock.advance(0);
      expect(dispatcher.stats().inFlight).to.equal(4);
      for (let n = 1; n < 8; n += 1) {
        hanging[n]?.();
        await h.clock.advance(0);
      }
      expect(dispatcher.stats().inFlight).to.equal(0);
      expect(h.requested()).to.equal(8);
    });
  });

  it('gives all their share to endpoints of which nothing is known, while quick ones have the rest', async () => {
    const quick = h.addEndpoint('https://quick.example/');
    await h.enqueue(quick);
    const dispatcher = h.start({ limits: { maxInFlight: 4, maxSlowInFlight: 2 } });
    await h.clock.advance(0);
    h.hang();
    await h.enqueue(quick, 2);
    await h.clock.advance(0);
    for (let n = 0; n < 4; n += 1) await h.enqueue(h.addEndpoint(`https://unknown${n}.example/`));
    await h.clock.advance(0);
    expect(dispatcher.stats().inFlight).to.equal(4);
  });

  it('rests from an endpoint that does not answer, and probes it with one delivery', async () => {
    h.respond(() => failure('connect'));
    const dispatcher = h.start({ limits: { breakerAfter: 2, maxPerEndpoint: 2 }, schedule: [0, 3_600_000] });
    await h.clock.advance(0);
    await h.enqueue(h.addEndpoint(), 6);
    await h.clock.advance(0);
    const before = h.sent.length;
    expect(dispatcher.stats()).to.deep.include({ resting: 1, held: 0 });
    await h.clock.advance(4_999);
    expect(h.sent).to.have.length(before);
    const hanging = h.hang();
    await h.clock.advance(1);
    expect(h.sent).to.have.length(before + 1);
    expect(dispatcher.stats().resting).to.equal(0);
    hanging[0]!();
    await h.clock.advance(0);
    expect(h.sent.length).to.be.greaterThan(before + 1);
  });

  describe('is idle', () => {
    it('once nothing is under way, unrecorded or due', async () => {
      const hanging = h.hang();
      const stored = deferred();
      const write: typeof h.store.readModels.write = async (...args) => {
        await stored.promise;
        return h.store.readModels.write(...args);
      };
      await h.enqueue(h.addEndpoint(), 3);
      const dispatcher = h.start({
        readModels: { ...h.store.readModels, write },
        limits: { maxInFlight: 1 },
      });
      let idle = 0;
      const look = async (): Promise<number> => {
        void dispatcher.idle().then(() => (idle += 1));
        await h.clock.advance(0);
        return idle;
      };
      expect(await look(), 'one hangs').to.equal(0);
      for (let n = 0; n < 3; n += 1) {
        hanging[n]!();
        expect(await look(), 'the others hang, or are not recorded').to.equal(0);
      }
      expect(dispatcher.stats()).to.deep.equal({ inFlight: 0, held: 0, resting: 0, unrecorded: 3 });
      stored.resolve();
      await h.clock.advance(0);
      expect(idle, 'all who asked are answered').to.equal(4);
      await atOnce(dispatcher.idle());
    });

    it('while something is due later, and not while rows are listed or claimed', async () => {
      h.respond(() => answer(h.sent.length === 1 ? 500 : 200));
      const listed = deferred();
      const lanes: typeof h.store.dueTimes.lanes = async (...args) => {
        await listed.promise;
        return h.store.dueTimes.lanes(...args);
      };
      const dispatcher = h.start({ dueTimes: { ...h.store.dueTimes, lanes } });
      let idle = false;
      const waiting = dispatcher.idle().then(() => (idle = true));
      await h.clock.advance(0);
      expect(idle).to.equal(false);
      listed.resolve();
      await atOnce(waiting);
      await h.enqueue(h.addEndpoint());
      await atOnce(dispatcher.idle());
      expect(h.sent).to.have.length(1);
      expect(h.waiting(), 'its second attempt').to.have.length(1);
    });
  });

  it('is not idle while what is due waits for an endpoint at rest', async () => {
    h.respond(() => failure('connect'));
    const dispatcher = h.start({ limits: { breakerAfter: 2, maxPerEndpoint: 2 }, schedule: [0, 3_600_000] });
    await h.clock.advance(0);
    await h.enqueue(h.addEndpoint(), 40);
    await h.clock.advance(0);
    expect(dispatcher.stats()).to.deep.equal({ inFlight: 0, held: 0, resting: 1, unrecorded: 0 });
    let idle = false;
    void dispatcher.idle().then(() => (idle = true));
    await h.clock.advance(4_999);
    expect(idle).to.equal(false);
    h.respond(() => answer(200));
    await h.clock.advance(10_000);
    expect(idle).to.equal(true);
    expect(h.requested()).to.equal(40);
  });

  describe('stops', () => {
    it('when what is under way has ended and is recorded; what it only held is due for others at once', async () => {
      const hanging = h.hang();
      await h.enqueue(h.addEndpoint(), 5);
      const due = h.clock.now();
      const dispatcher = h.start({ limits: { maxPerEndpoint: 2 } });
      await h.clock.advance(1_000);
      expect(dispatcher.stats()).to.deep.include({ inFlight: 2, held: 3 });
      let stopped = false;
      const ended = dispatcher.stop().then(() => (stopped = true));
      await h.clock.advance(RECORD_WITHIN_MS);
      expect([stopped, h.sent.length]).to.deep.equal([false, 2]);
      expect(dispatcher.stats().held).to.equal(0);
      for (const end of hanging) end();
      await h.clock.advance(0);
      expect(stopped).to.equal(true);
      await ended;
      expect(h.waiting().map(({ dueAt }) => dueAt - due)).to.deep.equal([0, 0, 0]);
      expect(await h.free(), 'nobody holds them').to.deep.equal([due]);
      await h.enqueue(h.addEndpoint());
      await h.clock.advance(60_000);
      expect(h.sent).to.have.length(2);
      expect(h.clock.pending(), 'no timer is left').to.equal(0);
    });

    it('without waiting for a store that stays away longer than it may', async () => {
      const write = (): Promise<never> => Promise.reject(new Error('away'));
      const { dispatcher } = await h.first({ readModels: { ...h.store.readModels, write } });
      let stopped = false;
      const ended = dispatcher.stop().then(() => (stopped = true));
      await h.clock.advance(RECORD_WITHIN_MS - 1);
      expect([stopped, dispatcher.stats().unrecorded]).to.deep.equal([false, 1]);
      await h.clock.advance(1);
      expect([stopped, dispatcher.stats().unrecorded]).to.deep.equal([true, 0]);
      await ended;
      expect(h.clock.pending()).to.equal(0);
    });

    it('counts the time that a store may take from the end of the last request', async () => {
      const hanging = h.hang();
      const write = (): Promise<never> => Promise.reject(new Error('away'));
      const { dispatcher } = await h.first({ readModels: { ...h.store.readModels, write } });
      let stopped = false;
      void dispatcher.stop().then(() => (stopped = true));
      await h.clock.advance(5_000);
      hanging[0]!();
      await h.clock.advance(RECORD_WITHIN_MS - 1);
      expect(stopped).to.equal(false);
      await h.clock.advance(1);
      expect(stopped).to.equal(true);
    });

    it('and sends nothing to an endpoint that it was asking for: the row is due as it was', async () => {
      const lookedUp = deferred();
      const endpoint = h.addEndpoint();
      await h.enqueue(endpoint);
      const due = h.clock.now();
      const dispatcher = h.start({
        endpoints: {
          async get() {
            await lookedUp.promise;
            return h.view(endpoint);
          },
        },
      });
      await h.clock.advance(1_000);
      const stopped = dispatcher.stop();
      lookedUp.resolve();
      await atOnce(stopped);
      expect(h.sent).to.deep.equal([]);
      expect(await h.free(), 'nobody holds it').to.deep.equal([due]);
    });

    it('and gives back what was being claimed: the row is due as it was', async () => {
      const claimed = deferred();
      await h.enqueue(h.addEndpoint());
      const due = h.clock.now();
      const claim: typeof h.store.dueTimes.claim = async (request) => {
        await claimed.promise;
        return h.store.dueTimes.claim(request);
      };
      const dispatcher = h.start({ dueTimes: { ...h.store.dueTimes, claim } });
      await h.clock.advance(1_000);
      let stopped = false;
      const ended = dispatcher.stop().then(() => (stopped = true));
      await h.clock.advance(0);
      expect(stopped).to.equal(false);
      claimed.resolve();
      await atOnce(ended);
      expect(h.sent).to.deep.equal([]);
      expect(await h.free(), 'nobody holds it').to.deep.equal([due]);
    });

    it('at once where there is nothing to wait for', async () => {
      const dispatcher = h.start();
      await atOnce(dispatcher.idle());
      await atOnce(dispatcher.stop());
      expect(h.clock.pending()).to.equal(0);
    });
  });
});
