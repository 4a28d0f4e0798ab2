/** Deliveries that are claimed and have not begun are bounded over all endpoints: in rows, and in bytes. */
import { expect } from 'chai';
import type { DueTimes } from '../../../ports/due-times.js';
import type { WebhookLimits } from '../../../workers/webhooks/options.js';
import { deferred } from '../../conformance/support.js';
import { answer, type TestEndpoint } from './dispatching.js';
import { createMemoryHarness, type MemoryHarness } from './memory-harness.js';

const ENDPOINTS = 12;
const EACH = 60;

describe('deliveries that a process holds', () => {
  let h: MemoryHarness;
  let endpoints: TestEndpoint[];
  beforeEach(async () => {
    h = await createMemoryHarness();
    endpoints = Array.from({ length: ENDPOINTS }, (_, n) => h.addEndpoint(`https://e${n}.example/`));
  });
  afterEach(() => h.stop());

  /**
   * A dispatcher that knows all endpoints as quick ones, and has a backlog of each. Requests take 50 ms. Resolves with
   * the most rows that were claimed and not begun, those of claims under way included.
   */
  async function mostHeld(limits: Partial<WebhookLimits>, body?: string): Promise<number> {
    let claimed = 0;
    let most = 0;
    let begun = 0;
    h.respond(() => {
      begun += 1;
      return new Promise((resolve) => h.clock.after(50, () => resolve(answer(200, {}, 50))));
    });
    const note = (change: number): void => {
      claimed += change;
      most = Math.max(most, claimed - begun);
    };
    const { dueTimes } = h.store;
    const counted: DueTimes = {
      ...dueTimes,
      async claim(options) {
        const rows = await dueTimes.claim(options);
        note(rows.length);
        return rows;
      },
      settle(rows) {
        note(-rows.filter(({ then }) => then === 'again').length);
        return dueTimes.settle(rows);
      },
    };
    h.start({ dueTimes: counted, limits: { maxPerEndpoint: 2, maxInFlight: 1_000, ...limits } });
    for (const endpoint of endpoints) await h.enqueue(endpoint, 1);
    await h.clock.advance(100);
    for (const endpoint of endpoints) await h.enqueue(endpoint, EACH, body === undefined ? {} : { body });
    await h.clock.advance(10_000);
    expect([h.requested(), await h.rows()], 'all are sent').to.deep.equal([ENDPOINTS * (EACH + 1), 0]);
    return most;
  }

  it('are some ahead for each endpoint where there is room', async () => {
    expect(await mostHeld({})).to.be.greaterThan(ENDPOINTS * 8);
  });

  it('are no more than there is room for over all endpoints', async () => {
    expect(await mostHeld({ maxHeld: 20 })).to.be.within(10, 20);
  });

  it('have no more bytes than there is room for over all endpoints', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(10_000) });
    const most = await mostHeld({ maxHeldBytes: 200_000 }, body);
    // The rows of a claim under way have the size that bodies had so far.
    expect(most).to.be.within(5, 40);
  });

  it('is one at least, however large it is', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(10_000) });
    expect(await mostHeld({ maxHeldBytes: 5_000 }, body)).to.be.greaterThan(0);
  });

  it('leave room for quick endpoints where many are slow', async () => {
    const [quick, ...slow] = endpoints as [TestEndpoint, ...TestEndpoint[]];
    const hanging = deferred();
    h.respond(async ({ url }) => {
      if (url !== quick.url) await hanging.promise;
      return answer(200);
    });
    h.start({ limits: { maxHeld: 16, maxPerEndpoint: 4, maxInFlight: 8, maxSlowInFlight: 4 } });
    await h.enqueue(quick);
    await h.clock.advance(0);
    for (const endpoint of slow) await h.enqueue(endpoint, 10);
    await h.clock.advance(0);
    await h.enqueue(quick, 20);
    await h.clock.advance(0);
    expect(h.sent.filter(({ url }) => url === quick.url)).to.have.length(21);
    hanging.resolve();
  });
});
