/**
 * Brings read models up to the history. In the embedded default projections run inside the writer's transaction and
 * this only catches up at start; elsewhere it follows the store.
 */
import type { EventCodec, RecordedEvent } from '../application/codec.js';
import type { EventStore, Position, StoredRecord } from '../ports/event-store.js';
import type { Document, DocumentWrite, ReadModels, StoredDocument } from '../ports/read-models.js';
import { documentIds, foldBatch, type LoadDocument } from './fold.js';
import { checkpointName, collectionOf, type AnyProjection } from './projection.js';

export interface ProjectionDeps {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly codec: EventCodec;
}

const BATCH = 500;

/** Decodes what the projection handles; the rest only moves the checkpoint. */
function relevant(
  projection: AnyProjection,
  codec: EventCodec,
  records: readonly StoredRecord[],
): readonly RecordedEvent[] {
  return records
    .filter((record) => projection.handles.includes(record.type))
    .map((record) => codec.decode(record));
}

/** Folds records into documents and moves the checkpoint. @throws CheckpointMoved, DocumentMoved */
export async function applyBatch(
  projection: AnyProjection,
  deps: ProjectionDeps,
  records: readonly StoredRecord[],
  from: Position,
  to: Position,
): Promise<void> {
  const wanted = records.filter((record) => projection.handles.includes(record.type));
  const events = await deps.codec.decodeAll(wanted);
  const ids = documentIds(projection, events);
  const stored = await deps.readModels.getMany<Document>(projection.name, ids);
  const byId = new Map<string, StoredDocument<Document>>(stored.map((document) => [document.id, document]));
  const writes = foldBatch(projection, events, (id) => byId.get(id));
  await deps.readModels.commit(projection.name, { projection: checkpointName(projection), from, to, writes });
}

/**
 * Applies everything the projection has not seen, or as much as there is time for: `goesOn` is asked page by page.
 * Answers how many events were read.
 */
export async function catchUp(
  projection: AnyProjection,
  deps: ProjectionDeps,
  goesOn: () => boolean = () => true,
): Promise<number> {
  await deps.readModels.define(collectionOf(projection));
  let from = await deps.readModels.checkpoint(checkpointName(projection));
  let read = 0;
  for (;;) {
    const page = await deps.store.readAll({ after: from, limit: BATCH });
    if (page.next !== from) await applyBatch(projection, deps, page.records, from, page.next);
    read += page.records.length;
    from = page.next;
    if (page.atEnd || !goesOn()) return read;
  }
}

/** The form in which a store with transactions runs a projection inside its own write. */
export function inlineForm(projection: AnyProjection, codec: EventCodec) {
  return {
    name: checkpointName(projection),
    collection: collectionOf(projection),
    handles: new Set<string>(projection.handles),
    apply: (records: readonly StoredRecord[], load: LoadDocument): readonly DocumentWrite[] =>
      foldBatch(projection, relevant(projection, codec, records), load),
  };
}
