/**
 * Many endpoints, a tenth of which answers slowly: the requests to the others begin when they would without the slow
 * ones. The bench asks the same of the built product, where it allows 10 % (`test/bench/webhooks.ts`).
 */
import { expect } from 'chai';
import { turns } from '../../support/fakes/manual-clock.js';
import { answer, dispatchingOver } from '../webhooks/dispatching.js';
import { createMemoryHarness } from '../webhooks/memory-harness.js';

const LANES = 100;
const QUICK_MS = 10;
const SLOW_MS = 10_000;
const ROUND_MS = 100;
const ROUNDS = 8;
/** In each moment of a round, a tenth of the endpoints gets a delivery. */
const MOMENTS = 10;
const isSlow = (n: number): boolean => n % 10 === 9;

/** When the request of each delivery to a quick endpoint began, by the delivery's name. */
async function begins(slowOnes: boolean): Promise<ReadonlyMap<string, number>> {
  const { clock, store } = await createMemoryHarness();
  const h = dispatchingOver(store, clock);
  const slow = new Set<string>();
  h.respond(
    ({ url }) =>
      new Promise((resolve) => {
        const ms = slow.has(url) ? SLOW_MS : QUICK_MS;
        clock.after(ms, () => resolve(answer(200, {}, ms)));
      }),
  );
  const lanes = Array.from({ length: LANES }, (_, n) => ({
    n,
    endpoint: h.addEndpoint(`https://e${n}.example/`),
  }));
  const dispatcher = h.start();
  // All endpoints were quick once: nothing but their answers tells a slow one from the others.
  for (const { endpoint } of lanes) await h.enqueue(endpoint);
  await clock.advance(1_000);
  for (const { n, endpoint } of lanes) if (isSlow(n)) slow.add(endpoint.url);
  const served = lanes.filter(({ n }) => slowOnes || !isSlow(n));
  const from = clock.now();
  const first = h.sent.length;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      for (const { n, endpoint } of served) {
        // A slow endpoint gets more than its slots hold.
        if (Math.floor(n / 10) === moment || isSlow(n))
          await h.enqueue(endpoint, 1, { deliveryId: `${n}:${round}:${moment}` });
      }
      await clock.advance(ROUND_MS / MOMENTS);
    }
  }
  const stopped = dispatcher.stop();
  await clock.advance(2 * SLOW_MS);
  await stopped;
  await turns();
  const sent = h.sent
    .slice(first)
    .map(({ headers, at }) => [headers['Service-Delivery-Id']!, at - from] as const);
  return new Map(sent.filter(([id]) => !isSlow(Number(id.split(':')[0]))));
}

describe('a hundred endpoints, a tenth of which is slow', () => {
  it('begin the deliveries of the quick ones no later than without the slow ones', async () => {
    const without = await begins(false);
    const beside = await begins(true);
    expect(without.size).to.equal(90 * ROUNDS);
    const later = [...without].filter(([id, at]) => (beside.get(id) ?? Infinity) > at);
    expect(later).to.deep.equal([]);
  });
});
