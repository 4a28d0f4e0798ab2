/** A worker of notifications beside read models that show only what the test writes to them. */
import type { App } from '../../../application/app.js';
import type { RecordedEvent } from '../../../application/codec.js';
import type { EventPointer } from '../../../application/relay.js';
import { exampleIds } from '../../support/examples/example.js';
import type { StoredRecord } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import type { Find } from '../../../ports/read-models.js';
import type { ConsumeOptions, OpenBatch } from '../../../ports/topics.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import { projections } from '../../../projections/catalog.js';
import { foldBatch } from '../../../projections/fold.js';
import type { AnyProjection } from '../../../projections/projection.js';
import { createReplay } from '../../../projections/replay.js';
import type { Skips } from '../../../projections/skips.js';
import { createEnvelopeBook, type KeepEnvelope } from '../../../workers/event-feed/book.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import type { EndpointRow } from '../../../workers/notifications/endpoints.js';
import type { DeliveryOrder } from '../../../workers/notifications/delivery-order.js';
import { notificationReactor, type NotificationNeeds } from '../../../workers/notifications/worker.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { handled } from '../../support/projections.js';

type CaughtUp = Parameters<NotificationNeeds['catchUp']>[0];

export const ENDPOINT: EndpointRow = {
  endpoint_uuid: exampleIds.endpoint,
  integration_uuid: exampleIds.integration,
  company_uuid: exampleIds.company,
  event_types: null,
};

/** @param stored the records that the event store shows; those of all events when left out */
export function notificationWorld(
  events: readonly RecordedEvent[],
  stored?: readonly StoredRecord[],
  keepEnvelope: KeepEnvelope = createEnvelopeBook(),
) {
  const clock = manualClock();
  const reads: string[] = [];
  const readModels = memoryReadModels((step, what) => void (step === 'read' && reads.push(what)));
  const orders: DeliveryOrder[] = [];
  const caughtUp: CaughtUp[] = [];
  const outcomes: string[] = [];
  const there = [...(stored ?? events.map(({ record }) => record))];
  const barrier = fakeBarrier();
  const endpoints = [ENDPOINT];
  let consumed: ConsumeOptions | undefined;
  const app = {
    clock,
    logger: silentLogger,
    dueTimes: memoryDueTimes(() => clock.now()),
    readModels: {
      ...readModels,
      find: async (_collection: string, { equals }: Find) => ({
        documents: endpoints
          .filter(({ company_uuid }) => company_uuid === equals[0])
          .map((doc) => ({ id: doc.endpoint_uuid, version: '1', doc })),
        next: null,
      }),
    },
    barrier,
    envelopesOrderedAfter: () => Infinity,
    deliveriesNearAfter: () => Infinity,
    store: {
      sequenceOf: Number,
      read: async (stream: string, { limit }: { limit: number } = { limit: Infinity }) =>
        there.filter((record) => record.stream === stream).slice(0, limit),
    },
    codec: {
      decodeAll: async (records: readonly StoredRecord[]) =>
        records.map((record) => events.find((known) => known.record === record)!),
    },
    topics: {
      consume(options: ConsumeOptions) {
        consumed = options;
        return { stop: async () => undefined };
      },
    },
  } as unknown as App;
  const skipped = new Set<string>();
  const skips: Skips = {
    has: (projection, { eventId }) => skipped.has(`${projection}/${eventId}`),
    refresh: async () => undefined,
  };
  const worker = startReactor(
    { ...app, ...createReplay(projections, { ...app, skips }) },
    notificationReactor,
    {
      keepEnvelope,
      enqueue: async (some) => void orders.push(...some),
      catchUp: async (endpoint) => void caughtUp.push(endpoint),
    },
    (group, outcome) => void outcomes.push(`${group} ${outcome}`),
  );
  return {
    clock,
    readModels,
    orders,
    caughtUp,
    outcomes,
    consumed: () => consumed!,
    /** How often a read model was read. */
    reads: (model: string) => reads.filter((what) => what === model).length,
    told: () =>
      orders.map(
        ({ body }) => JSON.parse(body) as { id: string; type: string; data: Record<string, unknown> },
      ),
    parked: () => readModels.all(parkedMessages.name).size,
    reasons: () => [...readModels.all(parkedMessages.name).values()].map(({ doc }) => String(doc['reason'])),
    /** An operator skips the event for this read model. */
    skip: (projection: AnyProjection, { eventId }: StoredRecord) =>
      void skipped.add(`${projection.name}/${eventId}`),
    waiting: () => app.dueTimes.count('retry:notifications'),
    history: there,
    /** The endpoints that the read model shows. */
    endpoints,
    barrier,
    /** Writes the documents that the projection makes of these events. */
    async show(projection: AnyProjection, some = events): Promise<void> {
      await readModels.write(
        projection.name,
        foldBatch(projection, handled(projection, some), () => undefined),
      );
    },
    async pointAt(
      { stream, revision, position, eventId, meta }: StoredRecord,
      open?: OpenBatch,
    ): Promise<void> {
      const value: EventPointer = {
        stream,
        revision,
        position,
        event_id: eventId,
        company: meta.company,
        correlation_id: meta.correlation_id,
      };
      await consumed!.handle([{ topic: 't', key: stream, value, offset: `0:${position}` }], open);
    },
    stop: () => worker.stop(),
  };
}
