/**
 * The ReadModels port over SQLite.
 *
 * Addresses are those of ports/read-models.ts. There is only one process, so it always knows the live generation: a
 * flip changes both the file and the meaning of addresses.
 */
import {
  CheckpointMoved,
  type CollectionCommit,
  type CollectionSpec,
  type CollectionVersion,
  DocumentMoved,
  type DocumentWrite,
  generationAddress,
  GenerationMoved,
  parseAddress,
  type ReadModels,
  type StoredDocument,
  storedName,
  versionsAmong,
} from '../../ports/read-models.js';
import type { Position } from '../../ports/event-store.js';
import type { Checkpoints } from './checkpoints.js';
import { removeTable } from './collection-table.js';
import { createCollection, type Collection } from './collection.js';
import type { Db } from './database.js';
import { createDocumentCache } from './document-cache.js';
import { createGenerationTable, type GenerationTable } from './generations.js';
import { flushInSlices } from './slices.js';
import { emptying, removeSome, storedCopies } from './stored-versions.js';
import type { Participant } from './participant.js';
import type { Writer } from './writer.js';

export interface Collections {
  define(spec: CollectionSpec): Collection;
  /** @throws Error when it was never defined */
  named(collection: string): Collection;
  /** Name under which the checkpoint for an address is stored. */
  checkpointOf(address: string): string;
  readonly generations: GenerationTable;
  /** Call it after a flip is committed: addresses then resolve to the live generation. */
  point(version: CollectionVersion): void;
  /** Call it when the generation has been removed. */
  lose(version: CollectionVersion, generation: number): void;
  /** Every copy that this process has defined, once. */
  all(): readonly Collection[];
  /** Collections whose search is not ready yet. */
  unsearchable(): readonly Collection[];
  /** Whether this process has defined the version. */
  inUse(version: CollectionVersion): boolean;
}

/** @param onUnsearchable called when a collection is defined whose search is not ready */
export function createCollections(db: Db, onUnsearchable?: () => void): Collections & Participant {
  const documents = createDocumentCache();
  const generations = createGenerationTable(db);
  const defined = new Map<string, Collection>();
  /** Version that the bare name resolves to. */
  const latest = new Map<string, number>();

  function point({ name, version }: CollectionVersion): void {
    const { live, all } = generations.of({ name, version });
    for (const generation of all) {
      defined.get(generationAddress({ name, version }, generation))?.setLive(generation === live);
    }
    const collection = defined.get(generationAddress({ name, version }, live));
    if (!collection) return;
    defined.set(`${name}@${version}`, collection);
    if (latest.get(name) === version) defined.set(name, collection);
  }

  const all = (): readonly Collection[] => [...new Set(defined.values())];

  return {
    generations,
    point,
    all,
    define(spec) {
      const { live } = generations.of(spec);
      const generation = spec.generation ?? live;
      const whole = { ...spec, generation };
      const address = generationAddress(spec, generation);
      const known = defined.get(address);
      const same = known && shapeOf(known.spec) === shapeOf(whole);
      if (generation !== live) generations.add(spec, generation);
      if (known && !same) flushNow(db, known);
      const collection = same ? known : createCollection(db, whole, documents);
      defined.set(address, collection);
      if (generation === live) latest.set(spec.name, spec.version);
      point(spec);
      if (collection.searchable() < 1) onUnsearchable?.();
      return collection;
    },
    named(collection) {
      const found = defined.get(collection);
      if (!found) throw new Error(`collection ${collection} was not defined`);
      return found;
    },
    checkpointOf(text) {
      const address = parseAddress(text);
      if (!address || address.version === null) return text;
      const { name, version } = address;
      return storedName(
        { name, version },
        address.generation ?? defined.get(`${name}@${version}`)?.spec.generation ?? 1,
      );
    },
    lose: (version, generation) => void defined.delete(generationAddress(version, generation)),
    inUse: ({ name, version }) => defined.has(`${name}@${version}`),
    unsearchable: () => all().filter((one) => one.searchable() < 1),
    committed() {
      for (const collection of defined.values()) collection.committed();
    },
    /** Cached documents and query results may come from the transaction that was rolled back. */
    rolledBack() {
      documents.clear();
      for (const collection of all()) collection.rolledBack();
    },
  };
}

/** Outside the writer's transactions: the collection is about to be replaced by one of another shape. */
function flushNow(db: Db, collection: Collection): void {
  db.transaction(() => collection.flush()).immediate();
  collection.committed();
}

const shapeOf = ({ indexes, search, forgets }: CollectionSpec): string =>
  JSON.stringify([indexes, search, forgets]);

/** Documents that wait for their row in one collection; beyond, a write waits for its commit. */
const MOST_UNFLUSHED = 5_000;
/** Documents of a dropped generation that are removed in one transaction. */
const REMOVED_AT_ONCE = 100;

export function createReadModels(deps: {
  readonly db: Db;
  readonly collections: Collections;
  readonly checkpoints: Checkpoints;
  readonly writer: Writer;
  /** Resolves when everything staged so far is in its table. `waiting`: documents that wait in the collection. */
  readonly durableSoon: (waiting?: number) => Promise<void>;
}): ReadModels {
  const { db, collections, checkpoints, writer, durableSoon } = deps;
  const versionOf = (collection: string): CollectionVersion => collections.named(collection).spec;

  /** For what reads tables only. What was staged before the call is in the table when it resolves. */
  async function flushed(name: string): Promise<Collection> {
    const collection = collections.named(name);
    await flushInSlices(collection, writer);
    return collection;
  }

  async function commitAll(changes: readonly CollectionCommit[]): Promise<void> {
    const prepared = changes.map(({ collection, projection, writes, from, to }) => {
      const target = collections.named(collection);
      const rows = writes.map((write) => target.prepare(write));
      return { target, rows, projection, name: collections.checkpointOf(projection), from, to };
    });
    const size = prepared.reduce((sum, { rows }) => sum + rows.length, 0);
    return writer.submit(() => {
      for (const { name, projection, from } of prepared) {
        refuseOther(checkpoints.get(name), from, projection);
      }
      for (const { target, rows } of prepared) for (const { document } of rows) refuseMoved(target, document);
      for (const { target, rows, name, to } of prepared) {
        target.flush();
        for (const row of rows) target.write(row);
        checkpoints.set(name, to);
      }
    }, size);
  }

  async function write(collection: string, writes: readonly DocumentWrite[]): Promise<readonly string[]> {
    const target = collections.named(collection);
    const rows = writes.map((write) => target.prepare(write));
    return writer.submit(() => {
      target.flush(rows.map(({ document }) => document.id));
      return rows.filter((row) => !target.write(row)).map(({ document }) => document.id);
    }, rows.length);
  }

  return {
    async define(spec) {
      collections.define(spec);
    },
    async generations(collection) {
      return collections.generations.of(versionOf(collection));
    },
    async flip(collection, { from, to }) {
      const version = versionOf(collection);
      await writer.submit(() => collections.generations.flip(version, from, to));
      collections.point(version);
    },
    async drop(spec) {
      const { generation } = spec;
      if (!collections.generations.of(spec).all.includes(generation)) return;
      const collection = collections.define(spec);
      await writer.submit(() => {
        collection.flush();
        collections.generations.retire(spec, generation);
        checkpoints.remove(storedName(spec, generation));
      });
      let more = true;
      while (more) {
        more = await writer.submit(() => collection.removeSome(REMOVED_AT_ONCE), REMOVED_AT_ONCE);
      }
      await writer.submit(() => {
        collection.dropTable();
        collections.generations.forget(spec, generation);
      });
      collections.lose(spec, generation);
    },
    async versions() {
      return versionsAmong(storedCopies(db));
    },
    async dropVersion(version) {
      if (collections.inUse(version))
        throw new GenerationMoved(`${version.name}@${version.version} is in use`);
      const copies = storedCopies(db).filter(
        ({ name, version: number }) => name === version.name && number === version.version,
      );
      // Checkpoints first: if the removal is interrupted, a process that uses the copy again must rebuild it.
      await writer.submit(() => {
        for (const copy of copies) checkpoints.remove(storedName(copy, copy.generation));
      });
      for (const remove of copies.flatMap((copy) => emptying(db, copy, REMOVED_AT_ONCE))) {
        while ((await writer.submit(() => remove.run().changes, REMOVED_AT_ONCE)) > 0);
      }
      await writer.submit(() => {
        for (const copy of copies) removeTable(db, copy);
        for (const generation of collections.generations.of(version).all) {
          collections.generations.forget(version, generation);
        }
      });
    },
    async removeElsewhere(goes) {
      let removed = 0;
      for (const copy of storedCopies(db)) {
        if (!collections.inUse(copy))
          removed += await removeSome(db, copy, goes, (work) => writer.submit(work));
      }
      return removed;
    },
    async forgetRemoved(collection, slice) {
      const target = await flushed(collection);
      return writer.submit(() => target.forgetRemoved(slice), slice.limit);
    },
    async scan(collection, query) {
      return (await flushed(collection)).scan(query);
    },
    async get<T>(collection: string, id: string) {
      return collections.named(collection).get<T>(id);
    },
    async getMany<T>(collection: string, ids: readonly string[]) {
      const target = collections.named(collection);
      return ids.map((id) => target.get<T>(id)).filter((found): found is StoredDocument<T> => !!found);
    },
    async find<T>(collection: string, query: Parameters<ReadModels['find']>[1]) {
      return collections.named(collection).find<T>(query);
    },
    async search<T>(collection: string, query: Parameters<ReadModels['search']>[1]) {
      return (await flushed(collection)).search<T>(query);
    },
    async count(collection, index, equals, atMost) {
      return (await flushed(collection)).count(index, equals, atMost);
    },
    write,
    async writeSoon(collection, writes) {
      const target = collections.named(collection);
      // Where the disk does not take them, they don't pile up: this waits for the disk, or fails.
      if (target.waiting() > MOST_UNFLUSHED) {
        return { refused: await write(collection, writes), durable: Promise.resolve() };
      }
      const rows = writes.map((write) => target.prepareToStage(write));
      const refused = rows.filter((row) => !target.stageNow(row)).map(({ document }) => document.id);
      return { refused, durable: durableSoon(target.waiting()) };
    },
    async checkpoint(projection) {
      return checkpoints.get(collections.checkpointOf(projection));
    },
    commit: (collection, change) => commitAll([{ ...change, collection }]),
    commitAll,
    async moveSoon({ projection, from, to }) {
      const name = collections.checkpointOf(projection);
      refuseOther(checkpoints.get(name), from, projection);
      checkpoints.setSoon(name, to);
      void durableSoon();
    },
  };
}

/** @throws CheckpointMoved */
function refuseOther(at: Position, from: Position, projection: string): void {
  if (at === from) return;
  throw new CheckpointMoved(
    `projection ${projection} is at "${at}", not at "${from}": another runner moved it`,
  );
}

/**
 * A write that is no newer than the stored document passes: it changes nothing.
 * @throws DocumentMoved when another writer changed the document since it was loaded
 */
function refuseMoved(target: Collection, { id, version, base }: DocumentWrite): void {
  if (base === undefined) return;
  const there = target.get(id)?.version ?? (base === '' ? base : target.removedAt(id));
  if (there === undefined || there === base || there >= version) return;
  throw new DocumentMoved(`document ${id} is at "${there}", not at "${base}": somebody wrote it`);
}
