/** Removed documents whose id and version are kept until they are forgotten. */
import type { Collection, Filter } from 'mongodb';
import type { Forget, Forgotten } from '../../ports/read-models.js';
import type { Row } from './read-models-collection.js';

type Read = <A>(work: Promise<A>) => Promise<A>;

/** Both parts filter by the state they have read: a document that is written meanwhile is left alone. */
export async function forgetSome(rows: Collection<Row>, slice: Forget, read: Read): Promise<Forgotten> {
  const { now, notedBefore, limit } = slice;

  /** A filter for one slice of the documents in this state, and the size of the slice. */
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
