/**
 * Catches read models up with the history. In the embedded default, projections run inside the writer's transaction and
 * this only catches up at the start; elsewhere it follows the store.
 */
import type { EventCodec, RecordedEvent } from '../application/codec.js';
import { StoreUnavailable, type EventStore, type Position, type StoredRecord } from '../ports/event-store.js';
import {
  storedName,
  UnreadableDocument,
  type CollectionCommit,
  type DocumentWrite,
  type ReadModels,
} from '../ports/read-models.js';
import { documentIds, foldBatch, ProjectionFailed, type LoadDocument } from './fold.js';
import { addressOf, checkpointName, collectionOf, type AnyProjection, type Target } from './projection.js';
import { readEach } from './read-each.js';
import { noSkips, type Skips } from './skips.js';

export interface ProjectionDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly codec: EventCodec;
  /** Events that operators excluded; none when omitted. */
  readonly skips?: Skips;
}

const BATCH = 500;

/** The records that a projection has to apply. */
export const concerning = (
  { name, handles }: AnyProjection,
  records: readonly StoredRecord[],
  skips: Skips = noSkips,
): readonly StoredRecord[] =>
  records.filter((record) => handles.includes(record.type) && !skips.has(name, record));

/**
 * Decodes records. A record that cannot be decoded counts as an event that cannot be applied.
 * @throws ProjectionFailed, StoreUnavailable
 */
export async function decoded(
  codec: EventCodec,
  records: readonly StoredRecord[],
  projection: string,
): Promise<readonly RecordedEvent[]> {
  try {
    return await codec.decodeAll(records);
  } catch (error) {
    if (error instanceof StoreUnavailable || records.length === 0) throw error;
    for (const record of records) {
      try {
        await codec.decodeAll([record]);
      } catch (own) {
        if (own instanceof StoreUnavailable) throw own;
        throw new ProjectionFailed(projection, record, own);
      }
    }
    throw error;
  }
}

/** Loads the documents with these ids. An unreadable document fails the first event that needs it. */
export async function loaded(
  readModels: Pick<ReadModels, 'get' | 'getMany'>,
  address: string,
  ids: readonly string[],
): Promise<LoadDocument> {
  if (ids.length === 0) return () => undefined;
  const byId = await readEach(readModels, address, ids);
  return (id) => {
    const found = byId.get(id);
    if (found instanceof UnreadableDocument) throw found;
    return found;
  };
}

/**
 * The document changes that records result in, ready to commit.
 * @param mayExist whether the document may exist before the batch. If this is wrong, the commit is refused with
 * DocumentMoved
 * @throws ProjectionFailed
 */
export async function foldedBatch(
  target: Target,
  deps: ProjectionDeps,
  records: readonly StoredRecord[],
  from: Position,
  to: Position,
  mayExist: (id: string, events: readonly RecordedEvent[]) => boolean = () => true,
): Promise<CollectionCommit> {
  const { projection } = target;
  const collection = addressOf(target);
  const wanted = concerning(projection, records, deps.skips);
  const events = await decoded(deps.codec, wanted, projection.name);
  const ids = documentIds(projection, events).filter((id) => mayExist(id, events));
  const writes = foldBatch(projection, events, await loaded(deps.readModels, collection, ids));
  return { collection, projection: collection, from, to, writes };
}

/** Folds records into documents and moves the checkpoint. @throws CheckpointMoved, DocumentMoved, ProjectionFailed */
export async function applyBatch(
  target: Target,
  deps: ProjectionDeps,
  records: readonly StoredRecord[],
  from: Position,
  to: Position,
): Promise<void> {
  const { collection, ...change } = await foldedBatch(target, deps, records, from, to);
  await deps.readModels.commit(collection, change);
}

/**
 * Applies everything the projection has not applied yet. `goesOn` is called after each page; false ends the run early.
 * Returns the number of events read.
 * @throws ProjectionFailed; everything before that event is applied
 */
export async function catchUp(
  projection: AnyProjection,
  deps: ProjectionDeps,
  goesOn: () => boolean = () => true,
  generation: number | null = null,
): Promise<number> {
  const target = { projection, generation };
  await deps.readModels.define(collectionOf(target));
  let from = await deps.readModels.checkpoint(addressOf(target));
  let read = 0;
  for (;;) {
    const page = await deps.store.readAll({ after: from, limit: BATCH });
    if (page.next !== from) await applyPage(target, deps, page.records, from, page.next);
    read += page.records.length;
    from = page.next;
    if (page.atEnd || !goesOn()) return read;
  }
}

/** Applies as much as possible: a projection stops right before the failing event, not before its page. */
async function applyPage(
  target: Target,
  deps: ProjectionDeps,
  records: readonly StoredRecord[],
  from: Position,
  to: Position,
): Promise<void> {
  try {
    await applyBatch(target, deps, records, from, to);
  } catch (error) {
    if (!(error instanceof ProjectionFailed)) throw error;
    const before = records.filter(({ position }) => position < error.position);
    const last = before[before.length - 1];
    if (last) await applyBatch(target, deps, before, from, last.position);
    throw error;
  }
}

export type InlineForm = ReturnType<typeof inlineForm>;

/** The form in which a store with transactions runs a projection inside its own write. */
export function inlineForm(
  projection: AnyProjection,
  codec: EventCodec,
  options: {
    readonly generation?: number;
    readonly skips?: Skips;
    readonly onApplied?: (events: number) => void;
  } = {},
) {
  const { generation, skips, onApplied } = options;
  const { name, version } = projection;
  return {
    name: generation === undefined ? checkpointName(projection) : storedName({ name, version }, generation),
    collection: collectionOf({ projection, generation: generation ?? null }),
    handles: new Set<string>(projection.handles),
    apply(records: readonly StoredRecord[], load: LoadDocument): readonly DocumentWrite[] {
      const wanted = concerning(projection, records, skips);
      const writes = foldBatch(
        projection,
        wanted.map((record) => codec.decode(record)),
        load,
      );
      onApplied?.(wanted.length);
      return writes;
    },
  };
}
