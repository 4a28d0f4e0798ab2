/**
 * The ReadModels port over MongoDB, without transactions: documents first, then the checkpoint.
 *
 * Addresses are those of ports/read-models.ts. Each process caches the live generation for a bounded time.
 *
 * Documents are written with majority acknowledgement too. Otherwise, after a change of the primary between the two
 * writes, a checkpoint might cover documents that were lost. Documents are read "local" from the primary: a read that
 * is rolled back later can only lead to DocumentMoved or CheckpointMoved. A checkpoint is read "majority", because
 * other processes wait for it.
 */
import { MongoServerError, type Collection, type Filter } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import {
  LAST_CHARACTER,
  CheckpointMoved,
  type CollectionCommit,
  type CollectionSpec,
  type CollectionVersion,
  type Find,
  generationAddress,
  GenerationMoved,
  type IndexValue,
  parseAddress,
  type ReadModels,
  type Search,
  storedName,
  versionsAmong,
  type DocumentWrite,
  type WriteOptions,
} from '../../ports/read-models.js';
import { systemClock } from '../clock/system.js';
import { bounded } from './bounded.js';
import { createCheckpoints } from './checkpoints.js';
import type { Connection } from './connection.js';
import { gathered, type Gathered } from './gathered.js';
import { gatheredWrites, type GatheredWrites } from './gathered-writes.js';
import { createGenerationRecords } from './generations.js';
import {
  copyOf,
  field,
  fromRow,
  mongoCollection,
  scanned,
  toIndexed,
  type MongoCollection,
  type Row,
  type StoredCopy,
} from './read-models-collection.js';
import { bringUp } from './read-models-define.js';
import { MAX_PAGE, readPage } from './read-models-pages.js';
import { forgetSome } from './read-models-forgetting.js';
import { removeSome } from './read-models-removal.js';
import { prepareWrites, writeGuarded, type Write } from './read-models-writes.js';
import { pageSize } from '../../ports/page-size.js';
import { settled } from '../../ports/waiting.js';

const MAX_IDS = 1_000;

export function createReadModels(
  connection: Connection,
  logger: Logger,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): ReadModels {
  const { db, answerMs } = connection;
  const checkpoints = createCheckpoints(db, answerMs);
  const generations = createGenerationRecords(db, answerMs, () => clock.monotonic());
  /** By `name@version`, and by the bare name for the version defined last. */
  const specs = new Map<string, CollectionSpec>();
  /** By `name@version#generation`. */
  const collections = new Map<string, MongoCollection>();
  /** By name in the database. A getter reads one document, combined with other reads of the same event-loop tick. */
  const getters = new Map<string, Gathered<Row>>();
  /** By name in the database. A writer combines writes that may wait a moment. */
  const writers = new Map<string, GatheredWrites<Write>>();
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);

  /** Another process may have created the generation: its indexes exist then. */
  function known(spec: CollectionSpec, generation: number): MongoCollection {
    const address = generationAddress(spec, generation);
    const found = collections.get(address) ?? mongoCollection({ ...spec, generation });
    collections.set(address, found);
    return found;
  }

  function specOf(collection: string): { readonly spec: CollectionSpec; readonly generation: number | null } {
    const address = parseAddress(collection);
    const spec =
      address && specs.get(address.version === null ? address.name : `${address.name}@${address.version}`);
    if (!address || !spec) throw new Error(`collection ${collection} was not defined`);
    return { spec, generation: address.generation };
  }

  async function storedCopies(): Promise<readonly StoredCopy[]> {
    const list = db.listCollections({ name: { $regex: '^rm_' } }, { nameOnly: true }).toArray();
    return (await answer(list)).flatMap(({ name }) => copyOf(name) ?? []);
  }

  /** The checkpoint first: if this is interrupted, a process that uses the copy again must rebuild it. */
  async function discard({ physical, generation, ...version }: StoredCopy): Promise<void> {
    await checkpoints.remove(storedName(version, generation));
    await answer(db.collection(physical).drop()).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }

  /** Removes copies that a dead process had retired but not removed. New copies are listed before they are created. */
  async function discardUnlisted({ name, version }: CollectionVersion): Promise<void> {
    const stored = (await storedCopies()).filter((one) => one.name === name && one.version === version);
    const { all } = await generations.of({ name, version });
    for (const copy of stored) if (!all.includes(copy.generation)) await discard(copy);
  }

  async function named(collection: string): Promise<MongoCollection> {
    const { spec, generation } = specOf(collection);
    return known(spec, generation ?? (await generations.live(spec)));
  }

  async function checkpointOf(text: string): Promise<string> {
    const address = parseAddress(text);
    if (!address || address.version === null) return text;
    const version = { name: address.name, version: address.version };
    return storedName(version, address.generation ?? (await generations.live(version)));
  }

  const rowsOf = (target: MongoCollection): Collection<Row> => db.collection(target.physical);

  function fieldsOf(spec: CollectionSpec, index: string, equals: readonly IndexValue[]): readonly string[] {
    const list = spec.indexes[index];
    if (!list) throw new Error(`collection ${spec.name} has no index ${index}`);
    if (equals.length > list.length) throw new Error(`index ${index} has only ${list.length} fields`);
    return list;
  }

  const equalTo = (list: readonly string[], equals: readonly IndexValue[]): Record<string, IndexValue> =>
    Object.fromEntries(
      equals.map((value, i) => [field(list[i]!), toIndexed(value, 'a value to search for')]),
    );

  async function findMany(
    target: MongoCollection,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Row>> {
    const rows = rowsOf(target);
    const found = new Map<string, Row>();
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const query = { _id: { $in: ids.slice(from, from + MAX_IDS) }, live: true as const };
      const page = await answer(rows.find<Row>(query, { projection: { version: 1, body: 1 } }).toArray());
      for (const row of page) found.set(row._id, row);
    }
    return found;
  }

  function getterOf(target: MongoCollection): Gathered<Row> {
    const known = getters.get(target.physical) ?? gathered((ids) => findMany(target, ids), MAX_IDS);
    getters.set(target.physical, known);
    return known;
  }

  const writeAtOnce = (target: MongoCollection, writes: readonly Write[]): Promise<readonly string[]> =>
    writeGuarded(rowsOf(target), writes, { bases: false, read: answer });

  function writerOf(target: MongoCollection): GatheredWrites<Write> {
    const known =
      writers.get(target.physical) ??
      gatheredWrites<Write>(
        (writes) => writeAtOnce(target, writes),
        ({ row }) => row._id,
        systemClock,
      );
    writers.set(target.physical, known);
    return known;
  }

  async function write(
    collection: string,
    writes: readonly DocumentWrite[],
    { gather = false }: WriteOptions = {},
  ): Promise<readonly string[]> {
    const target = await named(collection);
    const prepared = prepareWrites(target, writes);
    return gather ? writerOf(target)(prepared) : writeAtOnce(target, prepared);
  }

  async function commitAll(changes: readonly CollectionCommit[]): Promise<void> {
    const prepared = await Promise.all(
      changes.map(async ({ collection, writes }) => {
        const target = await named(collection);
        return { rows: rowsOf(target), writes: prepareWrites(target, writes) };
      }),
    );
    await settled(
      prepared.map(({ rows, writes }) => writeGuarded(rows, writes, { bases: true, read: answer })),
    );
    const moves = await Promise.all(
      changes.map(async ({ projection, from, to }) => ({ name: await checkpointOf(projection), from, to })),
    );
    if (await checkpoints.advance(moves)) return;
    const names = changes.map(({ projection, from }) => `${projection} at "${from}"`).join(', ');
    throw new CheckpointMoved(`another runner moved a checkpoint of these: ${names}`);
  }

  return {
    async define(spec) {
      const { generation: _, ...version } = spec;
      const live = await generations.live(spec);
      const generation = spec.generation ?? live;
      const target = mongoCollection({ ...spec, generation });
      const address = generationAddress(spec, generation);
      if (generation !== live) await generations.add(spec, generation);
      if (JSON.stringify(collections.get(address)?.spec) !== JSON.stringify(target.spec))
        await bringUp(connection, target, logger);
      collections.set(address, target);
      specs.set(`${spec.name}@${spec.version}`, version);
      if (generation === live) specs.set(spec.name, version);
    },
    async generations(collection) {
      return generations.of(specOf(collection).spec);
    },
    async flip(collection, { from, to }) {
      await generations.flip(specOf(collection).spec, from, to);
    },
    async drop(spec) {
      const { generation } = spec;
      await generations.retire(spec, generation);
      await discard({ ...spec, physical: mongoCollection(spec).physical });
      collections.delete(generationAddress(spec, generation));
      await discardUnlisted(spec);
    },
    async versions() {
      return versionsAmong(await storedCopies());
    },
    async dropVersion({ name, version }) {
      const id = `${name}@${version}`;
      if (specs.has(id)) throw new GenerationMoved(`${id} is in use`);
      for (const one of await storedCopies()) {
        if (one.name === name && one.version === version) await discard(one);
      }
      await generations.forget({ name, version });
    },
    async removeElsewhere(goes) {
      let removed = 0;
      for (const { name, version, physical } of await storedCopies()) {
        if (specs.has(`${name}@${version}`)) continue;
        removed += await removeSome(db.collection<Row>(physical), goes, answer);
      }
      return removed;
    },
    async forgetRemoved(collection, slice) {
      const target = await named(collection);
      if (!target.spec.forgets)
        throw new Error(`collection ${target.spec.name} does not declare that it forgets`);
      return forgetSome(rowsOf(target), slice, answer);
    },
    async scan(collection, { prefix, after, limit, order }) {
      const [direction, beyond] = order === 'asc' ? ([1, '$gt'] as const) : ([-1, '$lt'] as const);
      const range = [
        ...(after === null ? [] : [{ _id: { [beyond]: after } }]),
        ...(prefix === undefined ? [] : [{ _id: { $gte: prefix, $lt: prefix + LAST_CHARACTER } }]),
      ];
      const where = { live: true as const, ...(range.length === 0 ? {} : { $and: range }) };
      const options = {
        sort: { _id: direction },
        projection: { version: 1, body: 1 },
        limit: pageSize(limit, MAX_PAGE),
      };
      const rows = await answer(
        rowsOf(await named(collection))
          .find<Row>(where as Filter<Row>, options)
          .toArray(),
      );
      return rows.map(scanned);
    },
    async get<T>(collection: string, id: string) {
      const target = await named(collection);
      const row = await getterOf(target)(id);
      return row && fromRow<T>(target.spec.name, row);
    },
    async getMany<T>(collection: string, ids: readonly string[]) {
      const target = await named(collection);
      const found = await findMany(target, ids);
      return ids.flatMap((id) => {
        const row = found.get(id);
        return row ? fromRow<T>(target.spec.name, row) : [];
      });
    },
    async find<T>(collection: string, { index, equals, ...page }: Find) {
      const target = await named(collection);
      const list = fieldsOf(target.spec, index, equals);
      const keys = [...list.slice(equals.length).map(field), '_id'] as const;
      const where = { live: true as const, ...equalTo(list, equals) };
      return readPage<T>(target.spec.name, rowsOf(target), { ...page, where, keys }, answer);
    },
    async search<T>(collection: string, { scope, prefixes, ...page }: Search) {
      const target = await named(collection);
      const { search } = target.spec;
      if (!search) throw new Error(`collection ${target.spec.name} declares no search`);
      if (prefixes.length === 0 || prefixes.includes(''))
        throw new Error('a search needs words to search for');
      const where: Filter<Row> = {
        live: true,
        ...equalTo([search.scope], [scope]),
        $and: [...new Set(prefixes)].map((prefix) => ({
          words: { $elemMatch: { $regex: beginningWith(prefix) } },
        })),
      };
      return readPage<T>(
        target.spec.name,
        rowsOf(target),
        { ...page, where, keys: [field(search.orderBy), '_id'] },
        answer,
      );
    },
    async count(collection, index, equals, atMost) {
      const target = await named(collection);
      const where = { live: true as const, ...equalTo(fieldsOf(target.spec, index, equals), equals) };
      return answer(rowsOf(target).countDocuments(where, atMost === undefined ? {} : { limit: atMost }));
    },
    write,
    async writeSoon(collection, writes) {
      return { refused: await write(collection, writes, { gather: true }), durable: Promise.resolve() };
    },
    async checkpoint(projection) {
      return checkpoints.read(await checkpointOf(projection));
    },
    commit: (collection, change) => commitAll([{ ...change, collection }]),
    commitAll,
    moveSoon: (move) => commitAll([{ ...move, writes: [] }]),
  };
}

/**
 * Code 26, or the message of servers before version 7, for a missing collection. Some compatible servers send no code.
 */
const isGone = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === 26 || error.message === 'ns not found');

/** MongoDB converts a regular expression that is only an anchored prefix into a range of the index. */
const beginningWith = (prefix: string): string =>
  `^${prefix.replaceAll(/[\\^$.|?*+()[\]{}/-]/g, '\\$&').replaceAll('\0', '\\x00')}`;
