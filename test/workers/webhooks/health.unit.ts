/** The recorded health of an endpoint: what it says, and how seldom it is written. */
import { expect } from 'chai';
import { webhookHealth } from '../../../read-models/webhook-health.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { createHealthKeeper } from '../../../workers/webhooks/health.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { failure } from './dispatching.js';
import { createMemoryHarness } from './memory-harness.js';

const ENDPOINT = { endpoint_uuid: 'e1', integration_uuid: 'i1', company_uuid: 'c1' };

async function world() {
  const clock = manualClock();
  const models = memoryReadModels();
  for (const spec of webhookCollections) await models.define(spec);
  let writes = 0;
  const readModels: typeof models = {
    ...models,
    write: (...args) => {
      writes += 1;
      return models.write(...args);
    },
  };
  const keeper = () => createHealthKeeper({ readModels, clock, logger: collectingLogger().logger });
  const ok = () => ({ at: clock.now(), failure: null, restUntil: null });
  const bad = (restUntil: number | null = null) => ({ at: clock.now(), failure: 'timeout', restUntil });
  return {
    clock,
    keeper,
    ok,
    bad,
    writes: () => writes,
    health: async () => (await models.get(webhookHealth.name, 'e1'))?.doc,
    iso: (ms = clock.now()) => new Date(ms).toISOString(),
  };
}

describe('the health of a webhook endpoint', () => {
  it('is written once a minute while attempts succeed', async () => {
    const { clock, keeper, ok, writes, health, iso } = await world();
    const kept = keeper();
    const first = iso();
    for (let n = 0; n < 59; n += 1) {
      kept.note(ENDPOINT, ok());
      await clock.advance(1_000);
    }
    expect(writes()).to.equal(1);
    expect(await health()).to.include({ failing: 0, last_success_at: first, failing_since: null });
    await clock.advance(1_000);
    kept.note(ENDPOINT, ok());
    await turns(5);
    expect(writes()).to.equal(2);
    expect(await health()).to.include({ last_success_at: iso() });
  });

  it('says since when and why it fails, and until when it rests', async () => {
    const { clock, keeper, ok, bad, health, iso } = await world();
    const kept = keeper();
    kept.note(ENDPOINT, ok());
    const success = iso();
    await clock.advance(60_000);
    const since = iso();
    kept.note(ENDPOINT, bad());
    await turns(5);
    expect(await health()).to.deep.equal({
      ...ENDPOINT,
      failing: 1,
      last_success_at: success,
      last_failure_at: since,
      last_failure: 'timeout',
      failing_since: since,
      resting_until: null,
    });
    await clock.advance(20_000);
    const rest = clock.now() + 5_000;
    kept.note(ENDPOINT, bad(rest));
    await turns(5);
    expect(await health()).to.include({
      failing_since: since,
      last_failure_at: iso(),
      resting_until: iso(rest),
    });
    await clock.advance(20_000);
    kept.note(ENDPOINT, ok());
    await turns(5);
    expect(await health()).to.include({ failing: 0, failing_since: null, resting_until: null });
  });

  it('is written every five seconds at most where attempts alternate, and shows the last state', async () => {
    const { clock, keeper, ok, bad, writes, health } = await world();
    const kept = keeper();
    for (let n = 0; n < 100; n += 1) {
      kept.note(ENDPOINT, n % 2 === 0 ? ok() : bad());
      await clock.advance(100);
    }
    await clock.advance(5_000);
    expect(writes()).to.be.within(2, 4);
    expect(await health()).to.include({ failing: 1 });
  });

  it('keeps what another process saw, and the beginning of the failure over a restart', async () => {
    const { clock, keeper, ok, bad, health, iso } = await world();
    const since = iso();
    keeper().note(ENDPOINT, bad());
    await clock.advance(30_000);
    keeper().note(ENDPOINT, bad());
    await turns(5);
    expect(await health()).to.include({ failing: 1, failing_since: since, last_failure_at: iso() });
    await clock.advance(1_000);
    keeper().note(ENDPOINT, ok());
    await turns(5);
    expect(await health()).to.include({ failing: 0, failing_since: null, last_failure: 'timeout' });
  });

  it('is written before the process stops', async () => {
    const { clock, keeper, ok, bad, health } = await world();
    const kept = keeper();
    kept.note(ENDPOINT, ok());
    await clock.advance(1_000);
    kept.note(ENDPOINT, bad());
    await kept.stop();
    expect(await health()).to.include({ failing: 1 });
  });

  it('is told by the dispatcher: class of the failure, and the rest once the breaker opens', async () => {
    const h = await createMemoryHarness();
    const told: { failure: string | null; restUntil: number | null }[] = [];
    h.respond(() => failure('timeout'));
    const endpoint = h.addEndpoint();
    await h.enqueue(endpoint, 20);
    h.start({
      onOutcome: (_endpoint, { failure: why, restUntil }) => void told.push({ failure: why, restUntil }),
    });
    await h.clock.advance(1_000);
    expect(told[0]).to.deep.equal({ failure: 'timeout', restUntil: null });
    expect(told).to.have.length(20);
    expect(told.at(-1)!.restUntil).to.be.greaterThan(h.clock.now());
  });
});
