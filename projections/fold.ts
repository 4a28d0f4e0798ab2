/** Folds events into document writes: one load and one write per document, however many events. */
import { messageOf } from '../ports/thrown.js';
import type { RecordedEvent } from '../application/codec.js';
import type { Position, StoredRecord } from '../ports/event-store.js';
import type { Document, DocumentWrite, StoredDocument } from '../ports/read-models.js';
import type { AnyProjection } from './projection.js';

/** @throws UnreadableDocument */
export type LoadDocument = (id: string) => StoredDocument<Document> | undefined;

/** A projection cannot apply an event. The message is that of the underlying error. */
export class ProjectionFailed extends Error {
  override readonly name = 'ProjectionFailed';
  constructor(
    readonly projection: string,
    readonly record: Pick<StoredRecord, 'eventId' | 'type' | 'stream' | 'position'>,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
  }

  get position(): Position {
    return this.record.position;
  }
}

/** Documents folded so far, by id. */
export type WorkingSet = Map<string, WorkingDocument>;

interface WorkingDocument {
  doc: Document | null;
  /** The stored version that this document was folded from. */
  base: string;
  version: string;
  changed: boolean;
  /** Approximate bytes in memory, as of the last call of `measure` for it (write-back-cache.ts); 0 before that. */
  weight: number;
}

/**
 * Folds events into `working`. `load` returns the stored state of a document that is not in `working`. Events at or
 * before a document's version are skipped, so a repeated batch is harmless.
 * @param ids the id of the document that each event belongs to, if already known
 * @throws ProjectionFailed; the events before the failing one are folded
 */
export function foldInto(
  working: WorkingSet,
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  load: LoadDocument,
  ids?: readonly (string | null)[],
): void {
  for (const [index, recorded] of events.entries()) {
    const id = ids ? ids[index] : documentIdOf(projection, recorded);
    if (id === null || id === undefined) continue;
    try {
      let entry = working.get(id);
      if (!entry) {
        const stored = load(id);
        const base = stored?.version ?? '';
        entry = { doc: stored?.doc ?? null, base, version: base, changed: false, weight: 0 };
        working.set(id, entry);
      }
      if (recorded.record.position <= entry.version) continue;
      entry.doc = projection.evolve(entry.doc ?? undefined, recorded, id);
      entry.version = recorded.record.position;
      entry.changed = true;
    } catch (error) {
      throw new ProjectionFailed(projection.name, recorded.record, error);
    }
  }
}

export function writesOf(working: WorkingSet): readonly DocumentWrite[] {
  const writes: DocumentWrite[] = [];
  for (const [id, entry] of working) {
    if (entry.changed) writes.push({ id, doc: entry.doc, version: entry.version, base: entry.base });
  }
  return writes;
}

/** @throws ProjectionFailed */
export function foldBatch(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  load: LoadDocument,
): readonly DocumentWrite[] {
  const working: WorkingSet = new Map();
  foldInto(working, projection, events, load);
  return writesOf(working);
}

/** Ids of the documents that a batch touches, for stores that load ahead. @throws ProjectionFailed */
export const documentIds = (projection: AnyProjection, events: readonly RecordedEvent[]): readonly string[] =>
  distinctIds(events.map((recorded) => documentIdOf(projection, recorded)));

/** Removes duplicates and nulls. */
export function distinctIds(ids: readonly (string | null)[]): readonly string[] {
  const distinct = new Set(ids);
  distinct.delete(null);
  return [...distinct] as string[];
}

/** @throws ProjectionFailed */
export function documentIdOf(projection: AnyProjection, recorded: RecordedEvent): string | null {
  try {
    return projection.documentId(recorded);
  } catch (error) {
    throw new ProjectionFailed(projection.name, recorded.record, error);
  }
}
