import type { App } from '../../application/app.js';
import { projections } from '../../projections/catalog.js';
import type { TopicLag } from '../../ports/topics.js';
import { checkpointName } from '../../projections/projection.js';
import { one } from '../routes/replies.js';
import type { AdminHandlers } from './support.js';

/** What only the runtime knows. */
export interface ProcessFacts {
  readonly version: string;
  readonly roles: readonly ('api' | 'projections' | 'workers')[];
  /** ISO 8601 */
  readonly startedAt: string;
  /** Further numbers worth showing, such as the lag of each worker. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Of all processes together. */
  readonly lags?: readonly TopicLag[];
}

/** Counted in full only where few stay for long: what is done is most of the table. */
const OPEN_OPERATIONS = ['queued', 'processing', 'waiting'] as const;
const OPEN_DELIVERIES = ['pending', 'failed', 'cancelled'] as const;

export const statusRoutes = (
  app: App,
  process: () => ProcessFacts | Promise<ProcessFacts>,
): AdminHandlers => ({
  getStatus: async () => {
    const { store, readModels } = app;
    const { version, roles, startedAt, counts, lags = [] } = await process();
    const head = await store.head();
    const positions = await Promise.all(
      projections.map(async (projection) => {
        const name = checkpointName(projection);
        return [name, (await readModels.checkpoint(name)) || null] as const;
      }),
    );
    const operations = await Promise.all(
      OPEN_OPERATIONS.map(
        async (status) =>
          [`operations_${status}`, await readModels.count('operations', 'by_status', [status])] as const,
      ),
    );
    const deliveries = await Promise.all(
      OPEN_DELIVERIES.map(
        async (status) =>
          [`deliveries_${status}`, await readModels.count('deliveries', 'by_status', [status])] as const,
      ),
    );
    return one({
      version,
      api_version: '1.8.0',
      roles,
      started_at: startedAt,
      positions: { history: head === '' ? null : head, ...Object.fromEntries(positions) },
      counts: {
        ...Object.fromEntries([...operations, ...deliveries]),
        ...counts,
      },
      leases: grouped(await app.leases.holders()),
      lags: lags.map(({ topic, group, lag }) => ({ topic, group, messages: lag })),
    });
  },
});

/** A name with a colon is one of many of a kind, such as a channel's: these are counted by holder. */
function grouped(holders: Awaited<ReturnType<App['leases']['holders']>>) {
  const found = new Map<string, { name: string; holder: string; count: number }>();
  for (const { name, holder } of holders) {
    const [kind = name] = name.split(':');
    const key = `${kind} ${holder}`;
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { name: kind, holder, count: 1 });
  }
  return [...found.values()];
}
