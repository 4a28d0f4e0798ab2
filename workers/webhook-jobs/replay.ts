/** One piece of a replay or a back-fill: the range of the history first, then its events in order. */
import type { App } from '../../application/app.js';
import type { Places } from '../../application/history/place.js';
import { deliveries } from '../../read-models/deliveries.js';
import { START, type Position } from '../../ports/event-store.js';
import type { WebhookJobDoc } from '../../read-models/webhook-jobs.js';
import type { EndpointRow } from '../notifications/endpoints.js';
import { replayWebhooks, type ReplayDeps } from '../notifications/replay.js';
import type { NewDelivery } from '../webhooks/enqueue.js';
import { OutOfHorizon, type Piece } from './piece.js';
import type { EnvelopeDeps } from '../event-feed/book.js';

export interface ReplayJobDeps {
  readonly app: EnvelopeDeps & Pick<App, 'codec' | 'deliveriesNearAfter' | 'settings'>;
  readonly places: Places;
  readonly enqueue: (deliveries: readonly NewDelivery[]) => Promise<void>;
}

const DAY_MS = 86_400_000;

/**
 * @param limit most deliveries of the piece
 * @throws OutOfHorizon
 */
export async function replayPiece(
  deps: ReplayJobDeps,
  job: WebhookJobDoc,
  endpoint: EndpointRow,
  limit: number,
): Promise<Piece> {
  const { app } = deps;
  const range = await rangeOf(deps, job);
  const { start, end } = range;
  const after = job.position ?? start;
  const asUsual = job.kind === 'back_fill';
  const replaying: ReplayDeps = {
    app,
    known: async (ids: readonly string[]) => {
      const found = await app.readModels.getMany(deliveries.name, ids);
      return new Map(found.map(({ id, doc }) => [id, doc]));
    },
    enqueue: (orders: readonly NewDelivery[]) =>
      deps.enqueue(
        orders.map((order, n) => ({
          ...order,
          trigger: asUsual ? ('auto' as const) : ('manual' as const),
          dueAt: Math.round(app.clock.now() + (n * 1000) / job.per_second),
        })),
      ),
  };
  const request = { endpoint, after, upTo: end, replayUuid: job.uuid, deliver: !job.dry_run, asUsual, limit };
  const { position, first, again, pending, leftOut } = await replayWebhooks(replaying, request);
  return {
    ...range,
    position,
    first_time: first,
    again,
    under_way: pending,
    left_out: leftOut,
    done: position >= end,
    part: partOf(app, start, end, position),
  };
}

/** Found by the first piece, and kept: the end does not move while the job runs. */
async function rangeOf(
  { app, places }: ReplayJobDeps,
  job: WebhookJobDoc,
): Promise<{ readonly start: Position; readonly end: Position }> {
  if (job.start !== null && job.end !== null) return { start: job.start, end: job.end };
  const { store } = app;
  const start = await placeOf(places, job.from, job.from_sequence, START);
  const end = await placeOf(places, job.to, job.to_sequence, await store.head());
  const [first] = (await store.readAll({ after: start, limit: 1 })).records;
  const horizon = new Date(app.clock.now() - app.settings.deliveryLogDays * DAY_MS).toISOString();
  if (job.from === null && first && first.meta.occurred_at < horizon) throw new OutOfHorizon();
  return { start, end };
}

async function placeOf(
  places: Places,
  time: string | null,
  sequence: number | null,
  otherwise: Position,
): Promise<Position> {
  if (time !== null) return places.resolve(time, 'from');
  return sequence === null ? otherwise : places.atSequence(sequence);
}

function partOf({ store }: Pick<App, 'store'>, start: Position, end: Position, position: Position): number {
  if (position >= end) return 1;
  const [from, to, at] = [start, end, position].map((each) => (each === START ? 0 : store.sequenceOf(each)));
  return Math.max(0, Math.min(1, ((at ?? 0) - (from ?? 0)) / Math.max(1, (to ?? 0) - (from ?? 0))));
}
