/** The ReadModels port over SQLite: reads, guarded writes and commits of documents. */
import {
  CheckpointMoved,
  type CollectionCommit,
  DocumentMoved,
  type DocumentWrite,
  type ReadModels,
} from '../../ports/read-models.js';
import type { Position } from '../../ports/event-store.js';
import type { Checkpoints } from './checkpoints.js';
import type { Collection } from './collection.js';
import type { Collections } from './collections.js';
import type { Db } from './database.js';
import { createCopies } from './read-models-copies.js';
import { makeAll } from './prepared-writes.js';
import { flushInSlices } from './slices.js';
import type { ReadDurable } from './durable-reads.js';
import type { Writer } from './writer.js';

/** Documents that wait for their row in one collection; beyond, a write waits for its commit. */
const MOST_UNFLUSHED = 8_000;

export function createReadModels(deps: {
  readonly db: Db;
  readonly collections: Collections;
  readonly checkpoints: Checkpoints;
  readonly writer: Writer;
  readonly readDurable: ReadDurable;
  /** Resolves when everything staged so far is in its table. `waiting`: documents that wait in the collection. */
  readonly durableSoon: (waiting?: number) => Promise<void>;
}): ReadModels {
  const { collections, checkpoints, writer, readDurable, durableSoon } = deps;
  const named = (name: string): Collection => collections.named(name);

  /** For what reads tables only. What was staged before the call is in the table at the read. */
  async function readFlushed<T>(name: string, read: (collection: Collection) => T): Promise<T> {
    await flushInSlices(named(name), writer);
    return durably(name, read);
  }

  /** @param ids the documents that are read; undefined: any of the collection */
  async function durably<T>(
    name: string,
    read: (collection: Collection) => T,
    ids?: readonly string[],
  ): Promise<T> {
    const collection = named(name);
    return readDurable(
      () => collection.isChanging(ids),
      () => read(collection),
    );
  }

  async function commitAll(changes: readonly CollectionCommit[]): Promise<void> {
    const prepared = changes.map(({ collection, projection, writes, from, to }) => {
      const target = named(collection);
      const rows = writes.map((write) => target.prepare(write));
      return { target, rows, projection, name: collections.checkpointOf(projection), from, to };
    });
    const making = makeAll(prepared.flatMap(({ rows }) => rows));
    if (making) await making;
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
    const target = named(collection);
    const rows = writes.map((write) => target.prepare(write));
    const making = makeAll(rows);
    if (making) await making;
    return writer.submit(() => {
      target.flush(rows.map(({ document }) => document.id));
      return rows.filter((row) => !target.write(row)).map(({ document }) => document.id);
    }, rows.length);
  }

  return {
    ...createCopies(deps),
    async forgetRemoved(collection, slice) {
      const target = named(collection);
      await flushInSlices(target, writer);
      return writer.submit(() => target.forgetRemoved(slice), slice.limit);
    },
    scan: (collection, query) => readFlushed(collection, (target) => target.scan(query)),
    get: <T>(collection: string, id: string) => durably(collection, (target) => target.get<T>(id), [id]),
    getMany: <T>(collection: string, ids: readonly string[]) =>
      durably(
        collection,
        (target) => ids.map((id) => target.get<T>(id)).filter((found) => found !== undefined),
        ids,
      ),
    find: <T>(collection: string, query: Parameters<ReadModels['find']>[1]) =>
      durably(collection, (target) => target.find<T>(query)),
    search: <T>(collection: string, query: Parameters<ReadModels['search']>[1]) =>
      readFlushed(collection, (target) => target.search<T>(query)),
    count: (collection, index, equals, atMost) =>
      readFlushed(collection, (target) => target.count(index, equals, atMost)),
    write,
    async writeSoon(collection, writes) {
      const target = named(collection);
      // Where the disk does not take them, they don't pile up: this waits for the disk, or fails.
      if (target.waiting() > MOST_UNFLUSHED) {
        return { refused: await write(collection, writes), durable: Promise.resolve() };
      }
      const rows = writes.map((write) => target.prepare(write));
      // A transaction that is taken back would take these with it.
      const ids = rows.map(({ document }) => document.id);
      const refused = await readDurable(
        () => target.isChanging(ids) || target.isMoving(ids),
        () => rows.filter((row) => !target.stageNow(row)).map(({ document }) => document.id),
      );
      return { refused, durable: durableSoon(target.waiting()) };
    },
    async checkpoint(projection) {
      const name = collections.checkpointOf(projection);
      return readDurable(
        () => checkpoints.isChanging(name),
        () => checkpoints.get(name),
      );
    },
    commit: (collection, change) => commitAll([{ ...change, collection }]),
    commitAll,
    async moveSoon({ projection, from, to }) {
      const name = collections.checkpointOf(projection);
      const move = (): void => {
        refuseOther(checkpoints.get(name), from, projection);
        checkpoints.setSoon(name, to);
        void durableSoon();
      };
      return readDurable(() => checkpoints.isChanging(name), move);
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
