/** Workers that loop, stopped in the middle of a backlog: work that has begun ends, and no other work begins. */
import { expect } from 'chai';
import { createLeases } from '../../adapters/embedded/leases.js';
import type { App } from '../../application/app.js';
import { FILES, TRANSCRIPTIONS } from '../../application/media/queues.js';
import { FLOW_REQUESTS, FLOW_TIMERS } from '../../application/flows/queues.js';
import { RETRY_LANE, retryQueue } from '../../application/parked-messages.js';
import { laneName, RECONCILE_QUEUE, SEND_QUEUE } from '../../application/send/queue.js';
import { IMAGE_EXPIRY } from '../../application/store/image-expiry.js';
import { REFRESH_QUEUE } from '../../application/templates/refresh.js';
import { executionAggregate } from '../../domain/execution/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { operationEventExamples } from '../support/examples/operation.js';
import { initialChannelControls } from '../../domain/channel-controls/state.js';
import type { DueTimes } from '../../ports/due-times.js';
import { silentLogger } from '../../ports/logger.js';
import type { ProviderMedia } from '../../ports/provider-media.js';
import type { Transcriber } from '../../ports/transcriber.js';
import { startReactor } from '../../workers/kernel/reactor.js';
import { startTemplateRefresh } from '../../workers/channels/template-refresh.js';
import { INBOUND_LANES, INBOUND_UPDATES } from '../../workers/inbound/hand-on.js';
import { startIntakeRetention } from '../../workers/inbound/retention.js';
import { flowReactor } from '../../workers/flows/worker.js';
import { inboundReactor } from '../../workers/inbound/worker.js';
import { mediaReactor } from '../../workers/media/worker.js';
import { notificationReactor } from '../../workers/notifications/worker.js';
import { startRetention } from '../../workers/retention/sweep.js';
import { startSendDispatcher } from '../../workers/sending/dispatcher.js';
import { startReconciler } from '../../workers/sending/reconcile.js';
import { startSweeper } from '../../workers/sending/sweeper.js';
import { pictureReactor } from '../../workers/store/image-sweeper.js';
import { CATCH_UPS, startCatchUps } from '../../workers/webhooks/catch-up.js';
import type { DeliveryEndpoint } from '../../workers/webhooks/endpoints.js';
import { deferred } from '../conformance/support.js';
import { manualClock, turns } from '../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../support/memory/due-times.js';

const HOUR = 3_600_000;
const BACKLOG = 500;
const LANES = 5;
/** Time after which a started worker has as much work in progress as it may have. */
const FILLED_MS = 5_000;

interface Stoppable {
  stop(): Promise<unknown>;
}

interface Case {
  readonly name: string;
  /** The queue that holds its backlog, unless read models show the backlog. */
  readonly queue?: string;
  readonly lane?: (n: number) => string;
  /** A queue whose lanes are the ids in the first queue's rows; each lane has one row. */
  readonly within?: string;
  /** Pieces of work that it may have in progress at once. */
  readonly atOnce: number;
  readonly start: (app: App) => Stoppable | Promise<Stoppable>;
}

const intake = { untilRead: async () => true, toReadAgain: async () => 0 };
const nothing = async (): Promise<void> => undefined;
const provider = {} as ProviderMedia;
const transcriber = {} as Transcriber;

const CASES: readonly Case[] = [
  { name: 'the sweeper of sends', atOnce: 1, start: (app) => startSweeper(app) },
  {
    name: 'the reconciler',
    queue: RECONCILE_QUEUE,
    atOnce: 100,
    start: (app) => startReconciler(app, intake),
  },
  {
    name: 'the dispatcher of sends',
    queue: SEND_QUEUE,
    lane: (n) => laneName(`c${n}`, 'service'),
    atOnce: 256,
    start: (app) => startSendDispatcher(app),
  },
  {
    name: 'the retention of logs',
    atOnce: 1,
    start: (app) => startRetention(app, { deliveryLog: 1, parkedMessages: 1, removed: 1 }),
  },
  { name: 'the retention of provider webhooks', atOnce: 1, start: (app) => startIntakeRetention(app, 1) },
  {
    name: 'the refresh of templates',
    queue: REFRESH_QUEUE,
    atOnce: 1,
    start: (app) => startTemplateRefresh(app),
  },
  {
    name: 'the sweeper of pictures',
    queue: IMAGE_EXPIRY,
    atOnce: 8,
    start: (app) => startReactor(app, pictureReactor, {}),
  },
  {
    name: 'endpoints that catch up',
    queue: CATCH_UPS,
    atOnce: 2,
    start: (app) => startCatchUps(app, { get: () => Promise.resolve({ enabled: true } as DeliveryEndpoint) }),
  },
  {
    name: 'media: files',
    queue: FILES,
    atOnce: 8,
    start: (app) => startReactor(app, mediaReactor, { providerMedia: provider, transcriber: null }),
  },
  {
    name: 'media: transcriptions',
    queue: TRANSCRIPTIONS,
    atOnce: 4,
    start: (app) => startReactor(app, mediaReactor, { providerMedia: provider, transcriber }),
  },
  {
    name: 'flows: waits that have ended',
    queue: FLOW_TIMERS,
    atOnce: 32,
    start: (app) => startReactor(app, flowReactor, {}),
  },
  {
    name: 'flows: calls of other systems',
    queue: FLOW_REQUESTS,
    atOnce: 32,
    start: (app) => startReactor(app, flowReactor, {}),
  },
  {
    name: 'notifications that are tried again',
    queue: retryQueue('notifications'),
    lane: () => RETRY_LANE,
    atOnce: 50,
    start: (app) =>
      startReactor(app, notificationReactor, {
        keepEnvelope: async () => null,
        enqueue: nothing,
        catchUp: nothing,
      }),
  },
  {
    name: 'lanes of provider webhooks',
    queue: INBOUND_LANES,
    lane: () => 'numbers',
    within: INBOUND_UPDATES,
    atOnce: 16,
    start: (app) => startReactor(app, inboundReactor, {}),
  },
  {
    name: 'provider webhooks that are read again',
    queue: retryQueue('inbound'),
    lane: () => RETRY_LANE,
    atOnce: 50,
    start: (app) => startReactor(app, inboundReactor, {}),
  },
];

function world({ queue, within, lane = (n) => `l${n}` }: Case) {
  const clock = manualClock();
  const inner = memoryDueTimes(() => clock.now());
  const gate = deferred();
  const claims = { wait: Promise.resolve(), asked: 0 };
  let begun = 0;
  let calls = 0;
  /** A piece of work, which lasts until the test lets it end. */
  const work = async <T>(answer: T): Promise<T> => {
    begun += 1;
    await gate.promise;
    return answer;
  };
  const long = new Date(clock.now() - 100 * HOUR).toISOString();
  const operation = { ...operationAggregate.initial, phase: 'unknown', reconcileUntil: long };
  const listed = Array.from({ length: 50 }, (_, n) => ({
    id: `id${n}`,
    version: '0001',
    doc: {
      uuid: `uuid${n}`,
      created_at: long,
      parked_at: long,
      status: 'queued',
      company_uuid: `company${n}`,
      waba_id: `waba${n}`,
      quality_rating: null,
      taken_off: false,
    },
  }));
  const dueTimes: DueTimes = {
    ...inner,
    async claim(options) {
      claims.asked += 1;
      await claims.wait;
      return inner.claim(options);
    },
  };
  const fails = (): Promise<never> => work(undefined).then(() => Promise.reject(new Error('no answer')));
  const written = new Map<string, object>();
  const consumer = { stop: nothing, lag: async () => 0, caughtUp: nothing };
  const executor = {
    load: (aggregate: { readonly stream?: unknown }) =>
      aggregate === (operationAggregate as unknown)
        ? work({ state: operation })
        : aggregate === (executionAggregate as unknown)
          ? work({ state: executionAggregate.initial })
          : Promise.resolve({ state: initialChannelControls }),
    recall: () => Promise.resolve({ state: operationAggregate.initial }),
    execute: () => work({ state: { messageUuid: null }, events: [] }),
    over: (): unknown => executor,
  };
  const app = {
    clock,
    dueTimes,
    logger: silentLogger,
    leases: createLeases(),
    topics: { consume: () => consumer, publish: nothing },
    settings: {
      channelRate: 1_000,
      pacingWindowMs: 100 * HOUR,
      providerTimeoutMs: 30_000,
      reconcileWindowMs: 1_000,
      paceRecipients: false,
    },
    executor,
    store: { read: fails, readAll: fails, head: fails },
    keys: { destroy: fails, open: fails },
    provider: {
      send: () => {
        calls += 1;
        return fails();
      },
    },
    readModels: {
      get: (collection: string, id: string) =>
        collection === 'template_syncs' ? fails() : Promise.resolve(written.get(id)),
      // The documents of webhooks are returned at once: work on a delivery begins with its endpoint.
      getMany: (collection: string, ids: readonly string[]) =>
        Promise.resolve(
          collection === 'held_work'
            ? []
            : ids.map((id) => ({ id, version: '1', doc: { status: 'pending', attempts: 0 } })),
        ),
      find: (collection: string) =>
        queue === undefined
          ? Promise.resolve({
              documents: listed,
              next: collection === 'channels' ? null : ['more'],
            })
          : work({ documents: listed, next: null }),
      // Deliveries without attempts.
      scan: () => Promise.resolve([]),
      write(_collection: string, writes: readonly { readonly id: string }[]) {
        for (const write of writes) written.set(write.id, write);
        return work(undefined);
      },
      checkpoint: fails,
    },
    readModelsReached: fails,
    barrier: {
      guards: () => true,
      passed: async () => true,
      wait: fails,
      remembered: <T>(_model: string, _key: string, read: () => Promise<T>) => read(),
    },
    newId: () => 'id',
  } as unknown as App;
  const payload = (n: number) => ({
    ...operationEventExamples.accepted.data,
    value: within === undefined ? {} : { event_id: `e${n}`, stream: 'intake-1', position: '1' },
    tries: 0,
    event_id: 'e',
    deadline: Infinity,
  });
  const row = (of: string, n: number, inLane: string) => ({
    queue: of,
    id: `id${n}`,
    lane: inLane,
    dueAt: clock.now(),
    payload: payload(n),
  });
  const backlog = Array.from({ length: BACKLOG }, (_, n) => n);
  const fill = (): Promise<void> =>
    dueTimes.schedule([
      ...(within === undefined ? [] : backlog.map((n) => row(within, n, `id${n}`))),
      ...(queue === undefined ? [] : backlog.map((n) => row(queue, n, lane(n % LANES)))),
    ]);
  return {
    app,
    clock,
    claims,
    fill,
    release: () => gate.resolve(),
    begun: () => begun,
    calls: () => calls,
    claimable: () => inner.rows(queue!).length,
  };
}

describe('a worker that is stopped in the middle of its backlog', () => {
  for (const of of CASES) {
    it(`begins nothing more: ${of.name}`, async () => {
      const { app, clock, fill, begun, calls, release } = world(of);
      await fill();
      const worker = await of.start(app);
      for (let ms = 1; begun() === 0 && ms < 3 * HOUR; ms *= 2) await clock.advance(ms);
      await clock.advance(FILLED_MS);
      const before = begun();
      expect(before, 'begun before the stop').to.be.within(1, of.atOnce);
      const stopped = worker.stop();
      await turns();
      expect(begun(), 'begun after the stop').to.equal(before);
      const called = calls();
      release();
      await stopped;
      expect(calls(), 'calls to WhatsApp').to.equal(called);
      // Work that has begun may take a few steps to its end; the backlog would take hundreds.
      expect(begun() - before, 'steps to the end of what was begun').to.be.at.most(4 * before);
    });
  }
});
