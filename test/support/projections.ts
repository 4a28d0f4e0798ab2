/** Given events, then documents: tests projections without a store. */
import type { RecordedEvent } from '../../application/codec.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { exampleIds } from './examples/example.js';
import type { Position } from '../../ports/event-store.js';
import type { Document, DocumentWrite, StoredDocument } from '../../ports/read-models.js';
import { foldBatch } from '../../projections/fold.js';
import type { AnyProjection } from '../../projections/projection.js';

const START = Date.parse('2026-03-02T12:00:00.000Z');
/** The time of the n-th event of a history; events are one second apart. */
export const at = (n: number): string => new Date(START + n * 1000).toISOString();

/** Records a history over several streams from `[stream, event]` pairs in global order. */
export function history(...events: readonly (readonly [string, DomainEvent])[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return events.map(([stream, event], n) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    return {
      event,
      record: {
        stream,
        revision,
        position: String(n + 1).padStart(12, '0') as Position,
        eventId: deriveId('history', n),
        type: event.type,
        data: event.data,
        meta: {
          correlation_id: 'c',
          causation_id: 'c',
          command_id: 'c',
          actor: 'admin',
          company: exampleIds.company,
          occurred_at: at(n),
          schema_version: 1,
        },
      },
    };
  });
}

/** Documents with the version guard of every read-model store: an older write never replaces a newer one. */
export class Documents {
  readonly #rows = new Map<string, { readonly doc: Document | null; readonly version: string }>();

  readonly load = (id: string): StoredDocument<Document> | undefined => {
    const row = this.#rows.get(id);
    return row?.doc ? { id, doc: row.doc, version: row.version } : undefined;
  };

  write(writes: readonly DocumentWrite[]): void {
    for (const { id, doc, version } of writes) {
      const known = this.#rows.get(id);
      if (!known || known.version < version) this.#rows.set(id, { doc, version });
    }
  }

  all(): Readonly<Record<string, Document>> {
    const live = [...this.#rows].flatMap(([id, { doc }]) => (doc ? [[id, doc] as const] : []));
    return Object.fromEntries(live.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The events that the projection handles, as a runner would filter them. */
export const handled = (projection: AnyProjection, events: readonly RecordedEvent[]) =>
  events.filter(({ event }) => projection.handles.includes(event.type));

/** Returns the documents that result from a history. */
export function project(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
): Readonly<Record<string, Document>> {
  const documents = new Documents();
  documents.write(foldBatch(projection, handled(projection, events), documents.load));
  return documents.all();
}
