/**
 * Reads of documents, "local" from the primary: a read that is rolled back later can only lead to DocumentMoved or
 * CheckpointMoved.
 */
import type { Collection, Filter } from 'mongodb';
import {
  LAST_CHARACTER,
  type CollectionSpec,
  type Find,
  type IndexValue,
  type ReadModels,
  type Search,
} from '../../ports/read-models.js';
import { pageSize } from '../../ports/page-size.js';
import { bounded } from './bounded.js';
import type { Connection } from './connection.js';
import { gathered, type Gathered } from './gathered.js';
import {
  field,
  fromRow,
  scanned,
  toIndexed,
  type MongoCollection,
  type Row,
} from './read-models-collection.js';
import type { Copies } from './read-models-copies.js';
import { MAX_PAGE, readPage } from './read-models-pages.js';

const MAX_IDS = 1_000;

export function createReading(
  { db, answerMs }: Connection,
  { named }: Pick<Copies, 'named'>,
): Pick<ReadModels, 'scan' | 'get' | 'getMany' | 'find' | 'search' | 'count'> {
  /** By name in the database. A getter reads one document, combined with other reads of the same event-loop tick. */
  const getters = new Map<string, Gathered<Row>>();
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);
  const rowsOf = (target: MongoCollection): Collection<Row> => db.collection(target.physical);

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

  return {
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
  };
}

function fieldsOf(spec: CollectionSpec, index: string, equals: readonly IndexValue[]): readonly string[] {
  const list = spec.indexes[index];
  if (!list) throw new Error(`collection ${spec.name} has no index ${index}`);
  if (equals.length > list.length) throw new Error(`index ${index} has only ${list.length} fields`);
  return list;
}

const equalTo = (list: readonly string[], equals: readonly IndexValue[]): Record<string, IndexValue> =>
  Object.fromEntries(equals.map((value, i) => [field(list[i]!), toIndexed(value, 'a value to search for')]));

/** MongoDB converts a regular expression that is only an anchored prefix into a range of the index. */
const beginningWith = (prefix: string): string =>
  `^${prefix.replaceAll(/[\\^$.|?*+()[\]{}/-]/g, '\\$&').replaceAll('\0', '\\x00')}`;
