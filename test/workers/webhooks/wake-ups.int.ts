/** Every delivery is sent at its time, without the slow poll (which this harness disables): no due row is forgotten. */
import { expect } from 'chai';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer, createHarness } from './harness.js';

describe('wake-ups of the webhook dispatcher', () => {
  const h = openedForEach(createHarness);

  /** Seconds after the start of the test at which each request was sent. */
  const times = (begun: number): readonly number[] => h.sent.map(({ at }) => (at - begun) / 1_000);
  /** The first attempts are postponed by 60, 120 and 180 seconds; the second ones succeed. */
  const putOff = (): void =>
    void h.respond(() =>
      h.sent.length <= 3 ? answer(429, { 'retry-after': String(60 * h.sent.length) }) : answer(200),
    );

  it('several deliveries of one endpoint that are due at different times are each sent at theirs', async () => {
    putOff();
    const begun = h.clock.now();
    const dispatcher = h.start();
    await h.enqueue(h.addEndpoint(), 3);
    await h.clock.advance(200_000);
    await dispatcher.idle();
    expect(times(begun)).to.deep.equal([0, 0, 0, 60, 120, 180]);
  });

  it('also by a process that comes later and finds them in the store', async () => {
    putOff();
    const begun = h.clock.now();
    const first = h.start();
    await h.enqueue(h.addEndpoint(), 3);
    await h.clock.advance(1_000);
    await first.stop();
    const next = h.start();
    await h.clock.advance(200_000);
    await next.idle();
    expect(times(begun)).to.deep.equal([0, 0, 0, 60, 120, 180]);
  });

  it('what could not be claimed is asked for again a second later', async () => {
    let faults = 2;
    const claim: typeof h.store.dueTimes.claim = (request) =>
      faults-- > 0 ? Promise.reject(new Error('away')) : h.store.dueTimes.claim(request);
    const begun = h.clock.now();
    await h.enqueue(h.addEndpoint());
    await turns();
    const dispatcher = h.start({ dueTimes: { ...h.store.dueTimes, claim } });
    await h.clock.advance(5_000);
    await dispatcher.idle();
    expect(times(begun)).to.deep.equal([2]);
  });

  it('no more than 64 endpoints are claimed for at once, and all have their turn', async () => {
    const held: (() => void)[] = [];
    let most = 0;
    let underWay = 0;
    let open = false;
    const claim: typeof h.store.dueTimes.claim = async (request) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (!open) await new Promise<void>((resolve) => held.push(resolve));
      underWay -= 1;
      return h.store.dueTimes.claim(request);
    };
    for (let n = 0; n < 70; n += 1) await h.enqueue(h.addEndpoint(`https://r${n}.example/`));
    const dispatcher = h.start({ dueTimes: { ...h.store.dueTimes, claim } });
    await turns(20);
    expect([held.length, most]).to.deep.equal([64, 64]);
    // One claim is answered: exactly one of the waiting claims follows.
    held.shift()!();
    await turns(20);
    expect([held.length, most]).to.deep.equal([64, 64]);
    open = true;
    for (const go of held.splice(0)) go();
    await turns(20);
    await dispatcher.idle();
    expect(h.requested()).to.equal(70);
  });

  it('a store that can not list what is due is named, and asked again with the next poll', async () => {
    let faults = 1;
    const lanes: typeof h.store.dueTimes.lanes = (...args) =>
      faults-- > 0 ? Promise.reject(new Error('away')) : h.store.dueTimes.lanes(...args);
    const begun = h.clock.now();
    await h.enqueue(h.addEndpoint());
    await turns();
    const dueTimes = { ...h.store.dueTimes, lanes };
    const dispatcher = h.start({ dueTimes, limits: { pollMs: 5_000 } });
    await h.clock.advance(4_999);
    expect(h.sent).to.have.length(0);
    expect(h.logged('listing due webhook deliveries failed; it is tried again')).to.have.length(1);
    await h.clock.advance(1);
    await dispatcher.idle();
    expect(times(begun)).to.deep.equal([5]);
    expect(h.logged('listing due webhook deliveries works again')).to.have.length(1);
  });
});
