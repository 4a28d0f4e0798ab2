/**
 * A projection is data and one pure function; runners own the reading and writing. A read model is rebuilt by
 * folding the history again, so `evolve` may use nothing but the document and the event.
 */
import type { RecordedEvent } from '../application/codec.js';
import type { DomainEvent } from '../domain/kernel/event.js';
import type { CollectionSpec, Document, SearchSpec } from '../ports/read-models.js';

export interface Projection<Doc extends Document = Document, Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  /** Raised when the documents would come out differently: the new version is built beside the old one. */
  readonly version: number;
  readonly indexes: CollectionSpec['indexes'];
  readonly search?: SearchSpec;
  readonly handles: readonly Event['type'][];
  /** Document the event belongs to, or null when it concerns none. */
  readonly documentId: (recorded: RecordedEvent<Event>) => string | null;
  /** Null removes the document. */
  readonly evolve: (doc: Doc | undefined, recorded: RecordedEvent<Event>) => Doc | null;
}

/** Keeps the types of a definition and hides them from the list of all projections. */
export function defineProjection<Doc extends Document, Event extends DomainEvent>(
  projection: Projection<Doc, Event>,
): Projection<Doc, Event> {
  return projection;
}

/** A projection whose own types don't matter to the caller. */
export type AnyProjection = Projection;
export const asAny = <D extends Document, E extends DomainEvent>(
  projection: Projection<D, E>,
): AnyProjection => projection as unknown as AnyProjection;

export const collectionOf = (projection: AnyProjection): CollectionSpec => ({
  name: projection.name,
  version: projection.version,
  indexes: projection.indexes,
  ...(projection.search ? { search: projection.search } : {}),
});

/** Name under which the checkpoint is kept; a new version starts from the beginning. */
export const checkpointName = (projection: Pick<AnyProjection, 'name' | 'version'>): string =>
  `${projection.name}@${projection.version}`;
