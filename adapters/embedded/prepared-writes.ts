/** Makes document writes ready outside of the transaction, where their fields are validated. */
import type { CollectionSpec, Document, DocumentWrite } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import { pack, type Stored } from './packing.js';
import type { SearchIndex } from './search-index.js';
import type { PreparedWrite } from './unflushed.js';

export interface PreparedWrites {
  /**
   * @throws TypeError when an indexed field is not a string, number or null, or when a search field has a wrong type
   */
  readonly prepare: (write: DocumentWrite) => PreparedWrite;
  /** For `stage`: the text is made only when the row is written, since most such documents are replaced before that. */
  readonly prepareToStage: (write: DocumentWrite) => PreparedWrite;
}

/** @param fields the indexed ones */
export function createPreparedWrites(
  spec: CollectionSpec,
  fields: readonly string[],
  index: Pick<SearchIndex, 'prepare'> | undefined,
): PreparedWrites {
  function storedOf(doc: Document | null): Stored | null {
    if (doc === null) return null;
    const text = JSON.stringify(doc);
    return spec.packed ? pack(text) : text;
  }

  const prepared = (document: DocumentWrite, stored: PreparedWrite['stored']): PreparedWrite => ({
    document,
    values: fields.map((field) =>
      document.doc === null ? null : toColumn(document.doc[field], `${spec.name}.${field}`),
    ),
    searchable: index?.prepare(document.id, document.doc) ?? null,
    stored,
  });

  return {
    prepare(document) {
      const stored = storedOf(document.doc);
      return prepared(document, () => stored);
    },
    prepareToStage(document) {
      let made: { readonly stored: Stored | null } | undefined;
      return prepared(document, () => (made ??= { stored: storedOf(document.doc) }).stored);
    },
  };
}
