/**
 * Updates a collection in the database to its declaration: the indexes, and the fields beside the text of documents
 * that were written under another declaration. Several processes may run it at once; each checks again the result of
 * the others.
 */
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { Logger } from '../../ports/logger.js';
import type { Document } from '../../ports/read-models.js';
import type { Connection } from './connection.js';
import { bounded } from './bounded.js';
import { createIndexes } from './indexes.js';
import type { MongoCollection, Row } from './read-models-collection.js';

interface Index {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
}

const BATCH = 500;
const MAX_ROUNDS = 10;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;
/** Another process created the collection, created or dropped an index, or is building one. */
const SOMEBODY_ELSE: ReadonlySet<unknown> = new Set([26, 27, 48, 85, 86, 112, 276, 12587]);

/** @throws StoreUnavailable, TypeError when a stored document does not fit the declaration */
export async function bringUp(
  connection: Connection,
  target: MongoCollection,
  logger: Logger,
): Promise<void> {
  for (let round = 1; !(await indexesAreRight(connection, target, logger)); round += 1) {
    if (round === MAX_ROUNDS) {
      throw new StoreUnavailable(`other processes keep changing the indexes of ${target.physical}`);
    }
  }
  await fillIn(connection, target, logger);
}

const keyText = (key: Index['key']): string => JSON.stringify(Object.entries(key));

/** Fixes differences and then returns false: only a check that finds no difference returns true. */
async function indexesAreRight(
  connection: Connection,
  target: MongoCollection,
  logger: Logger,
): Promise<boolean> {
  const { db, answerMs } = connection;
  const wanted = [...target.indexes].map(([name, fields]): Index => ({
    name,
    key: Object.fromEntries(fields.map((field) => [field, 1])),
  }));
  const present = await bounded(answerMs, listIndexes(db, target.physical));
  const right = (index: Index): boolean =>
    wanted.some(({ name, key }) => name === index.name && keyText(key) === keyText(index.key));
  const wrong = present.filter((index) => index.name !== '_id_' && !right(index));
  const missing = wanted.filter(({ name }) => !present.some((index) => index.name === name && right(index)));
  if (wrong.length === 0 && missing.length === 0) return true;
  const where = { collection: target.physical };
  try {
    for (const { name } of wrong) {
      const rebuilt = target.indexes.has(name);
      logger.warn(
        { ...where, index: name },
        rebuilt ? 'an index differs and is rebuilt' : 'an index is dropped',
      );
      await bounded(answerMs, db.collection(target.physical).dropIndex(name));
    }
    if (missing.length > 0) {
      logger.info({ ...where, indexes: missing.map(({ name }) => name) }, 'indexes are built');
      const specs = missing.map(({ name, key }) => ({ name, key: key as Record<string, 1> }));
      await connection.patiently((patient) =>
        createIndexes(patient, patient.collection(target.physical), specs),
      );
    }
  } catch (error) {
    if (!hasCode(error, SOMEBODY_ELSE)) throw error;
  }
  return false;
}

async function listIndexes(db: Db, name: string): Promise<readonly Index[]> {
  try {
    return (await db.collection(name).listIndexes().toArray()) as readonly Index[];
  } catch (error) {
    if (hasCode(error, new Set([NAMESPACE_NOT_FOUND, INDEX_NOT_FOUND]))) return [];
    throw error;
  }
}

const hasCode = (error: unknown, codes: ReadonlySet<unknown>): boolean =>
  error instanceof MongoServerError && codes.has(error.code);

/** A document written meanwhile keeps its new content: only the version that was read is updated. */
async function fillIn({ db, answerMs }: Connection, target: MongoCollection, logger: Logger): Promise<void> {
  const rows: Collection<Row> = db.collection(target.physical);
  const stale = { live: true as const, shape: { $ne: target.shape } };
  let filled = 0;
  for (;;) {
    const projection = { version: 1, body: 1 };
    const page = await bounded(answerMs, rows.find<Row>(stale, { projection, limit: BATCH }).toArray());
    if (page.length === 0) break;
    const operations = page.map(({ _id, version, body = '' }) => ({
      updateOne: {
        filter: { _id, version },
        update: { $set: target.lookedUpBy(JSON.parse(body) as Document) },
      },
    }));
    await bounded(answerMs, rows.bulkWrite(operations, { ordered: false }));
    filled += page.length;
  }
  if (filled > 0)
    logger.info({ collection: target.physical, documents: filled }, 'documents were indexed anew');
}
