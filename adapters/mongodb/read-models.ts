/**
 * The ReadModels port over MongoDB, without transactions: documents first, then the checkpoint.
 *
 * A collection is addressed as `name` (the version defined last in this process) or as `name@version`, which is how a
 * rebuild fills a new version beside the one that GETs read.
 *
 * Documents are written with majority acknowledgement too: after a change of the primary between the two, a checkpoint
 * must not stand for documents that were lost. They are read "local" from the primary: a read that is rolled back later
 * can only end in DocumentMoved or CheckpointMoved. A checkpoint is read "majority", since others wait for it.
 */
import { MongoServerError, type Collection, type Filter } from 'mongodb';
import { START, type Position } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import {
  CheckpointMoved,
  type CollectionSpec,
  type Find,
  type IndexValue,
  type ReadModels,
  type Search,
  type StoredDocument,
} from '../../ports/read-models.js';
import { bounded } from './bounded.js';
import type { Connection } from './connection.js';
import {
  field,
  fromRow,
  mongoCollection,
  toIndexed,
  type MongoCollection,
  type Row,
} from './read-models-collection.js';
import { bringUp } from './read-models-define.js';
import { readPage } from './read-models-pages.js';
import { prepareWrites, writeGuarded } from './read-models-writes.js';

interface Checkpoint {
  /** Name of the projection. */
  readonly _id: string;
  readonly position: Position;
}

const DUPLICATE_KEY = 11000;
const MAX_IDS = 1_000;

export function createReadModels(connection: Connection, logger: Logger): ReadModels {
  const { db, answerMs } = connection;
  const checkpoints: Collection<Checkpoint> = db.collection('checkpoints');
  const defined = new Map<string, MongoCollection>();
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);

  function named(collection: string): MongoCollection {
    const found = defined.get(collection);
    if (!found) throw new Error(`collection ${collection} was not defined`);
    return found;
  }

  const rowsOf = (target: MongoCollection): Collection<Row> => db.collection(target.physical);

  function fieldsOf(spec: CollectionSpec, index: string, equals: readonly IndexValue[]): readonly string[] {
    const list = spec.indexes[index];
    if (!list) throw new Error(`collection ${spec.name} has no index ${index}`);
    if (equals.length > list.length) throw new Error(`index ${index} has only ${list.length} fields`);
    return list;
  }

  const equalTo = (list: readonly string[], equals: readonly IndexValue[]): Record<string, IndexValue> =>
    Object.fromEntries(equals.map((value, i) => [field(list[i]!), toIndexed(value, 'a value looked for')]));

  async function advance(projection: string, from: Position, to: Position): Promise<boolean> {
    try {
      const filter = { _id: projection, position: from };
      const set = { $set: { position: to } };
      const result = await answer(checkpoints.updateOne(filter, set, { upsert: from === START }));
      return result.matchedCount + result.upsertedCount === 1;
    } catch (error) {
      // It was to be the first, and another runner was.
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  async function getMany<T>(
    collection: string,
    ids: readonly string[],
  ): Promise<readonly StoredDocument<T>[]> {
    const rows = rowsOf(named(collection));
    const found = new Map<string, StoredDocument<T>>();
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const query = { _id: { $in: ids.slice(from, from + MAX_IDS) }, live: true as const };
      const page = await answer(rows.find<Row>(query, { projection: { version: 1, body: 1 } }).toArray());
      for (const row of page) found.set(row._id, fromRow<T>(row));
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  return {
    async define(spec) {
      const target = mongoCollection(spec);
      const full = `${spec.name}@${spec.version}`;
      if (JSON.stringify(defined.get(full)?.spec) !== JSON.stringify(spec))
        await bringUp(connection, target, logger);
      defined.set(full, target);
      defined.set(spec.name, target);
    },
    async get<T>(collection: string, id: string) {
      return (await getMany<T>(collection, [id]))[0];
    },
    getMany,
    async find<T>(collection: string, { index, equals, ...page }: Find) {
      const target = named(collection);
      const list = fieldsOf(target.spec, index, equals);
      const keys = [...list.slice(equals.length).map(field), '_id'] as const;
      const where = { live: true as const, ...equalTo(list, equals) };
      return readPage<T>(rowsOf(target), { ...page, where, keys }, answer);
    },
    async search<T>(collection: string, { scope, prefixes, ...page }: Search) {
      const target = named(collection);
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
      return readPage<T>(rowsOf(target), { ...page, where, keys: [field(search.orderBy), '_id'] }, answer);
    },
    async count(collection, index, equals) {
      const target = named(collection);
      const where = { live: true as const, ...equalTo(fieldsOf(target.spec, index, equals), equals) };
      return answer(rowsOf(target).countDocuments(where));
    },
    async write(collection, writes) {
      const target = named(collection);
      await writeGuarded(rowsOf(target), prepareWrites(target, writes), { bases: false, read: answer });
    },
    async checkpoint(projection) {
      const found = await answer(
        checkpoints.findOne({ _id: projection }, { readConcern: { level: 'majority' } }),
      );
      return found?.position ?? START;
    },
    async commit(collection, change) {
      const { projection, from, to, writes } = change;
      const target = named(collection);
      await writeGuarded(rowsOf(target), prepareWrites(target, writes), { bases: true, read: answer });
      if (await advance(projection, from, to)) return;
      throw new CheckpointMoved(`projection ${projection} is not at "${from}": another runner moved it`);
    },
  };
}

/** MongoDB turns an expression that begins so, and has nothing else in it, into a range of the index. */
const beginningWith = (prefix: string): string =>
  `^${prefix.replaceAll(/[\\^$.|?*+()[\]{}/-]/g, '\\$&').replaceAll('\0', '\\x00')}`;
