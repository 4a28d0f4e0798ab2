/** The answers of a receiver that slow its endpoint down, and for how long. */
import { expect } from 'chai';
import type { HttpResult } from '../../../ports/http-sender.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer, createHarness, failure } from './harness.js';

describe('an endpoint that is overloaded', () => {
  const h = openedForEach(createHarness);

  /** How many requests are under way at once after one answer, while all others hang. */
  async function atOnceAfter(first: HttpResult): Promise<number> {
    const endpoint = h.addEndpoint();
    h.respond(() => first);
    const dispatcher = h.start();
    await h.enqueue(endpoint);
    await turns();
    await dispatcher.idle();
    const hanging = h.hang();
    await h.enqueue(endpoint, 30);
    await turns(20);
    const { inFlight } = dispatcher.stats();
    h.respond(() => answer(200));
    for (const end of hanging) end();
    await h.clock.advance(0);
    await dispatcher.idle();
    await dispatcher.stop();
    return inFlight;
  }

  it('gets half as many requests at once after 429, 503 and a time-out; other failures change nothing', async () => {
    expect(await atOnceAfter(answer(429))).to.equal(5);
    expect(await atOnceAfter(answer(503))).to.equal(5);
    expect(await atOnceAfter(failure('timeout', 15_000))).to.equal(5);
    expect(await atOnceAfter(answer(500))).to.equal(10);
    expect(await atOnceAfter(answer(502))).to.equal(10);
    expect(await atOnceAfter(failure('connect'))).to.equal(10);
  });

  it('is given a minute after a time-out, and five seconds after a refused connection', async () => {
    for (const [kind, seconds] of [
      ['timeout', 60],
      ['connect', 5],
    ] as const) {
      h.respond(() => failure(kind));
      const dispatcher = h.start();
      const before = h.sent.length;
      await h.enqueue(h.addEndpoint());
      await h.clock.advance(seconds * 1_000 - 1);
      expect(h.sent, kind).to.have.length(before + 1);
      await h.clock.advance(1);
      expect(h.sent, kind).to.have.length(before + 2);
      await dispatcher.stop();
    }
  });
});
