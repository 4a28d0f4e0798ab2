/** Folds a batch of events into document writes: one load and one write per document, however many events. */
import type { RecordedEvent } from '../application/codec.js';
import type { Document, DocumentWrite, StoredDocument } from '../ports/read-models.js';
import type { AnyProjection } from './projection.js';

export type LoadDocument = (id: string) => StoredDocument<Document> | undefined;

/** `load` answers what is stored now; events at or before its version are skipped, so a repeated batch is harmless. */
export function foldBatch(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  load: LoadDocument,
): readonly DocumentWrite[] {
  const working = new Map<
    string,
    { doc: Document | null; base: string; version: string; changed: boolean }
  >();
  for (const recorded of events) {
    const id = projection.documentId(recorded);
    if (id === null) continue;
    let entry = working.get(id);
    if (!entry) {
      const stored = load(id);
      const base = stored?.version ?? '';
      entry = { doc: stored?.doc ?? null, base, version: base, changed: false };
      working.set(id, entry);
    }
    if (recorded.record.position <= entry.version) continue;
    entry.doc = projection.evolve(entry.doc ?? undefined, recorded);
    entry.version = recorded.record.position;
    entry.changed = true;
  }
  const writes: DocumentWrite[] = [];
  for (const [id, entry] of working) {
    if (entry.changed) writes.push({ id, doc: entry.doc, version: entry.version, base: entry.base });
  }
  return writes;
}

/** Ids of the documents that a batch touches, for stores that load ahead. */
export function documentIds(projection: AnyProjection, events: readonly RecordedEvent[]): readonly string[] {
  const ids = new Set<string>();
  for (const recorded of events) {
    const id = projection.documentId(recorded);
    if (id !== null) ids.add(id);
  }
  return [...ids];
}
