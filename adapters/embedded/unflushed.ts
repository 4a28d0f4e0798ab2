/**
 * Documents of a collection that are newer than its table: they are written a little later, once for many changes. Until
 * then they can be made again, from the history or from a message of a topic that was not passed.
 */
import type { DocumentWrite, IndexValue } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import type { Stored } from './packing.js';
import type { Searchable } from './search-index.js';
import { compareText } from './search-order.js';
import { PassingMap } from '../../ports/passing.js';

/** A document write whose indexed fields were validated outside the transaction. */
export interface PreparedWrite {
  readonly document: DocumentWrite;
  /** Of the indexed fields, in their order. */
  readonly values: readonly (string | number | null)[];
  readonly searchable: Searchable | null;
  /** The document as its row holds it. */
  readonly stored: () => Stored | null;
  /** Makes that outside of a transaction; a promise where a thread may do it. */
  readonly make: () => Promise<void> | undefined;
}

export interface Unflushed {
  size(): number;
  ids(): readonly string[];
  get(id: string): PreparedWrite | undefined;
  /** Whether the transaction under way has put or removed this one. */
  isChanging(id: string): boolean;
  /** In a transaction. */
  put(write: PreparedWrite): void;
  /** Outside of a transaction, so that none can take it back. */
  putNow(write: PreparedWrite): void;
  /** In a transaction: the document is in the table now. */
  remove(id: string): void;
  /** Live documents with these values in the leading fields, in no particular order. */
  matching(list: readonly string[], equals: readonly IndexValue[]): Iterable<PreparedWrite>;
  committed(): void;
  rolledBack(): void;
}

type ByValues = PassingMap<string, PassingMap<string, PreparedWrite>>;

const NONE = new PassingMap<string, PreparedWrite>();

export function createUnflushed(fields: readonly string[]): Unflushed {
  const documents = new PassingMap<string, PreparedWrite>();
  /** Documents by the values of some fields. Made when first asked for: few combinations ever are. */
  const lookups = new Map<string, { readonly at: readonly number[]; readonly found: ByValues }>();
  /** What the current transaction replaced. */
  let before = new Map<string, PreparedWrite | undefined>();

  const keyOf = ({ values }: PreparedWrite, at: readonly number[]): string =>
    JSON.stringify(at.map((place) => values[place]));

  function file(write: PreparedWrite, { at, found }: { at: readonly number[]; found: ByValues }): void {
    const key = keyOf(write, at);
    const there = found.get(key);
    if (there) there.set(write.document.id, write);
    else found.set(key, new PassingMap<string, PreparedWrite>().set(write.document.id, write));
  }

  function take(id: string): void {
    const old = documents.get(id);
    if (!old) return;
    documents.delete(id);
    if (old.document.doc === null) return;
    for (const { at, found } of lookups.values()) {
      const key = keyOf(old, at);
      const there = found.get(key);
      there?.delete(id);
      if (there?.size === 0) found.delete(key);
    }
  }

  function set(id: string, write: PreparedWrite | undefined): void {
    take(id);
    if (!write) return;
    documents.set(id, write);
    if (write.document.doc !== null) for (const lookup of lookups.values()) file(write, lookup);
  }

  function replace(id: string, write: PreparedWrite | undefined): void {
    if (!before.has(id)) before.set(id, documents.get(id));
    set(id, write);
  }

  return {
    size: () => documents.size,
    ids: () => [...documents.keys()],
    get: (id) => documents.get(id),
    isChanging: (id) => before.has(id),
    put: (write) => replace(write.document.id, write),
    putNow: (write) => set(write.document.id, write),
    remove: (id) => replace(id, undefined),
    matching(list, equals) {
      const leading = list.slice(0, equals.length);
      const name = leading.join();
      let lookup = lookups.get(name);
      if (!lookup) {
        lookup = { at: leading.map((field) => fields.indexOf(field)), found: new PassingMap() };
        lookups.set(name, lookup);
        for (const write of documents.values()) if (write.document.doc !== null) file(write, lookup);
      }
      const key = JSON.stringify(equals.map((value) => toColumn(value, 'a value to search for')));
      return (lookup.found.get(key) ?? NONE).values();
    },
    committed() {
      // Not cleared: a cleared Map keeps what it held (ports/passing.ts). Most commits concern few collections.
      if (before.size > 0) before = new Map();
    },
    rolledBack() {
      for (const [id, write] of before) set(id, write);
      before = new Map();
    },
  };
}

export type ColumnValue = string | number;

/** The order of SQLite: numbers before texts, and texts by their bytes. */
export function compareColumns(a: ColumnValue, b: ColumnValue): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : 1;
  if (typeof b === 'string') return -1;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Sort keys of equal length, value by value. */
export function compareKeys(a: readonly ColumnValue[], b: readonly ColumnValue[]): number {
  for (const [index, value] of a.entries()) {
    const order = compareColumns(value, b[index]!);
    if (order !== 0) return order;
  }
  return 0;
}
