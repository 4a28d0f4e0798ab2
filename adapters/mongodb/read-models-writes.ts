/**
 * Guarded writes: unordered bulks of replacements, each with a filter on the state that it may replace. If the filter
 * does not match, the upsert tries to insert and fails on the existing id (11000). That does not prove that a newer
 * version exists: two processes may have inserted the same new document at once, the older version first. So refused
 * documents are read, and written again if necessary.
 *
 * Several documents are not written atomically. A commit that is refused with DocumentMoved, or interrupted, may have
 * written other documents. Their versions make it harmless that the next attempt writes them again.
 */
import { MongoBulkWriteError, type Collection, type Filter, type WriteError } from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';
import { DocumentMoved, type DocumentWrite } from '../../ports/read-models.js';
import type { MongoCollection, Row } from './read-models-collection.js';

export interface Write {
  readonly row: Row;
  readonly base: string | undefined;
}

type Read = <A>(work: Promise<A>) => Promise<A>;

const BULK = 1_000;
const DUPLICATE_KEY = 11000;
/** A round after the first means that another process wrote one of the documents meanwhile. */
const MAX_ROUNDS = 20;

/**
 * One row per document. Of several writes to one document, it has the highest version, and the base of the lowest.
 * @throws TypeError when an indexed field has a wrong type
 */
export function prepareWrites(target: MongoCollection, writes: readonly DocumentWrite[]): readonly Write[] {
  const prepared = new Map<string, { highest: Row; lowest: DocumentWrite }>();
  for (const write of writes) {
    const row = target.toRow(write.id, write.version, write.doc);
    const before = prepared.get(write.id) ?? { highest: row, lowest: write };
    prepared.set(write.id, {
      highest: row.version > before.highest.version ? row : before.highest,
      lowest: write.version < before.lowest.version ? write : before.lowest,
    });
  }
  return [...prepared.values()].map(({ highest, lowest }) => ({ row: highest, base: lowest.base }));
}

/**
 * Returns the ids of documents that stay as they are: the stored version is the same or higher.
 * @throws DocumentMoved (only with `bases`), StoreUnavailable
 */
export async function writeGuarded(
  rows: Collection<Row>,
  writes: readonly Write[],
  options: { readonly bases: boolean; readonly read: Read },
): Promise<readonly string[]> {
  const stay: string[] = [];
  const wanted = options.bases ? writes : writes.map(({ row }) => ({ row, base: undefined }));
  for (let from = 0; from < wanted.length; from += BULK) {
    let open: readonly Write[] = wanted.slice(from, from + BULK);
    for (let round = 1; open.length > 0; round += 1) {
      if (round > MAX_ROUNDS)
        throw new StoreUnavailable('documents are written faster than they can be compared');
      const refused = await writeOnce(rows, open, options.read);
      open = refused.length === 0 ? [] : await stillToWrite(rows, refused, options.read);
      for (const write of refused) if (!open.includes(write)) stay.push(write.row._id);
    }
  }
  return stay;
}

/** Returns the writes that were refused. */
async function writeOnce(
  rows: Collection<Row>,
  writes: readonly Write[],
  read: Read,
): Promise<readonly Write[]> {
  const operations = writes.map(({ row, base }) => {
    const { _id, ...replacement } = row;
    return { replaceOne: { filter: mayReplace(_id, row.version, base), replacement, upsert: true } };
  });
  try {
    await read(rows.bulkWrite(operations, { ordered: false }));
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors: readonly WriteError[] = [error.writeErrors].flat();
    // Driver 7 reports any failure of a bulk as this error. Without write errors and a code, the server did not cause
    // it.
    if (errors.length === 0 && error.code === undefined) {
      throw new StoreUnavailable('MongoDB is not available', { cause: error });
    }
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return errors.flatMap(({ index }) => writes[index] ?? []);
  }
}

function mayReplace(_id: string, version: string, base: string | undefined): Filter<Row> {
  const older = { _id, version: { $lt: version } };
  if (base === undefined) return older;
  return base === '' ? { ...older, live: { $exists: false } } : { _id, version: base };
}

/** @throws DocumentMoved */
async function stillToWrite(
  rows: Collection<Row>,
  refused: readonly Write[],
  read: Read,
): Promise<readonly Write[]> {
  const ids = refused.map(({ row }) => row._id);
  const projection = { version: 1, live: 1 };
  const found = await read(rows.find<Row>({ _id: { $in: ids } }, { projection }).toArray());
  const stored = new Map(found.map((row) => [row._id, row]));
  return refused.filter(({ row, base }) => {
    const there = stored.get(row._id);
    if (there === undefined) return true;
    if (there.version >= row.version) return false;
    if (base !== undefined && there.version !== base && (there.live || base !== '')) {
      throw new DocumentMoved(
        `document ${row._id} is at "${there.version}", not at "${base}": somebody wrote it`,
      );
    }
    return true;
  });
}
