/**
 * A projection consists of data and one pure function; runners do the reading and writing. A read model is rebuilt by
 * folding the history again, so `evolve` may use nothing but the document and the event.
 */
import type { RecordedEvent } from '../application/codec.js';
import type { DomainEvent } from '../domain/kernel/event.js';
import {
  generationAddress,
  type CollectionSpec,
  type Document,
  type SearchSpec,
} from '../ports/read-models.js';
import type { Collection } from '../read-models/collection.js';

export interface Projection<Doc extends Document = Document, Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  /** Increased when the documents would come out differently: the new version is built beside the old one. */
  readonly version: number;
  readonly indexes: CollectionSpec['indexes'];
  readonly search?: SearchSpec;
  readonly handles: readonly Event['type'][];
  /** Id of the document that the event belongs to, or null when it concerns none. */
  readonly documentId: (recorded: RecordedEvent<Event>) => string | null;
  /** Each event makes a document of its own, so none is expected to exist before: none is looked for. A guess. */
  readonly alwaysNew?: boolean;
  /** Null removes the document. @param id what `documentId` says */
  readonly evolve: (doc: Doc | undefined, recorded: RecordedEvent<Event>, id: string) => Doc | null;
}

/** A projection that writes a collection of `read-models/`. */
export function defineProjection<Doc extends Document, Event extends DomainEvent>({
  collection,
  ...how
}: Pick<Projection<Doc, Event>, 'handles' | 'documentId' | 'evolve' | 'alwaysNew'> & {
  readonly collection: Collection<Doc>;
}): Projection<Doc, Event> {
  return { ...collection, ...how };
}

/** A projection whose own types do not matter to the caller. */
export type AnyProjection = Projection;
export const asAny = <D extends Document, E extends DomainEvent>(
  projection: Projection<D, E>,
): AnyProjection => projection as unknown as AnyProjection;

/** One copy of a projection's documents; `generation` is null for the live copy. */
export interface Target {
  readonly projection: AnyProjection;
  readonly generation: number | null;
}

export const liveOf = (projection: AnyProjection): Target => ({ projection, generation: null });

export const collectionOf = ({ projection, generation }: Target): CollectionSpec => ({
  name: projection.name,
  version: projection.version,
  ...(generation === null ? {} : { generation }),
  indexes: projection.indexes,
  ...(projection.search ? { search: projection.search } : {}),
});

/** Address of the live generation's checkpoint; a new version starts from the beginning. */
export const checkpointName = (projection: Pick<AnyProjection, 'name' | 'version'>): string =>
  `${projection.name}@${projection.version}`;

/** Address of a target's documents and of its checkpoint. */
export const addressOf = ({ projection, generation }: Target): string =>
  generation === null ? checkpointName(projection) : generationAddress(projection, generation);
