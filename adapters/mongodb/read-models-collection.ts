/**
 * One collection of documents, and their stored form.
 *
 * A document is stored as JSON text. Field names of a document may contain characters that MongoDB does not allow (`$`,
 * `.`), and as text numbers and strings come back exactly as they were written. Indexed fields are stored beside the
 * text, as `f_<name>`. `live` is the first field of every index. A removed document has neither, so it is in no result
 * and costs nothing. BSON orders null before numbers before strings by their bytes, as the port requires.
 */
import { createHash } from 'node:crypto';
import {
  storedDocument,
  type CollectionSpec,
  type CollectionVersion,
  type Document,
  type IndexValue,
  type StoredDocument,
} from '../../ports/read-models.js';

/** A document as stored in MongoDB. */
export interface Row {
  readonly _id: string;
  readonly version: string;
  /** Absent in a removed document, of which only the version is kept. */
  readonly live?: true;
  /** When a removed document was first marked. Milliseconds since the epoch. */
  readonly noted_at?: number;
  readonly body?: string;
  /** Identifies the set of fields that were copied out of the text. */
  readonly shape?: string;
  readonly words?: readonly string[];
  readonly [field: `f_${string}`]: IndexValue;
}

export interface MongoCollection {
  readonly spec: CollectionSpec;
  /** Name in the database. */
  readonly physical: string;
  readonly shape: string;
  /** Every index that must exist, with its fields in order. */
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** @throws TypeError when an indexed field has a wrong type */
  toRow(id: string, version: string, doc: Document | null): Row;
  /** The fields copied out of a document, without the rest. @throws TypeError */
  lookedUpBy(doc: Document): Omit<Row, '_id' | 'version'>;
}

/** A copy, parsed from the name that `physical` gave it. */
export interface StoredCopy extends CollectionVersion {
  readonly generation: number;
  readonly physical: string;
}

const PHYSICAL = /^rm_([a-z][a-z0-9_]*)_v(\d+)(?:_g(\d+))?$/;

export function copyOf(physical: string): StoredCopy | null {
  const [, name, version, generation] = PHYSICAL.exec(physical) ?? [];
  if (name === undefined) return null;
  return { name, version: Number(version), generation: Number(generation ?? 1), physical };
}

const NAME = /^[a-z][a-z0-9_]*$/;

export const field = (name: string): `f_${string}` => `f_${name}`;

/** @throws Error when the spec contains an invalid name */
export function mongoCollection(spec: CollectionSpec): MongoCollection {
  const { search, generation = 1 } = spec;
  const lists = Object.entries(spec.indexes);
  const names = [spec.name, ...lists.flatMap(([name, list]) => [name, ...list])];
  if (search) names.push(search.scope, search.words, search.orderBy);
  for (const name of names) {
    if (!NAME.test(name)) throw new Error(`collection ${spec.name}: "${name}" is not a usable name`);
  }
  for (const [name, list] of lists) {
    if (list.length === 0) throw new Error(`collection ${spec.name}: index ${name} has no fields`);
  }
  const fields = [...new Set(lists.flatMap(([, list]) => list))].sort();
  const shape = createHash('sha256')
    .update(JSON.stringify([fields, search?.scope, search?.words, search?.orderBy]))
    .digest('hex')
    .slice(0, 12);

  function lookedUpBy(doc: Document): Omit<Row, '_id' | 'version'> {
    const beside: Record<`f_${string}`, IndexValue> = {};
    for (const name of fields) beside[field(name)] = toIndexed(doc[name], `${spec.name}.${name}`);
    if (!search) return { shape, ...beside };
    const what = `${spec.name} ${search.scope}, ${search.words} and ${search.orderBy}`;
    const [scope, words, order] = [doc[search.scope], doc[search.words] ?? [], doc[search.orderBy] ?? null];
    const isText = (word: unknown): word is string => typeof word === 'string';
    if (!Array.isArray(words) || !words.every(isText) || !(order === null || isText(order))) {
      throw new TypeError(`${what} are searched by and must be a string, strings, and a string or null`);
    }
    if (words.length > 0 && !isText(scope)) throw new TypeError(`${what}: the first must be a string`);
    beside[field(search.scope)] = isText(scope) ? scope : null;
    beside[field(search.orderBy)] = order;
    return { shape, ...beside, words };
  }

  return {
    spec,
    physical: `rm_${spec.name}_v${spec.version}${generation === 1 ? '' : `_g${generation}`}`,
    shape,
    indexes: indexesOf(spec),
    lookedUpBy,
    toRow(id, version, doc) {
      if (doc === null) return { _id: id, version };
      return { _id: id, version, live: true, body: JSON.stringify(doc), ...lookedUpBy(doc) };
    },
  };
}

/**
 * A search has two indexes. For words of few documents, MongoDB finds these by word and then sorts them. For words of
 * many documents, it reads the documents in order until the page is full. It tries both for a moment and continues with
 * the faster one.
 */
function indexesOf({ indexes, search, forgets }: CollectionSpec): ReadonlyMap<string, readonly string[]> {
  const all = new Map([['shape', ['live', 'shape']]]);
  for (const [name, list] of Object.entries(indexes)) {
    all.set(`i_${name}`, ['live', ...list.map(field), '_id']);
  }
  if (search) {
    const [scope, order] = [field(search.scope), field(search.orderBy)];
    all.set('search_words', ['live', scope, 'words', order, '_id']);
    all.set('search_order', ['live', scope, order, '_id']);
  }
  if (forgets) all.set('removed', ['live', 'noted_at']);
  // MongoDB refuses a second index on the same fields.
  const known = new Set<string>();
  for (const [name, fields] of all) {
    if (known.has(fields.join())) all.delete(name);
    known.add(fields.join());
  }
  return all;
}

/** Null for an absent value and for numbers that JSON can't represent. @throws TypeError */
export function toIndexed(value: unknown, what: string): IndexValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  throw new TypeError(`${what} is indexed and must be a string, a number or null`);
}

export const scanned = ({ _id: id, version, body: text = '' }: Row) => ({ id, version, text });

/** @throws UnreadableDocument */
export const fromRow = <T>(collection: string, row: Row): StoredDocument<T> =>
  storedDocument<T>(collection, scanned(row));
