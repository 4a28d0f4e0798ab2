/**
 * The read-models port over maps. It writes the documents first and then the checkpoint, in separate steps, as a store
 * without transactions does. `step` is called before each step and may throw or wait.
 */
import { START, type Position } from '../../../ports/event-store.js';
import {
  CheckpointMoved,
  type CollectionCommit,
  DocumentMoved,
  GenerationMoved,
  parseAddress,
  storedName,
  type CollectionSpec,
  type Document,
  type DocumentWrite,
  type Find,
  type IndexValue,
  type ProjectionCommit,
  type ReadModels,
  type StoredDocument,
} from '../../../ports/read-models.js';

export type Step = 'read' | 'write' | 'checkpoint' | 'advance' | 'answer';

interface Row {
  readonly doc: Document | null;
  readonly version: string;
}

export interface MemoryReadModels extends ReadModels {
  /** Live documents of a collection. */
  all(collection: string): ReadonlyMap<string, StoredDocument<Document>>;
  /** A projection's checkpoint, read without calling `step`. */
  standsAt(projection: string): Position;
}

export function memoryReadModels(
  step: (kind: Step, what: string) => Promise<void> | void = () => undefined,
  onAdvanced: (projection: string, to: Position) => void = () => undefined,
): MemoryReadModels {
  const collections = new Map<string, Map<string, Row>>();
  const checkpoints = new Map<string, Position>();
  const copies = new Map<string, { live: number; all: number[]; next: number }>();
  const latest = new Map<string, number>();
  const indexes = new Map<string, CollectionSpec['indexes']>();
  const copiesOf = (name: string) => copies.get(name) ?? { live: 1, all: [1], next: 2 };
  /** The stored name of an address; the first generation has no suffix. */
  const stored = (text: string): string => {
    const address = parseAddress(text)!;
    const version = address.version ?? latest.get(address.name) ?? 1;
    const generation = address.generation ?? copiesOf(`${address.name}@${version}`).live;
    return storedName({ name: address.name, version }, generation);
  };
  const rowsOf = (address: string): Map<string, Row> => {
    const name = stored(address);
    const rows = collections.get(name) ?? new Map<string, Row>();
    collections.set(name, rows);
    return rows;
  };

  async function put(
    collection: string,
    writes: readonly DocumentWrite[],
    bases: boolean,
  ): Promise<readonly string[]> {
    const stay: string[] = [];
    const rows = rowsOf(collection);
    const { name, generation } = parseAddress(collection)!;
    for (const { id, doc, version, base } of writes) {
      await step('write', `${(generation ?? 1) === 1 ? name : collection}/${id}`);
      const row = rows.get(id);
      if (row && row.version >= version) {
        stay.push(id);
        continue;
      }
      const moved = base === '' ? row?.doc : row && row.version !== base;
      if (bases && base !== undefined && moved) throw new DocumentMoved(id);
      rows.set(id, { doc: structuredClone(doc), version });
    }
    return stay;
  }

  async function advance({ projection, from, to }: Omit<ProjectionCommit, 'writes'>): Promise<boolean> {
    await step('advance', projection);
    const name = stored(projection);
    if ((checkpoints.get(name) ?? START) !== from) return false;
    checkpoints.set(name, to);
    onAdvanced(projection, to);
    await step('answer', projection);
    return true;
  }

  const unused = (): never => {
    throw new Error('not part of this stand-in');
  };

  async function commitAll(changes: readonly CollectionCommit[]): Promise<void> {
    const written = await Promise.allSettled(
      changes.map(({ collection, writes }) => put(collection, writes, true)),
    );
    const failed = written.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    const moved: string[] = [];
    for (const change of changes) if (!(await advance(change))) moved.push(change.projection);
    if (moved.length > 0) throw new CheckpointMoved(moved.join());
  }

  return {
    all(collection) {
      const live = [...rowsOf(collection)].filter(([, { doc }]) => doc !== null);
      return new Map(live.map(([id, { doc, version }]) => [id, { id, doc: doc!, version }]));
    },
    standsAt: (projection) => checkpoints.get(stored(projection)) ?? START,
    async define({ name, version, generation, indexes: own }) {
      indexes.set(name, own);
      const key = `${name}@${version}`;
      const known = copiesOf(key);
      if (generation !== undefined && !known.all.includes(generation)) {
        copies.set(key, { ...known, all: [...known.all, generation], next: generation + 1 });
      }
      if (generation === undefined || generation === known.live) latest.set(name, version);
    },
    async generations(collection) {
      await step('read', `generations of ${collection}`);
      const { name, version } = parseAddress(collection)!;
      const number = version ?? latest.get(name) ?? 1;
      return { version: number, ...copiesOf(`${name}@${number}`) };
    },
    async flip(collection, { from, to }) {
      await step('write', `flip of ${collection}`);
      const { name, version } = parseAddress(collection)!;
      const key = `${name}@${version ?? latest.get(name) ?? 1}`;
      const known = copiesOf(key);
      if (known.live !== from || !known.all.includes(to)) throw new GenerationMoved(collection);
      copies.set(key, { ...known, live: to });
    },
    async drop({ name, version, generation }) {
      const key = `${name}@${version}`;
      const known = copiesOf(key);
      if (known.live === generation) throw new GenerationMoved(key);
      copies.set(key, { ...known, all: known.all.filter((one) => one !== generation) });
      collections.delete(storedName({ name, version }, generation));
      checkpoints.delete(storedName({ name, version }, generation));
    },
    versions: unused,
    dropVersion: unused,
    removeElsewhere: unused,
    forgetRemoved: unused,
    async scan(collection, { prefix = '', after, limit, order }) {
      await step('read', collection);
      const sign = order === 'asc' ? 1 : -1;
      return [...this.all(collection).values()]
        .sort((a, b) => (a.id < b.id ? -sign : sign))
        .filter(({ id }) => id.startsWith(prefix))
        .filter(({ id }) => after === null || (order === 'asc' ? id > after : id < after))
        .slice(0, limit)
        .map(({ id, version, doc }) => ({ id, version, text: JSON.stringify(doc) }));
    },
    async get(collection, id) {
      return (await this.getMany(collection, [id]))[0];
    },
    async getMany<T>(collection: string, ids: readonly string[]) {
      await step('read', collection);
      const rows = rowsOf(collection);
      return ids.flatMap((id) => {
        const row = rows.get(id);
        return row?.doc ? [{ id, doc: structuredClone(row.doc) as T, version: row.version }] : [];
      });
    },
    async find<T>(collection: string, { index, equals, order, limit, after }: Find) {
      await step('read', collection);
      const fields = indexes.get(parseAddress(collection)!.name)![index]!;
      const keyOf = ({ id, doc }: StoredDocument<Document>): IndexValue[] => [
        ...fields.slice(equals.length).map((field) => doc[field] as IndexValue),
        id,
      ];
      const sign = order === 'asc' ? 1 : -1;
      const found = [...this.all(collection).values()]
        .filter(({ doc }) => equals.every((value, n) => doc[fields[n]!] === value))
        .map((document) => ({ document, key: keyOf(document) }))
        .filter(({ key }) => after === undefined || sign * compareKeys(key, after) > 0)
        .sort((a, b) => sign * compareKeys(a.key, b.key));
      const page = found.slice(0, limit);
      return {
        documents: page.map(({ document }) => structuredClone(document) as StoredDocument<T>),
        next: found.length > limit ? page.at(-1)!.key : null,
      };
    },
    search: unused,
    async count(collection, index, equals, atMost) {
      const query = { index, equals, order: 'asc', limit: atMost ?? Number.MAX_SAFE_INTEGER } as const;
      return (await this.find(collection, query)).documents.length;
    },
    write: (collection, writes) => put(collection, writes, false),
    async writeSoon(collection, writes) {
      return { refused: await put(collection, writes, false), durable: Promise.resolve() };
    },
    moveSoon: (move) => commitAll([{ ...move, writes: [] }]),
    async checkpoint(projection) {
      await step('checkpoint', projection);
      return checkpoints.get(stored(projection)) ?? START;
    },
    commit: (collection, change) => commitAll([{ ...change, collection }]),
    commitAll,
  };
}

/** Nulls first; apart from null, all values of a field have one type. */
function compareKeys(a: readonly IndexValue[], b: readonly IndexValue[]): number {
  for (const [n, value] of a.entries()) {
    const other = b[n]!;
    if (value === other) continue;
    if (value === null || other === null) return value === null ? -1 : 1;
    return value < other ? -1 : 1;
  }
  return 0;
}
