/**
 * Finds or makes the first keys of people who are asked for in one event-loop tick: one command makes those of people
 * that are new to this process, and one query finds those of the others. Most people of the first kind have no key yet,
 * and all of the second have one.
 */
import { MongoBulkWriteError, type Collection } from 'mongodb';
import { createCache } from '../../ports/cache.js';
import { gathered } from './gathered.js';
import type { KeyDocument } from './personal-keys-collection.js';

/** The stored first key, which is `made` where there was none. Undefined while another process makes it. */
export type FirstKeys = (made: KeyDocument) => Promise<KeyDocument | undefined>;

const MOST = 500;
const DUPLICATE_KEY = 11000;

/** @param most people who are remembered to have a key */
export function gatheredKeys(
  keys: Collection<KeyDocument>,
  answer: <T>(work: () => Promise<T>) => Promise<T>,
  most: number,
): FirstKeys {
  const known = createCache<string, true>(most);
  /** Made, and not asked for yet. */
  const offered = new Map<string, KeyDocument>();

  /** Ids of the keys that did not exist before. */
  async function make(offers: readonly KeyDocument[]): Promise<ReadonlySet<string>> {
    const upserts = offers.map(({ _id, ...made }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: made }, upsert: true },
    }));
    const idsOf = (upserted: Readonly<Record<number, unknown>>): ReadonlySet<string> =>
      new Set(Object.values(upserted).map(String));
    try {
      return idsOf((await answer(() => keys.bulkWrite(upserts, { ordered: false }))).upsertedIds);
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const refused = [error.writeErrors].flat();
      // Only duplicates prove that the others were written: driver 7 reports any failure of a bulk as this error.
      if (refused.length === 0 || refused.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return idsOf(error.result.upsertedIds);
    }
  }

  const find = async (ids: readonly string[]): Promise<readonly KeyDocument[]> =>
    ids.length === 0 ? [] : answer(() => keys.find({ _id: { $in: [...ids] } }).toArray());

  const first = gathered<KeyDocument>(async (ids) => {
    const offers = ids.flatMap((id) => (known.get(id) ? [] : (offered.get(id) ?? [])));
    for (const id of ids) offered.delete(id);
    const fresh = new Set(offers.map(({ _id }) => _id));
    const [found, made] = await Promise.all([
      find(ids.filter((id) => !fresh.has(id))),
      offers.length === 0 ? new Set<string>() : make(offers),
    ]);
    const others = await find([...fresh].filter((id) => !made.has(id)));
    const all = [...found, ...others, ...offers.filter(({ _id }) => made.has(_id))];
    for (const { _id } of all) known.set(_id, true);
    return new Map(all.map((key) => [key._id, key]));
  }, MOST);

  return async (made) => {
    offered.set(made._id, made);
    return first(made._id);
  };
}
