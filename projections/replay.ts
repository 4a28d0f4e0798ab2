/** A single document out of a single stream, as of any revision: for documents that only their own stream feeds. */
import type { EventCodec } from '../application/codec.js';
import type { EventStore } from '../ports/event-store.js';
import type { Document } from '../ports/read-models.js';
import type { AnyProjection } from './projection.js';

export function createReplay(
  projections: readonly AnyProjection[],
  deps: { readonly store: EventStore; readonly codec: EventCodec },
) {
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  return async function replay<T>(
    collection: string,
    stream: string,
    upTo = Number.MAX_SAFE_INTEGER,
  ): Promise<T | undefined> {
    const projection = byName.get(collection);
    if (!projection) throw new Error(`there is no projection "${collection}"`);
    const records = (await deps.store.read(stream)).filter((record) => record.revision <= upTo);
    let doc: Document | undefined;
    for (const recorded of await deps.codec.decodeAll(records)) {
      if (!projection.handles.includes(recorded.event.type)) continue;
      doc = projection.evolve(doc, recorded) ?? undefined;
    }
    return doc as T | undefined;
  };
}
