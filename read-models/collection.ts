/**
 * A read model as a value: the type of its documents, and the indexes they can be queried by. Projections and workers
 * write through it, and readers use its name, so the compiler holds both to one type.
 */
import type { CollectionName, CollectionSpec, Document, SearchSpec } from '../ports/read-models.js';

type Field<Doc> = keyof Doc & string;

interface Shape<Doc, Index extends string> {
  readonly indexes: Readonly<Record<Index, readonly Field<Doc>[]>>;
  readonly search?: SearchSpec & Readonly<Record<keyof SearchSpec, Field<Doc>>>;
}

export interface Collection<Doc extends Document, Index extends string = never>
  extends Omit<CollectionSpec, 'indexes' | 'search'>, Shape<Doc, Index> {
  readonly name: CollectionName<Doc, Index>;
}

/** Curried, because the document type is given and the indexes are inferred: `collection<Doc>()({ … })`. */
export const collection =
  <Doc extends Document>() =>
  <const Index extends string>(
    spec: Pick<CollectionSpec, 'name' | 'version' | 'forgets' | 'packed' | 'idsBegin'> & Shape<Doc, Index>,
  ): Collection<Doc, Index> =>
    spec as Collection<Doc, Index>;
