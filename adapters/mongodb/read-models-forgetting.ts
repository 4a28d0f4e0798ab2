/** Removed documents of which an id and a version are kept until they are forgotten. */
import type { Collection, Filter } from 'mongodb';
import type { Forget, Forgotten } from '../../ports/read-models.js';
import type { Row } from './read-models-collection.js';

type Read = <A>(work: Promise<A>) => Promise<A>;

/** Both parts name the state that they have seen: a document that is written meanwhile is left alone. */
export async function forgetSome(rows: Collection<Row>, slice: Forget, read: Read): Promise<Forgotten> {
  const { now, notedBefore, limit } = slice;

  /** Those of a slice, and how many there were. */
  async function slicedBy(
    state: Filter<Row>,
  ): Promise<{ readonly found: number; readonly those: Filter<Row> }> {
    const page = await read(rows.find<Row>(state, { projection: { _id: 1 }, limit }).toArray());
    return { found: page.length, those: { ...state, _id: { $in: page.map(({ _id }) => _id) } } };
  }

  const fresh = await slicedBy({ live: { $exists: false }, noted_at: { $exists: false } });
  if (fresh.found > 0) await read(rows.updateMany(fresh.those, { $set: { noted_at: now } }));
  const old = await slicedBy({ live: { $exists: false }, noted_at: { $lt: notedBefore } });
  const forgotten = old.found > 0 ? (await read(rows.deleteMany(old.those))).deletedCount : 0;
  return { forgotten, more: fresh.found === limit || old.found === limit };
}
