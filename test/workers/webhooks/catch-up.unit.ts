/** The deliveries that resume when an endpoint is enabled again: which ones, in which order, how many at once. */
import { expect } from 'chai';
import { asItWas } from '../../../ports/due-times.js';
import { deliveries, type DeliveryDoc } from '../../../read-models/deliveries.js';
import { CATCH_UPS, catchUp, startCatchUps } from '../../../workers/webhooks/catch-up.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import type { DeliveryEndpoint } from '../../../workers/webhooks/endpoints.js';
import { deferred } from '../../conformance/support.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

const HOUR = 3_600_000;

async function world() {
  const clock = manualClock();
  const begun = clock.now();
  const dueTimes = memoryDueTimes(() => clock.now());
  const models = memoryReadModels();
  let pages = 0;
  const readModels: typeof models = {
    ...models,
    async find(...args) {
      if ((pages += 1) > 100) throw new Error('It asks for pages without end.');
      return models.find(...args);
    },
  };
  for (const collection of webhookCollections) await models.define(collection);
  const { logger, log } = collectingLogger();
  const app = { clock, dueTimes, readModels, logger };
  const iso = (ms: number): string => new Date(begun + ms).toISOString();
  let written = 0;
  const asked: (readonly [string, string])[] = [];
  const endpoints = {
    async get(endpointUuid: string, integrationUuid: string): Promise<DeliveryEndpoint | null> {
      asked.push([endpointUuid, integrationUuid]);
      return { enabled: true } as DeliveryEndpoint;
    },
  };
  return {
    app,
    clock,
    log,
    iso,
    endpoints,
    /** Endpoints that were requested from the directory, each with its integration. */
    asked,
    /** Writes deliveries, each a millisecond younger than the one before. */
    async deliveries(count: number, fields: Partial<DeliveryDoc> = {}): Promise<readonly string[]> {
      const ids = Array.from({ length: count }, () => `d${String((written += 1)).padStart(5, '0')}`);
      await readModels.write(
        'deliveries',
        ids.map((id, index) => {
          const created_at = iso(index - HOUR);
          const cancelled = { status: 'cancelled', last_error: 'endpoint_disabled', next_attempt_at: null };
          const common = {
            delivery_id: id,
            endpoint_uuid: 'a',
            attempts: 0,
            created_at,
            updated_at: created_at,
          };
          return { id, doc: { ...common, ...cancelled, ...fields }, version: '0000000002' };
        }),
      );
      return ids;
    },
    document: (id: string) => readModels.all(deliveries.name).get(id)!,
    rows: () =>
      dueTimes
        .rows('webhook')
        .map(({ id, lane, dueAt, payload }) => ({ id, lane, dueAt: dueAt - begun, payload })),
    jobs: () => dueTimes.rows(CATCH_UPS).length,
    start: () => startCatchUps(app, endpoints),
  };
}

const enabled = (endpointUuid: string, eventId: string) => ({ endpointUuid, integrationUuid: 'i', eventId });

describe('catching up', () => {
  it('takes the oldest first, and says that there are more pages than it may take', async () => {
    const w = await world();
    const ids = await w.deliveries(201);
    const [lost] = await w.deliveries(1, { status: 'pending' });
    expect(await catchUp(w.app, 'a', 1)).to.deep.equal({ taken: 200, more: true });
    expect(w.rows().map(({ id }) => id)).to.deep.equal(ids.slice(0, 200));
    expect(await catchUp(w.app, 'a', 1)).to.deep.equal({ taken: 1, more: false });
    expect(w.rows().map(({ id }) => id)).to.have.members([...ids, lost]);
  });

  it('makes a cancelled delivery pending again and due now, with the attempts that it had', async () => {
    const w = await world();
    const [id] = await w.deliveries(1, { attempts: 2 });
    const before = w.document(id!).doc;
    expect(await catchUp(w.app, 'a')).to.deep.equal({ taken: 1, more: false });
    expect(w.document(id!)).to.deep.equal({
      id,
      doc: {
        ...before,
        status: 'pending',
        updated_at: w.iso(0),
        next_attempt_at: w.iso(0),
        last_error: null,
      },
      version: '0000000003',
    });
    expect(w.rows()).to.deep.equal([{ id, lane: 'a', dueAt: 0, payload: { attempts: 2 } }]);
  });

  it('leaves other endpoints alone, and what was delivered or has failed', async () => {
    const w = await world();
    await w.deliveries(1, { endpoint_uuid: 'b' });
    await w.deliveries(1, { status: 'delivered' });
    await w.deliveries(1, { status: 'failed' });
    expect(await catchUp(w.app, 'a')).to.deep.equal({ taken: 0, more: false });
    expect(w.rows()).to.deep.equal([]);
  });

  it('asks no store to write where nothing was missed', async () => {
    const w = await world();
    const dead = (): Promise<never> => Promise.reject(new Error('asked to write'));
    const readModels = { ...w.app.readModels, write: dead };
    const dueTimes = { ...w.app.dueTimes, schedule: dead };
    expect(await catchUp({ ...w.app, readModels, dueTimes }, 'a')).to.deep.equal({ taken: 0, more: false });
  });

  it('gives a pending delivery the row that a crash lost, due when it was', async () => {
    const w = await world();
    const [later] = await w.deliveries(1, { status: 'pending', attempts: 3, next_attempt_at: w.iso(HOUR) });
    const [never] = await w.deliveries(1, { status: 'pending', next_attempt_at: null });
    await catchUp(w.app, 'a');
    expect(w.rows()).to.have.deep.members([
      { id: later, lane: 'a', dueAt: HOUR, payload: { attempts: 3 } },
      { id: never, lane: 'a', dueAt: -HOUR, payload: { attempts: 0 } },
    ]);
    expect(w.document(later!).version, 'it is not written').to.equal('0000000002');
  });

  it('has no more to take where the last page is full', async () => {
    const w = await world();
    await w.deliveries(200);
    expect(await catchUp(w.app, 'a', 1)).to.deep.equal({ taken: 200, more: false });
  });

  it('takes every page where no number is said, and rows that were lost by all pages too', async () => {
    const w = await world();
    await w.deliveries(401);
    await w.deliveries(401, { status: 'pending', endpoint_uuid: 'b' });
    expect(await catchUp(w.app, 'a')).to.deep.equal({ taken: 401, more: false });
    expect(await catchUp(w.app, 'b', 1)).to.deep.equal({ taken: 0, more: false });
    expect(w.rows()).to.have.length(802);
  });
});

describe('catching up as work of its own', () => {
  it('takes up what the endpoint missed, once for each event that enabled it', async () => {
    const w = await world();
    const ids = await w.deliveries(2);
    const catchUps = w.start();
    await catchUps.add(enabled('a', 'e1'));
    await catchUps.add(enabled('a', 'e1'));
    await w.clock.advance(0);
    expect(w.asked).to.deep.equal([['a', 'i']]);
    expect(w.rows().map(({ id }) => id)).to.deep.equal(ids);
    await catchUps.add(enabled('a', 'e2'));
    await w.clock.advance(0);
    expect(w.asked).to.have.length(2);
    expect([w.jobs(), w.log]).to.deep.equal([0, []]);
  });

  for (const [what, endpoint] of [
    ['removed', null],
    ['disabled again', { enabled: false } as DeliveryEndpoint],
  ] as const) {
    it(`leaves what an endpoint missed that is ${what}`, async () => {
      const w = await world();
      await w.deliveries(1);
      w.endpoints.get = () => Promise.resolve(endpoint);
      await w.start().add(enabled('a', 'e1'));
      await w.clock.advance(0);
      expect([w.jobs(), w.rows(), w.log]).to.deep.equal([0, [], []]);
    });
  }

  it('looks at the endpoint again after ten pages, without a wait', async () => {
    const w = await world();
    await w.deliveries(2_001);
    await w.start().add(enabled('a', 'e1'));
    await w.clock.advance(0);
    expect(w.asked).to.have.length(2);
    expect([w.rows().length, w.jobs()]).to.deep.equal([2_001, 0]);
  });

  it('is done for two endpoints at once, and once at a time for each', async () => {
    const w = await world();
    const asked: string[] = [];
    const answer = deferred<null>();
    w.endpoints.get = (endpointUuid) => {
      asked.push(endpointUuid);
      return answer.promise;
    };
    const catchUps = w.start();
    for (const [event, endpoint] of ['a', 'a', 'b', 'c'].entries()) {
      await catchUps.add(enabled(endpoint, `e${event}`));
    }
    await w.clock.advance(0);
    expect(asked).to.deep.equal(['a', 'b']);
    answer.resolve(null);
    await w.clock.advance(0);
    expect(asked).to.have.members(['a', 'a', 'b', 'c']);
    expect(w.jobs()).to.equal(0);
  });

  it('is not given up, however often a process ended in the middle of it', async () => {
    const w = await world();
    await w.deliveries(1);
    const stopped = w.start();
    await stopped.stop();
    await stopped.add(enabled('a', 'e1'));
    for (let n = 0; n < 100; n += 1) {
      const now = w.clock.now();
      const [entry] = await w.app.dueTimes.claim({ queue: CATCH_UPS, lane: 'a', now, limit: 1, leaseMs: 1 });
      await w.app.dueTimes.settle([asItWas(entry!)]);
    }
    w.start();
    await w.clock.advance(0);
    expect([w.jobs(), w.rows().length]).to.deep.equal([0, 1]);
  });

  it('ends the page it is at when it is stopped, and begins nothing more', async () => {
    const w = await world();
    const answer = deferred<null>();
    w.endpoints.get = () => answer.promise;
    const catchUps = w.start();
    await catchUps.add(enabled('a', 'e1'));
    await w.clock.advance(0);
    let stopped = false;
    const ended = catchUps.stop().then(() => (stopped = true));
    await catchUps.add(enabled('b', 'e2'));
    await w.clock.advance(HOUR);
    expect(stopped).to.equal(false);
    answer.resolve(null);
    await w.clock.advance(0);
    expect([stopped, w.jobs()]).to.deep.equal([true, 1]);
    await ended;
  });
});
