/** Every delivery is sent at its time, without the slow poll (which this harness turns off): nothing that is due is forgotten. */
import { expect } from 'chai';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer, createHarness } from './harness.js';

describe('wake-ups of the webhook dispatcher', () => {
  const h = openedForEach(createHarness);

  /** Seconds after the start of the test at which each request was sent. */
  const times = (begun: number): readonly number[] => h.sent.map(({ at }) => (at - begun) / 1_000);
  /** The first attempts are put off by 60, 120 and 180 seconds; the second ones succeed. */
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
});
