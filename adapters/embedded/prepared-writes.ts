/** Makes document writes ready outside of the transaction, where their fields are validated. */
import type { CollectionSpec, Document, DocumentWrite } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import type { Packer } from './packer.js';
import { pack, type Stored } from './packing.js';
import type { SearchIndex } from './search-index.js';
import type { PreparedWrite } from './unflushed.js';

export interface PreparedWrites {
  /**
   * What its row will hold is made only when it is written: most documents that wait are replaced before that.
   * @throws TypeError when an indexed field is not a string, number or null, or when a search field has a wrong type
   */
  readonly prepare: (write: DocumentWrite) => PreparedWrite;
}

/** @param fields the indexed ones */
export function createPreparedWrites(
  spec: CollectionSpec,
  fields: readonly string[],
  index: Pick<SearchIndex, 'prepare'> | undefined,
  packer: Packer,
): PreparedWrites {
  const packed = spec.packed === true;

  function storedOf(doc: Document): Stored {
    const text = JSON.stringify(doc);
    return packed ? pack(text) : text;
  }

  return {
    prepare(document) {
      const { id, doc } = document;
      let made: Stored | undefined;
      return {
        document,
        values: fields.map((field) => (doc === null ? null : toColumn(doc[field], `${spec.name}.${field}`))),
        searchable: index?.prepare(id, doc) ?? null,
        stored: () => (doc === null ? null : (made ??= storedOf(doc))),
        make() {
          if (doc === null || made !== undefined) return undefined;
          if (packed) return packer.pack(JSON.stringify(doc)).then((stored) => void (made ??= stored));
          made = storedOf(doc);
          return undefined;
        },
      };
    },
  };
}

/** Makes what their rows will hold. Undefined when that is done: the write that follows shares this turn's transaction. */
export function makeAll(writes: readonly PreparedWrite[]): Promise<unknown> | undefined {
  const waits = writes.map((write) => write.make()).filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Promise.all(waits);
}
