/** A feed over stores in memory: the rows that it claims, when it does so, and the rows that it holds. */
import type { DueTimes } from '../../../ports/due-times.js';
import type { DeliveryDoc } from '../../../read-models/deliveries.js';
import type { DeliveryUpdate } from '../../../workers/webhooks/attempt.js';
import { DELIVERY_QUEUE } from '../../../workers/webhooks/documents.js';
import { startFeed, type Feed } from '../../../workers/webhooks/feed.js';
import { createEndpointLanes, type EndpointLane } from '../../../workers/webhooks/lanes.js';
import { DEFAULT_WEBHOOK_LIMITS, type WebhookLimits } from '../../../workers/webhooks/options.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

export const LIMITS: WebhookLimits = { ...DEFAULT_WEBHOOK_LIMITS, maxPerEndpoint: 2, pollMs: 5_000 };

export interface Row {
  readonly dueIn?: number;
  /** Attempts as the row repeats them; left out, the row has no such number. */
  readonly rowAttempts?: number;
  /** Null: the row has no document. */
  readonly doc?: Partial<DeliveryDoc> | null;
}

export function feedWorld(limits: Partial<WebhookLimits> = {}) {
  const clock = manualClock();
  const begun = clock.now();
  const rows = memoryDueTimes(() => clock.now());
  const models = memoryReadModels();
  const { logger, log } = collectingLogger();
  const all = { ...LIMITS, ...limits };
  const lanes = createEndpointLanes(all);
  const claims: { readonly lane: string; readonly limit: number; readonly at: number }[] = [];
  const requests: Parameters<DueTimes['claim']>[0][] = [];
  const listed: number[] = [];
  const endpoints = new Map<string, string>();
  const recorded: { readonly lane: string; readonly update: DeliveryUpdate }[] = [];
  const before = {
    claim: async () => {},
    lanes: async () => {},
    getMany: async () => {},
    schedule: async () => {},
    record: async (_update: DeliveryUpdate) => {},
  };
  let feed: Feed;
  let backlog = 0;
  let changes = 0;
  let documents = 0;
  const at = (): number => clock.now() - begun;
  const dueTimes: DueTimes = {
    ...rows,
    async claim(request) {
      claims.push({ lane: request.lane, limit: request.limit, at: at() });
      requests.push(request);
      await turns(1);
      await before.claim();
      return rows.claim(request);
    },
    async schedule(...args) {
      await before.schedule();
      return rows.schedule(...args);
    },
    async lanes(...args) {
      listed.push(at());
      await turns(1);
      await before.lanes();
      return rows.lanes(...args);
    },
  };

  const world = {
    clock,
    rows,
    lanes,
    log,
    claims,
    requests,
    /** When the store was asked for due lanes. */
    listed,
    recorded,
    /** Runs before a store call is answered, and may make it fail or wait. */
    before,
    changes: () => changes,
    backlog: (count: number) => void (backlog = count),
    document: (id: string, doc: Partial<DeliveryDoc>) =>
      models.write('deliveries', [{ id, doc, version: '0000000001' }]),
    async add(endpoint: string, ...added: readonly Row[]): Promise<readonly string[]> {
      const ids = added.map(() => `d${(documents += 1)}`);
      for (const id of ids) endpoints.set(id, endpoint);
      for (const [index, { doc }] of added.entries()) {
        if (doc === null) continue;
        const pending = {
          status: 'pending' as const,
          attempts: 0,
          next_attempt_at: new Date(clock.now()).toISOString(),
        };
        await world.document(ids[index]!, { ...pending, ...doc });
      }
      await rows.schedule(
        added.map(({ dueIn = 0, rowAttempts }, index) => ({
          queue: DELIVERY_QUEUE,
          id: ids[index]!,
          lane: endpoint,
          dueAt: clock.now() + dueIn,
          payload: rowAttempts === undefined ? {} : { attempts: rowAttempts },
        })),
      );
      return ids;
    },
    start: () =>
      (feed = startFeed({
        dueTimes,
        readModels: {
          ...models,
          async getMany(collection, ids) {
            await before.getMany();
            return models.getMany(collection, ids);
          },
        },
        clock,
        logger,
        limits: all,
        lanes,
        recorder: {
          backlog: () => backlog,
          letGo: () => undefined,
          async record(update) {
            recorded.push({ lane: endpoints.get(update.settlement.id) ?? '', update });
            await before.record(update);
            return true;
          },
        },
        changed: () => void (changes += 1),
      })),
    /** The outcome of some delivery is recorded. */
    recordsOne(feed: Feed): void {
      const settlement = { queue: DELIVERY_QUEUE, id: 'some', fence: 1, then: 'done' } as const;
      feed.record(lanes.get('some'), { delivery: null, attempt: null, settlement });
    },
    held: (endpoint: string): readonly string[] => lanes.get(endpoint).held.map(({ entry }) => entry.id),
    /** The first deliveries that the lane holds are sent and have ended. */
    async sent(lane: EndpointLane, count: number): Promise<void> {
      const taken = Array.from({ length: Math.min(count, lane.held.length) }, () => feed.takeHeld(lane));
      const settled = taken.map(({ entry: { queue, id, fence } }) => ({ queue, id, fence }));
      await rows.settle(settled.map((settlement) => ({ ...settlement, then: 'done' })));
    },
  };
  return world;
}
