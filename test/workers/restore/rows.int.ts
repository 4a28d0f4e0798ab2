/** Rows and messages that came with the copy: webhooks, reactions, and work whose repetition nobody outside notices. */
import { expect } from 'chai';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import { FLOWS, MEDIA, NOTIFICATIONS, SENDS, type EventPointer } from '../../../application/relay.js';
import { reactionId } from '../../../application/restore/held-work.js';
import { startJob, WEBHOOK_JOBS } from '../../../application/webhooks/jobs.js';
import type { Position } from '../../../ports/event-store.js';
import type { TopicMessage } from '../../../ports/topics.js';
import { deliveries, type DeliveryDoc } from '../../../read-models/deliveries.js';
import { webhookJobs } from '../../../read-models/webhook-jobs.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import { DELIVERY_QUEUE, webhookCollections } from '../../../workers/webhooks/documents.js';
import { CATCH_UPS, catchUp } from '../../../workers/webhooks/catch-up.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { restoreCollections } from '../../../workers/restore/prepare.js';
import { decideHeld } from '../../../workers/restore/release.js';
import { holdingBack } from '../../../workers/restore/rows.js';
import { makeApi } from '../../support/api/make-api.js';
import { openedForEach } from '../../support/opened.js';
import { heldUnder, restored } from './restored.js';

const ADMIN = { actor: 'admin' };
const ADMIN_ORIGIN = { requestedBy: 'admin' };
const HOUR = 3_600_000;
const FIRST = '00000000000000000001';

describe('rows behind a restore', () => {
  const api = openedForEach(makeApi);
  beforeEach(async () => {
    for (const spec of [...webhookCollections, parkedMessages, ...restoreCollections]) {
      await api.app.readModels.define(spec);
    }
  });

  const delivery = (deliveryId: string, endpointUuid: string) => ({
    deliveryId,
    companyUuid: api.app.newId(),
    integrationUuid: api.app.newId(),
    endpointUuid,
    eventId: api.app.newId(),
    eventType: 'message.updated',
    body: '{"id":"1"}',
  });
  const stored = async (id: string): Promise<DeliveryDoc> =>
    (await api.app.readModels.get(deliveries.name, id))!.doc;
  const waiting = async (id: string): Promise<boolean> =>
    (await api.app.dueTimes.existing(DELIVERY_QUEUE, [id])).has(id);
  const pointer = (position: string): EventPointer => ({
    stream: 'message-1',
    revision: 0,
    position: position as Position,
    event_id: api.app.newId(),
    company: api.app.newId(),
    correlation_id: 'c',
  });

  it('hold a delivery that was due, with its bytes, until it is released', async () => {
    const { app } = api;
    const [id, endpoint] = [app.newId(), app.newId()];
    await enqueueDeliveries(app, [delivery(id, endpoint)]);
    await restored(app);
    expect(await heldUnder(app, id)).to.include({ kind: 'delivery' });
    // Nothing resumes it by itself, not even switching the endpoint on again.
    await catchUp(app, endpoint);
    expect([(await stored(id)).status, await waiting(id)]).to.deep.equal(['failed', false]);
    const { body_sha256 } = await stored(id);
    await decideHeld(app, 'release', id, ADMIN);
    expect(await stored(id)).to.include({ status: 'pending', last_error: null, body_sha256 });
    expect(await waiting(id)).to.equal(true);
  });

  it('leave a delivery failed that is ended, and one alone whose next attempt comes later', async () => {
    const { app } = api;
    const [due, later] = [app.newId(), app.newId()];
    await enqueueDeliveries(app, [delivery(due, app.newId()), delivery(later, app.newId())]);
    await app.dueTimes.reschedule(DELIVERY_QUEUE, later, app.clock.now() + HOUR);
    await restored(app);
    await decideHeld(app, 'end', due, ADMIN);
    expect([(await stored(due)).status, await waiting(due)]).to.deep.equal(['failed', false]);
    expect([await heldUnder(app, later), (await stored(later)).status, await waiting(later)]).to.deep.equal([
      undefined,
      'pending',
      true,
    ]);
  });

  it('end the catching up of endpoints that were enabled before', async () => {
    const { app } = api;
    await app.dueTimes.schedule([
      { queue: CATCH_UPS, id: 'e1', lane: 'endpoint', dueAt: app.clock.now(), payload: {} },
    ]);
    await restored(app);
    expect(await app.dueTimes.count(CATCH_UPS)).to.equal(0);
  });

  it('end replays and redeliveries that were running', async () => {
    const { app } = api;
    const endpoint = { endpoint_uuid: app.newId(), integration_uuid: app.newId(), company_uuid: app.newId() };
    const { doc } = await startJob(app, 'redeliver_failed', endpoint, {}, ADMIN_ORIGIN);
    await restored(app);
    const { doc: ended } = (await app.readModels.get(webhookJobs.name, doc.uuid))!;
    expect(ended).to.include({ status: 'failed', reason: 'restored' });
    expect(await app.dueTimes.count(WEBHOOK_JOBS)).to.equal(0);
  });

  it('hold work that was to be tried again; ended, it is parked', async () => {
    const { app } = api;
    const [due, later] = [pointer(FIRST), pointer(FIRST)];
    await app.dueTimes.schedule([
      retryRow('notifications', '7', due, app.clock.now() - 1, 3),
      retryRow('notifications', '8', later, app.clock.now() + HOUR),
    ]);
    await restored(app);
    const id = reactionId('notifications', due.event_id);
    expect(await heldUnder(app, id)).to.include({ kind: 'reaction', company_uuid: due.company });
    expect(await heldUnder(app, reactionId('notifications', later.event_id))).to.equal(undefined);
    const ids = async () => [...(await app.dueTimes.existing(retryQueue('notifications'), ['7', '8']))];
    expect(await ids()).to.deep.equal(['8']);
    await decideHeld(app, 'end', id, ADMIN);
    const parked = await app.readModels.get(parkedMessages.name, 'notifications:7');
    expect(parked!.doc.value).to.deep.equal(due);
    expect(await ids()).to.deep.equal(['8']);
  });

  it('hold messages of the topics that are about events before it, and let those through that are not', async () => {
    const { app } = api;
    const horizon = await restored(app);
    const next = `${horizon.position}9`;
    const old = {
      [NOTIFICATIONS]: pointer(FIRST),
      [FLOWS]: pointer(FIRST),
      [SENDS]: pointer(FIRST),
      [MEDIA]: pointer(FIRST),
    };
    const fresh = pointer(next);
    const handled: Record<string, unknown[]> = {};
    for (const topic of Object.keys(old) as (keyof typeof old)[]) {
      const topics = holdingBack(
        {
          publish: async () => undefined,
          consume: ({ handle }) => {
            const message = (value: EventPointer): TopicMessage => ({ topic, key: 'k', value, offset: '1' });
            return { handle: () => handle([message(old[topic]), message(fresh)]) } as never;
          },
        },
        app,
        horizon,
      );
      const consumer = topics.consume({
        topic,
        group: topic,
        async handle(batch) {
          handled[topic] = batch.map(({ value }) => value);
        },
      }) as unknown as { handle(): Promise<void> };
      await consumer.handle();
    }
    expect(handled).to.deep.equal({
      [NOTIFICATIONS]: [fresh],
      [FLOWS]: [fresh],
      [SENDS]: [fresh],
      [MEDIA]: [old[MEDIA], fresh],
    });
    const held = (topic: keyof typeof old) => heldUnder(app, reactionId(topic, old[topic].event_id));
    expect(await held(NOTIFICATIONS)).to.include({ kind: 'reaction' });
    expect(await held(FLOWS)).to.include({ kind: 'reaction' });
    // Sends are found in their streams.
    expect([await held(SENDS), await held(MEDIA)]).to.deep.equal([undefined, undefined]);
  });

  it('stay released when a message of a topic comes once more', async () => {
    const { app } = api;
    const horizon = await restored(app);
    const value = pointer(FIRST);
    const topics = holdingBack(
      {
        publish: async () => undefined,
        consume: ({ handle }) =>
          ({ handle: () => handle([{ topic: FLOWS, key: 'k', value, offset: '1' }]) }) as never,
      },
      app,
      horizon,
    );
    const handle = async (): Promise<void> => expect.fail('it was handed over');
    const consumer = topics.consume({ topic: FLOWS, group: FLOWS, handle }) as unknown as {
      handle(): Promise<void>;
    };
    await consumer.handle();
    const id = reactionId(FLOWS, value.event_id);
    await decideHeld(app, 'release', id, ADMIN);
    await consumer.handle();
    expect(await heldUnder(app, id)).to.equal(undefined);
    expect([...(await app.dueTimes.existing(retryQueue(FLOWS), ['1']))]).to.deep.equal(['1']);
  });

  it('are left alone where nothing ran since', async () => {
    const { app } = api;
    const id = app.newId();
    await enqueueDeliveries(app, [delivery(id, app.newId())]);
    await restored(app, true);
    expect([await heldUnder(app, id), (await stored(id)).status, await waiting(id)]).to.deep.equal([
      undefined,
      'pending',
      true,
    ]);
  });
});
