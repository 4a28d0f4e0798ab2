/**
 * The parts that claim rows by the one loop, as a test of all of them sees them: the work they begin, and how it ends.
 */
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { laneName, SEND_QUEUE, sendEntry } from '../../../application/send/queue.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { initialChannelControls } from '../../../domain/channel-controls/state.js';
import type { DueTimes } from '../../../ports/due-times.js';
import { silentLogger } from '../../../ports/logger.js';
import { plain } from '../../../workers/lanes/policy.js';
import { startSendDispatcher } from '../../../workers/sending/dispatcher.js';
import { deferred } from '../../conformance/support.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock, type ManualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes, type MemoryDueTimes } from '../../support/memory/due-times.js';
import { answer, dispatchingOver, type TestEndpoint } from '../webhooks/dispatching.js';
import { createMemoryHarness } from '../webhooks/memory-harness.js';
import { QUEUE, rowsOf, startProcess } from './process.js';

export interface Part {
  readonly clock: ManualClock;
  readonly dueTimes: DueTimes;
  readonly queue: string;
  /** The store's name of the lane. */
  laneOf(lane: string): string;
  /** Adds due rows, named by lane and number. */
  add(lane: string, count: number): Promise<void>;
  start(over?: Partial<DueTimes>): Promise<{ stop(): Promise<void> }>;
  /** Most rows in memory, of one lane and of all. */
  readonly mostOfLane: number;
  readonly most: (lanes: number) => number;
  readonly work: Work;
}

/** The work that was begun, and the part of it that has not ended. */
export function workOf() {
  const gate = deferred();
  const begun: string[] = [];
  const twice: string[] = [];
  const under = new Set<string>();
  const slow = new Set<string>();
  return {
    begun,
    twice,
    under,
    /** Work of these lanes lasts until `letGo`. */
    slow: (...lanes: readonly string[]) => lanes.forEach((lane) => slow.add(lane)),
    letGo: () => gate.resolve(),
    async on(id: string): Promise<void> {
      if (under.has(id)) twice.push(id);
      begun.push(id);
      under.add(id);
      if (slow.has(id.replace(/\d+$/, ''))) await gate.promise;
      under.delete(id);
    },
  };
}
type Work = ReturnType<typeof workOf>;

/** Numbers rows consecutively. */
function numbered() {
  const counts = new Map<string, number>();
  return (lane: string): string => {
    const n = counts.get(lane) ?? 0;
    counts.set(lane, n + 1);
    return `${lane}${n}`;
  };
}

export function schedulerPart(): Part {
  const clock = manualClock();
  const dueTimes = memoryDueTimes(() => clock.now());
  const work = workOf();
  const name = numbered();
  return {
    clock,
    dueTimes,
    queue: QUEUE,
    work,
    mostOfLane: 2,
    most: () => 4,
    laneOf: (lane) => lane,
    async add(lane, count) {
      for (const row of rowsOf(lane, count, clock.now()))
        await dueTimes.schedule([{ ...row, id: name(lane) }]);
    },
    async start(over = {}) {
      const on = async ({ id }: { readonly id: string }) => work.on(id).then(() => 'done' as const);
      return startProcess({ dueTimes: { ...dueTimes, ...over }, clock }, { policy: plain(4, 2), work: on });
    },
  };
}

const SLOTS = 2;

export async function deliveriesPart(): Promise<Part> {
  const { clock, store } = await createMemoryHarness();
  const work = workOf();
  const name = numbered();
  const endpoints = new Map<string, TestEndpoint>();
  const h = dispatchingOver(store, clock);
  const endpointOf = (lane: string): TestEndpoint => {
    const endpoint = endpoints.get(lane) ?? h.addEndpoint(`https://${lane}.example/`);
    endpoints.set(lane, endpoint);
    return endpoint;
  };
  h.respond(async ({ headers }) => {
    await work.on(headers['Service-Delivery-Id']!);
    return answer(200);
  });
  return {
    clock,
    dueTimes: store.dueTimes,
    queue: 'webhook',
    work,
    // Some rows of each endpoint are held ahead.
    mostOfLane: 9 * SLOTS,
    most: (lanes) => lanes * 9 * SLOTS,
    laneOf: (lane) => endpointOf(lane).uuid,
    async add(lane, count) {
      for (let n = 0; n < count; n += 1) await h.enqueue(endpointOf(lane), 1, { deliveryId: name(lane) });
    },
    async start(over = {}) {
      return h.start({
        dueTimes: { ...store.dueTimes, ...over },
        limits: { maxInFlight: 4, maxSlowInFlight: 4, maxPerEndpoint: SLOTS },
      });
    },
  };
}

/** Sends whose operations were never accepted: such a row is settled as soon as it was checked. */
export function sendsPart(): Part {
  const clock = manualClock();
  const dueTimes: MemoryDueTimes = memoryDueTimes(() => clock.now());
  const work = workOf();
  const name = numbered();
  const executor = {
    async load(aggregate: unknown, id: string) {
      if (aggregate !== operationAggregate) return { state: initialChannelControls };
      await work.on(id);
      return { state: { ...operationAggregate.initial, accepted: null } };
    },
    recall: async () => ({ state: operationAggregate.initial }),
    over: (): unknown => executor,
  };
  const app = {
    clock,
    logger: silentLogger,
    leases: createLeases(),
    readModels: { get: async () => undefined },
    barrier: fakeBarrier(),
    executor,
    store: {},
    settings: {
      pacingWindowMs: 600_000,
      providerTimeoutMs: 30_000,
      channelRate: Infinity,
      paceRecipients: false,
    },
  };
  return {
    clock,
    dueTimes,
    queue: SEND_QUEUE,
    work,
    mostOfLane: 6,
    most: () => 8,
    laneOf: (lane) => laneName(lane, 'service'),
    async add(lane, count) {
      for (let n = 0; n < count; n += 1) {
        const id = name(lane);
        const payload = { correlation_id: id, event_id: id, company: lane, subject: id };
        const deadline = clock.now() + app.settings.pacingWindowMs;
        await dueTimes.schedule([
          sendEntry(id, laneName(lane, 'service'), clock.now(), { ...payload, deadline }),
        ]);
      }
    },
    start: (over = {}) =>
      startSendDispatcher({ ...app, dueTimes: { ...dueTimes, ...over } } as unknown as App, {
        maxInFlight: 8,
      }),
  };
}
