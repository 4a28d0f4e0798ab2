/**
 * Orders from a release without holds get their hold time once, at the first start of a release with holds. Their
 * streams identify them; a checkpoint records that this was done.
 */
import { directCommand, type App } from '../../application/app.js';
import { watchHold } from '../../application/store/orders/hold.js';
import { orderAggregate } from '../../domain/order/decide.js';
import { orderStream } from '../../domain/streams.js';
import { START, type EventStore, type Position } from '../../ports/event-store.js';
import type { CollectionSpec } from '../../ports/read-models.js';
import { every, type Rounds } from '../kernel/every.js';

/** Holds no documents; a checkpoint, as of a projection, records that this was done. */
export const earlierOrders: CollectionSpec = { name: 'earlier_orders', version: 1, indexes: {} };
const DONE = 'earlier_orders@1';
const ROUND_MS = 1_000;
const PAGE = 1_000;
const TYPES = ['OrderPlaced', 'OrderHoldSet', 'OrderPaid', 'OrderCancelled'];

/** Runs in the background, while the shop is open. */
export function startHoldingEarlierOrders(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'leases' | 'logger' | 'newId' | 'readModels' | 'store'>,
): Rounds {
  const rounds = every(app, ROUND_MS, 'giving orders of earlier releases a time', async () => {
    if (await holdEarlierOrders(app)) void rounds.stop();
  });
  return rounds;
}

/** @returns false when another process is doing it */
export async function holdEarlierOrders(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'leases' | 'newId' | 'readModels' | 'store'>,
): Promise<boolean> {
  if ((await app.readModels.checkpoint(DONE)) !== START) return true;
  const lease = await app.leases.acquire(earlierOrders.name);
  if (lease === null) return false;
  try {
    const from = await app.readModels.checkpoint(DONE);
    if (from !== START) return true;
    const to = await app.store.head();
    for (const uuid of await findUndecided(app.store)) {
      const { state } = await app.executor.load(orderAggregate, uuid);
      if (state.placed === null) continue;
      const context = directCommand(app, { company: state.placed.company_uuid, actor: 'worker:orders' });
      await watchHold(app, uuid, state, context);
    }
    await app.readModels.commit(earlierOrders.name, { projection: DONE, from, to, writes: [] });
    return true;
  } finally {
    await lease.release();
  }
}

/** Ended orders are dropped on the way, so that memory grows only with open ones. */
async function findUndecided(store: Pick<EventStore, 'readAll'>): Promise<ReadonlySet<string>> {
  const undecided = new Set<string>();
  for (let after: Position = START; ;) {
    const page = await store.readAll({ after, limit: PAGE, prefixes: [orderStream.prefix], types: TYPES });
    for (const { type, stream, data } of page.records) {
      const uuid = orderStream.match(stream);
      if (uuid === undefined || !TYPES.includes(type)) continue;
      if (type === 'OrderPlaced' && !('hold_until' in data)) undecided.add(uuid);
      else undecided.delete(uuid);
    }
    if (page.atEnd) return undecided;
    after = page.next;
  }
}
