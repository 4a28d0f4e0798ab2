/** One document folded from one stream, as of any revision; for documents that only their own stream feeds. */
import type { App } from '../application/app.js';
import type { EventCodec, RecordedEvent } from '../application/codec.js';
import type { EventStore } from '../ports/event-store.js';
import type { Document } from '../ports/read-models.js';
import type { AnyProjection } from './projection.js';
import type { Skips } from './skips.js';

/** Skips are rare, and usually another process records them. */
const SKIPS_FRESH_MS = 5_000;

export function createReplay(
  projections: readonly AnyProjection[],
  deps: { readonly store: EventStore; readonly codec: EventCodec; readonly skips?: Skips },
): Pick<App, 'replay' | 'project' | 'isSkipped'> {
  const byName = new Map(projections.map((projection) => [projection.name, projection]));

  function project<T>(collection: string, history: readonly RecordedEvent[]): T | undefined {
    const projection = byName.get(collection);
    if (!projection) throw new Error(`there is no projection "${collection}"`);
    let doc: Document | undefined;
    let id: string | null = null;
    for (const recorded of history) {
      if (!projection.handles.includes(recorded.event.type)) continue;
      if (deps.skips?.has(projection.name, recorded.record)) continue;
      id ??= projection.documentId(recorded);
      if (id !== null) doc = projection.evolve(doc, recorded, id) ?? undefined;
    }
    return doc as T | undefined;
  }

  return {
    project,
    async isSkipped(collection, stream, position) {
      await deps.skips?.refresh(SKIPS_FRESH_MS);
      const records = await deps.store.read(stream);
      return records.some(
        (record) =>
          (position === undefined || record.position === position) && deps.skips?.has(collection, record),
      );
    },
    async replay<T>(collection: string, stream: string, upTo?: number) {
      await deps.skips?.refresh(SKIPS_FRESH_MS);
      // Given a revision, the store may know the stream without a request.
      const records = await deps.store.read(stream, upTo === undefined ? undefined : { limit: upTo + 1 });
      return project<T>(collection, await deps.codec.decodeAll(records));
    },
  };
}
