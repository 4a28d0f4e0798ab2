import type { App } from '../../application/app.js';
import { projections } from '../../projections/catalog.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { TopicLag } from '../../ports/topics.js';
import { checkpointName } from '../../projections/projection.js';
import { one } from '../routes/replies.js';
import type { AdminHandlers } from './support.js';

/** Facts that only the runtime knows. */
export interface ProcessFacts {
  readonly version: string;
  readonly roles: readonly ('api' | 'projections' | 'workers')[];
  /** ISO 8601 */
  readonly startedAt: string;
  /** State of each server that this process needs, as last checked: `ok`, or the problem. */
  readonly parts: Readonly<Record<string, string>>;
  /** The last change of release, and the actions of the start that followed. */
  readonly upgrade?: {
    readonly at: string;
    readonly from: string | null;
    readonly to: string;
    readonly notes: readonly string[];
  } | null;
  /** Further counts to report. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Lag of each worker of this process, in messages. @throws StoreUnavailable */
  readonly workerLags: () => Promise<Readonly<Record<string, number>>>;
  /** Lags of all processes together. @throws StoreUnavailable */
  readonly lags: () => Promise<readonly TopicLag[]>;
}

/** Only statuses with few documents are counted, because finished ones are most of the table. */
const OPEN_OPERATIONS = ['queued', 'processing', 'waiting'] as const;
const OPEN_DELIVERIES = ['pending', 'failed', 'cancelled'] as const;

export const statusRoutes = (
  app: App,
  process: () => ProcessFacts | Promise<ProcessFacts>,
): AdminHandlers => ({
  getStatus: async () => {
    const { store, readModels, leases } = app;
    const { version, roles, startedAt, upgrade = null, counts, workerLags, lags, ...facts } = await process();
    const parts: Record<string, string> = { ...facts.parts };

    /** Null when the server to ask is unavailable: the status is needed most when servers fail. */
    async function ask<T>(part: string, question: () => Promise<T>): Promise<T | null> {
      // The server is known to be unavailable: do not wait for another failure.
      if ((parts[part] ?? 'ok') !== 'ok') return null;
      try {
        return await question();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        parts[part] = error.message;
        return null;
      }
    }
    const countOf = (collection: string, statuses: readonly string[]) =>
      statuses.map(
        async (status) =>
          [
            `${collection}_${status}`,
            await ask('read_models', () => readModels.count(collection, 'by_status', [status])),
          ] as const,
      );

    const [history, positions, open, holders, ofWorkers, ofGroups] = await Promise.all([
      ask('event_store', () => store.head()),
      Promise.all(
        projections.map(async (projection) => {
          const name = checkpointName(projection);
          return [name, (await ask('read_models', () => readModels.checkpoint(name))) || null] as const;
        }),
      ),
      Promise.all([...countOf('operations', OPEN_OPERATIONS), ...countOf('deliveries', OPEN_DELIVERIES)]),
      ask('read_models', () => leases.holders()),
      ask('topics', workerLags),
      ask('topics', lags),
    ]);
    return one({
      version,
      api_version: '1.8.0',
      roles,
      started_at: startedAt,
      last_upgrade: upgrade,
      parts,
      positions: { history: history || null, ...Object.fromEntries(positions) },
      counts: {
        ...Object.fromEntries(open),
        ...counts,
        ...Object.fromEntries(Object.entries(ofWorkers ?? {}).map(([name, lag]) => [`lag_${name}`, lag])),
      },
      leases: holders && grouped(holders),
      lags: ofGroups && ofGroups.map(({ topic, group, lag }) => ({ topic, group, messages: lag })),
    });
  },
});

/** A name with a colon belongs to a kind, such as the channels' leases: these are counted by holder. */
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
