import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { envelopeIdOf } from '../../../application/event-feed/envelopes.js';
import { integrationStream } from '../../../domain/streams.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { eventEnvelopes } from '../../../read-models/event-envelopes.js';
import { createEnvelopeBook } from '../../../workers/event-feed/book.js';
import type { EnvelopeInput } from '../../../workers/notifications/envelope.js';
import type { NotifiableEvent } from '../../../workers/notifications/event-kind.js';
import type { RecordedEvent } from '../../../application/codec.js';
import { createKeptRows } from '../../../workers/lanes/kept-rows.js';
import { DELIVERY_QUEUE, webhookCollections } from '../../../workers/webhooks/documents.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { temporaryStore } from '../../conformance/embedded.js';
import { exampleIds } from '../../support/examples/example.js';
import { integrationEventExamples } from '../../support/examples/integration.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { history } from '../../support/projections.js';

const TOLD = history([
  integrationStream.toName(exampleIds.integration),
  integrationEventExamples.testRequested,
]) as readonly RecordedEvent<NotifiableEvent>[];
const INPUT: EnvelopeInput = {
  eventId: 'event-1',
  type: 'webhook.test',
  history: TOLD,
  integrationUuid: exampleIds.integration,
};
const ID = envelopeIdOf({ eventId: INPUT.eventId, sequence: 0 }, INPUT.integrationUuid);
const appOver = (readModels: App['readModels']): App =>
  ({
    readModels,
    barrier: fakeBarrier(),
    clock: manualClock(),
    envelopesOrderedAfter: () => Infinity,
    store: { sequenceOf: Number },
  }) as unknown as App;

/** An application whose writes become durable one by one, by `commit`. */
function slowApp() {
  const inner = memoryReadModels();
  const commits: (() => Promise<void>)[] = [];
  const write: App['readModels']['write'] = (...args) =>
    new Promise((resolve, reject) => {
      commits.push(() => inner.write(...args).then(resolve, reject));
    });
  return {
    app: appOver({ ...inner, write }),
    writes: () => commits.length,
    commit: async (): Promise<void> => commits.shift()!(),
    stored: () => inner.all(eventEnvelopes.name).get(ID)?.doc['body'],
  };
}

/** Whether the promise has resolved, once everything that can go on has. */
async function hasResolved(promise: Promise<unknown>): Promise<boolean> {
  let resolved = false;
  void promise.then(() => (resolved = true));
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
  return resolved;
}

describe('the book of envelopes', () => {
  it('hands an envelope out only once it is durable, with the bytes that are stored', async () => {
    const world = slowApp();
    const kept = createEnvelopeBook()(world.app, INPUT);
    expect(await hasResolved(kept)).to.equal(false);
    await world.commit();
    const { envelope, durable } = (await kept)!;
    await durable;
    expect(envelope.body).to.equal(world.stored()).and.to.be.a('string');
  });

  describe('of the only process', () => {
    it('hands an envelope out before, says when it is durable, and makes it once until then', async () => {
      const world = slowApp();
      const keep = createEnvelopeBook(true);
      const first = (await keep(world.app, INPUT))!;
      const second = (await keep(world.app, INPUT))!;
      expect(second).to.equal(first);
      expect([world.writes(), world.stored()]).to.deep.equal([1, undefined]);
      expect(await hasResolved(first.durable)).to.equal(false);
      await world.commit();
      await first.durable;
      expect(world.stored()).to.equal(first.envelope.body);
      expect((await keep(world.app, INPUT))!.envelope.body, 'from the store').to.equal(first.envelope.body);
      expect(world.writes()).to.equal(0);
    });

    it('makes it again after a write that failed', async () => {
      const { app } = slowApp();
      let fails = true;
      const { readModels } = app;
      const write: App['readModels']['write'] = () =>
        fails ? Promise.reject(new Error('no room')) : Promise.resolve([]);
      const keep = createEnvelopeBook(true);
      const failing = { ...app, readModels: { ...readModels, write } };
      const lost = (await keep(failing, INPUT))!.durable.catch(String);
      expect(await lost).to.equal('Error: no room');
      fails = false;
      await (await keep(failing, INPUT))!.durable;
    });

    it('costs the embedded store one commit, with deliveries that follow and rows in memory', async () => {
      const temporary = await temporaryStore();
      const { store } = temporary;
      const { readModels } = store;
      const trouble = { failed: () => undefined, worked: () => undefined };
      const dueTimes = createKeptRows(store.dueTimes, manualClock(), trouble);
      try {
        for (const collection of webhookCollections) await readModels.define(collection);
        const app = appOver(readModels);
        const before = store.stats().commits;
        const { envelope, durable } = (await createEnvelopeBook(true)(app, INPUT))!;
        const delivery = {
          deliveryId: 'delivery-1',
          companyUuid: exampleIds.company,
          integrationUuid: exampleIds.integration,
          endpointUuid: exampleIds.endpoint,
          eventId: INPUT.eventId,
          eventType: INPUT.type,
          body: envelope.body,
        };
        const deps = { readModels, dueTimes, clock: app.clock };
        await durable;
        await enqueueDeliveries(deps, [delivery], { until: () => undefined });
        expect(store.stats().commits - before, 'of the envelope').to.equal(1);
        expect((await readModels.get(deliveries.name, 'delivery-1'))?.doc).to.include({ status: 'pending' });
        expect((await readModels.get(eventEnvelopes.name, ID))?.doc.body).to.equal(envelope.body);
        expect([
          await dueTimes.count(DELIVERY_QUEUE),
          await store.dueTimes.count(DELIVERY_QUEUE),
        ]).to.deep.equal([1, 0]);
      } finally {
        await temporary.close();
      }
    });
  });
});
