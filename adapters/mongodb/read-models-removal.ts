/** Removes documents from read models of other releases, whose specs are not known here. */
import type { Collection, Filter } from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ScannedDocument } from '../../ports/read-models.js';
import { scanned, type Row } from './read-models-collection.js';

type Read = <A>(work: Promise<A>) => Promise<A>;

const PAGE = 500;
/** A round after the first means that a process of that release wrote the document meanwhile. */
const MAX_ROUNDS = 20;

/** Returns the number of removed documents. @throws StoreUnavailable */
export async function removeSome(
  rows: Collection<Row>,
  goes: (document: ScannedDocument) => boolean,
  read: Read,
): Promise<number> {
  let removed = 0;
  for (let after: string | null = null; ;) {
    const where: Filter<Row> = { live: true, ...(after === null ? {} : { _id: { $gt: after } }) };
    const options = { sort: { _id: 1 as const }, projection: { version: 1, body: 1 }, limit: PAGE };
    const page: readonly Row[] = await read(rows.find<Row>(where, options).toArray());
    for (const row of page) if (goes(scanned(row)) && (await removeOne(rows, row, read))) removed += 1;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return removed;
    after = last._id;
  }
}

async function removeOne(rows: Collection<Row>, found: Row, read: Read): Promise<boolean> {
  let row: Row | null = found;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { _id, version }: Row = row;
    const filter: Filter<Row> = { _id, version, live: true };
    const { modifiedCount } = await read(rows.replaceOne(filter, { version: `${version}~` }));
    if (modifiedCount === 1) return true;
    row = await read(rows.findOne<Row>({ _id, live: true }, { projection: { version: 1 } }));
    if (row === null) return false;
  }
  throw new StoreUnavailable('a document is written faster than it can be removed');
}
