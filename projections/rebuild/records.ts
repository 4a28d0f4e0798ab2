/**
 * What operators ask of projections, and how far it is: one document for each order, written by whoever carries it out;
 * what operators say of it later is a document of its own, so that nobody overwrites anybody.
 */
import type { Position } from '../../ports/event-store.js';
import type { CollectionSpec, Document, ReadModels, StoredDocument } from '../../ports/read-models.js';
import type { FailedEvent } from '../failures.js';
import type { Verification } from './verify.js';

export const rebuildCollection: CollectionSpec = {
  name: 'projection_rebuilds',
  version: 1,
  indexes: { all: ['shelf', 'requested_at'], by_state: ['open', 'requested_at'] },
};
export const wishCollection: CollectionSpec = { name: 'projection_wishes', version: 1, indexes: {} };

/**
 * `rebuild` makes a new generation and flips to it, `flip` goes to one that is there (back, as a rule), `drop` removes
 * one that is not live, or a version of another release.
 */
export type OrderKind = 'rebuild' | 'flip' | 'drop';

/** `differs` waits for an operator's word. The last three are final. */
export type OrderStatus =
  'queued' | 'building' | 'verifying' | 'differs' | 'flipping' | 'dropping' | 'done' | 'cancelled' | 'failed';

export type OrderedProjection = {
  readonly name: string;
  readonly version: number;
  /** Live when the order was begun. */
  readonly from_generation: number | null;
  /** The one that is built, flipped to or dropped; null where a whole version is dropped. */
  readonly generation: number | null;
  readonly state:
    'waiting' | 'building' | 'built' | 'differs' | 'flipped' | 'dropped' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly failed_event: FailedEvent | null;
  readonly verification: Verification | null;
};

export type OrderProgress = {
  readonly position: string | null;
  /** Looked at since this process began to build. */
  readonly events: number;
  readonly events_per_second: number;
  /** Of the way through the history, 0 to 1. */
  readonly part: number;
  readonly seconds_left: number | null;
};

export type OrderDoc = {
  readonly uuid: string;
  readonly shelf: 'all';
  /** 1 as long as there is something left to do. */
  readonly open: 0 | 1;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Documents to compare of each projection; null is all of them. */
  readonly sample: number | null;
  readonly accept_differences: boolean;
  /** End of the history when it began: erasures from there on are done again in what is built. */
  readonly began_at: string | null;
  readonly progress: OrderProgress;
  readonly projections: readonly OrderedProjection[];
  readonly error: string | null;
};

export type WishDoc = {
  readonly wish: 'cancel' | 'accept';
  readonly by: string;
  readonly at: string;
};

const NO_PROGRESS: OrderProgress = {
  position: null,
  events: 0,
  events_per_second: 0,
  part: 0,
  seconds_left: null,
};

/** Orders at work hold up others; more than these are never open at once. */
const MOST_OPEN = 200;
const FINAL: ReadonlySet<OrderStatus> = new Set(['done', 'cancelled', 'failed']);

export const newOrder = (
  order: Pick<
    OrderDoc,
    'uuid' | 'kind' | 'requested_by' | 'requested_at' | 'sample' | 'accept_differences'
  > & {
    readonly projections: readonly Pick<OrderedProjection, 'name' | 'version' | 'generation'>[];
  },
): OrderDoc => ({
  ...order,
  shelf: 'all',
  open: 1,
  status: 'queued',
  started_at: null,
  finished_at: null,
  began_at: null,
  progress: NO_PROGRESS,
  projections: order.projections.map((projection) => ({
    ...projection,
    from_generation: null,
    state: 'waiting',
    error: null,
    failed_event: null,
    verification: null,
  })),
  error: null,
});

export const isFinal = ({ status }: Pick<OrderDoc, 'status'>): boolean => FINAL.has(status);

/** Oldest first. */
export async function openOrders(
  readModels: Pick<ReadModels, 'find'>,
): Promise<readonly StoredDocument<OrderDoc>[]> {
  const query = { index: 'by_state', equals: [1], order: 'asc', limit: MOST_OPEN } as const;
  return (await readModels.find<OrderDoc>(rebuildCollection.name, query)).documents;
}

/** Versions grow with every save and with every process that carries on, so that one that was replaced is not heard. */
export const orderVersion = (fence: number, save: number): string =>
  `${String(fence).padStart(12, '0')}.${String(save).padStart(12, '0')}`;

export const fenceOf = (version: string): number => Number(version.split('.')[0]);

export async function saveOrder(
  readModels: Pick<ReadModels, 'write'>,
  doc: OrderDoc,
  version: string,
): Promise<void> {
  const written: Document = { ...doc, open: isFinal(doc) ? 0 : 1 };
  await readModels.write(rebuildCollection.name, [{ id: doc.uuid, doc: written, version }]);
}

export const startOf = (doc: OrderDoc): Position => (doc.began_at ?? '') as Position;
