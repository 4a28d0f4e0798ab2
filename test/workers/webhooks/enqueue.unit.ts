/** The records that are written of a delivery before its first attempt, and their order. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { CATCH_UPS } from '../../../workers/webhooks/catch-up.js';
import {
  webhookCollections,
  DELIVERY_QUEUE,
  FIRST_VERSION,
  nextVersion,
} from '../../../workers/webhooks/documents.js';
import { enqueueDeliveries, redeliver, type NewDelivery } from '../../../workers/webhooks/enqueue.js';
import { attemptId } from '../../../application/queries/delivery-attempts.js';
import { deferred } from '../../conformance/support.js';
import { atOnce, manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { deliveries, type DeliveryDoc } from '../../../read-models/deliveries.js';

const BODY = '{"text":"olá"}';
const NEW: NewDelivery = {
  deliveryId: 'd1',
  companyUuid: 'company',
  integrationUuid: 'integration',
  endpointUuid: 'endpoint',
  eventId: 'event',
  eventType: 'message.received',
  body: BODY,
};

function world() {
  const clock = manualClock();
  const rows = memoryDueTimes(() => clock.now());
  const models = memoryReadModels();
  const steps: string[] = [];
  const soon = deferred();
  /** Records when a call is requested and when it has ended, one event-loop tick later. */
  const noted = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    steps.push(what);
    await turns(1);
    const answer = await call();
    steps.push(`${what} ended`);
    return answer;
  };
  const at = new Date(clock.now()).toISOString();
  return {
    clock,
    steps,
    /** The documents that were written soon are durable. */
    makeDurable: () => soon.resolve(),
    at,
    deps: {
      clock,
      newId: () => 'd2',
      dueTimes: {
        ...rows,
        schedule: (...args: Parameters<typeof rows.schedule>) =>
          noted(`rows due in ${(args[0][0]!.dueAt - clock.now()) / 1_000} s`, () => rows.schedule(...args)),
        reschedule: (...args: Parameters<typeof rows.reschedule>) =>
          noted(`row ${args[1]} due in ${(args[2] - clock.now()) / 1_000} s`, () => rows.reschedule(...args)),
      },
      readModels: {
        ...models,
        write: (...args: Parameters<typeof models.write>) => noted('documents', () => models.write(...args)),
        writeSoon: async (...args: Parameters<typeof models.writeSoon>) => {
          steps.push('documents soon');
          return { ...(await models.writeSoon(...args)), durable: soon.promise };
        },
      },
    },
    document: (id: string) => models.all(deliveries.name).get(id),
    rows: () => rows.rows('webhook').map(({ id, lane, dueAt, payload }) => ({ id, lane, dueAt, payload })),
    written: {
      delivery_id: 'd1',
      company_uuid: 'company',
      integration_uuid: 'integration',
      endpoint_uuid: 'endpoint',
      event_id: 'event',
      event_type: 'message.received',
      trigger: 'auto',
      redelivery_of: null,
      status: 'pending',
      body: BODY,
      body_sha256: createHash('sha256').update(BODY).digest('hex'),
      attempts: 0,
      created_at: at,
      updated_at: at,
      next_attempt_at: at,
      last_status: null,
      last_error: null,
    } satisfies DeliveryDoc,
  };
}

describe('a delivery that is enqueued', () => {
  it('is a document and a row that is due now', async () => {
    const w = world();
    await enqueueDeliveries(w.deps, [NEW]);
    expect(w.document('d1')).to.deep.equal({ id: 'd1', doc: w.written, version: '0000000001' });
    expect(w.rows()).to.deep.equal([
      { id: 'd1', lane: 'endpoint', dueAt: w.clock.now(), payload: { attempts: 0 } },
    ]);
  });

  it('has its row once its document is durable', async () => {
    const w = world();
    await enqueueDeliveries(w.deps, [NEW]);
    expect(w.steps).to.deep.equal([
      'documents',
      'documents ended',
      'rows due in 0 s',
      'rows due in 0 s ended',
    ]);
  });

  it('need not be durable while its batch is open, which waits for that', async () => {
    const w = world();
    const works: Promise<unknown>[] = [];
    await enqueueDeliveries(w.deps, [NEW], { until: (work) => void works.push(work) });
    expect(w.steps).to.deep.equal(['documents soon', 'rows due in 0 s', 'rows due in 0 s ended']);
    expect(w.document('d1')?.doc).to.deep.equal(w.written);
    let durable = false;
    void Promise.all(works).then(() => (durable = true));
    await turns();
    expect(durable).to.equal(false);
    w.makeDurable();
    await turns();
    expect(durable).to.equal(true);
  });

  it('keeps its trace and what triggered it', async () => {
    const w = world();
    await enqueueDeliveries(w.deps, [{ ...NEW, correlationId: 'trace', trigger: 'manual' }]);
    expect(w.document('d1')!.doc).to.deep.equal({ ...w.written, correlation_id: 'trace', trigger: 'manual' });
  });

  it('stays as it is when it is enqueued again', async () => {
    const w = world();
    await enqueueDeliveries(w.deps, [NEW]);
    await w.clock.advance(1_000);
    await enqueueDeliveries(w.deps, [{ ...NEW, body: '{}' }]);
    expect(w.document('d1')!.doc).to.deep.equal(w.written);
    expect(w.rows().map(({ dueAt }) => dueAt)).to.deep.equal([w.clock.now() - 1_000]);
  });
});

describe('a delivery that is sent again by hand', () => {
  it('is another one of the same bytes, with all its attempts before it', async () => {
    const w = world();
    await enqueueDeliveries(w.deps, [NEW]);
    const ended = {
      ...w.written,
      status: 'failed',
      attempts: 10,
      last_status: 500,
      last_error: 'status 500',
    };
    await w.deps.readModels.write(deliveries.name, [
      { id: 'd1', doc: { ...ended, next_attempt_at: null }, version: '0000000002' },
    ]);
    await w.deps.dueTimes.cancel('webhook', ['d1']);
    await w.clock.advance(60_000);
    const at = new Date(w.clock.now()).toISOString();
    const again = {
      ...w.written,
      delivery_id: 'd2',
      trigger: 'manual',
      redelivery_of: 'd1',
      created_at: at,
      updated_at: at,
      next_attempt_at: at,
    };
    expect(await redeliver(w.deps, 'd1')).to.deep.equal(again);
    expect(w.document('d2')).to.deep.equal({ id: 'd2', doc: again, version: '0000000001' });
    expect(w.rows()).to.deep.equal([
      { id: 'd2', lane: 'endpoint', dueAt: w.clock.now(), payload: { attempts: 0 } },
    ]);
  });

  it('has a row before its document, which is not due until the document is there', async () => {
    const w = world();
    await enqueueDeliveries(w.deps, [NEW]);
    w.steps.length = 0;
    await atOnce(redeliver(w.deps, 'd1'));
    expect(w.steps).to.deep.equal([
      'rows due in 30 s',
      'rows due in 30 s ended',
      'documents',
      'documents ended',
      'row d2 due in 0 s',
      'row d2 due in 0 s ended',
    ]);
  });

  it('is none where there is no such delivery', async () => {
    const w = world();
    expect(await redeliver(w.deps, 'unknown')).to.equal(undefined);
    expect(w.steps).to.deep.equal([]);
  });
});

describe('what webhooks leave on disk', () => {
  // A change of these needs a new version of the collection: existing data on disk was indexed by the old one.
  it('has the queues, collections, indexes, ids and versions that earlier releases made', () => {
    expect([DELIVERY_QUEUE, CATCH_UPS]).to.deep.equal(['webhook', 'webhook-catch-up']);
    expect([FIRST_VERSION, nextVersion('0000000009')]).to.deep.equal(['0000000001', '0000000010']);
    expect(attemptId('d1', 2, 7)).to.equal('d1:0002:7');
    expect(webhookCollections).to.deep.equal([
      {
        name: 'deliveries',
        version: 1,
        indexes: {
          by_integration: ['integration_uuid', 'created_at'],
          by_endpoint_status: ['endpoint_uuid', 'status', 'created_at'],
          by_status: ['status', 'created_at'],
          by_event: ['event_id', 'created_at'],
        },
        idsBegin: { index: 'by_event', characters: 13 },
        forgets: true,
        packed: true,
      },
      {
        name: 'delivery_attempts',
        version: 1,
        indexes: {},
        forgets: true,
        packed: true,
      },
      {
        name: 'webhook_health',
        version: 1,
        indexes: { by_state: ['failing', 'failing_since'] },
        forgets: true,
      },
      {
        name: 'webhook_jobs',
        version: 1,
        indexes: {
          by_endpoint: ['endpoint_uuid', 'created_at'],
          by_endpoint_status: ['endpoint_uuid', 'status', 'created_at'],
          by_status: ['status', 'created_at'],
        },
        forgets: true,
      },
      {
        name: 'event_envelopes',
        version: 1,
        indexes: { by_integration: ['integration_uuid', 'sequence'] },
        forgets: true,
        packed: true,
      },
      { name: 'event_gaps', version: 1, indexes: { oldest: ['since'] }, forgets: true },
      { name: 'event_feed', version: 1, indexes: {} },
    ]);
  });
});
