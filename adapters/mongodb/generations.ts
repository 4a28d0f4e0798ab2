/**
 * The copies (generations) of a collection, and the live one: one document for each version that has more than one.
 * Every process caches the answers. It refreshes the cache in the background, and waits for the refresh once the cache
 * is older than the port allows.
 */
import { MongoServerError, type Collection, type Db } from 'mongodb';
import {
  GenerationMoved,
  STALE_GENERATION_MS,
  type CollectionVersion,
  type Generations,
} from '../../ports/read-models.js';
import { bounded } from './bounded.js';

interface Row {
  /** `name@version` */
  readonly _id: string;
  readonly live: number;
  readonly all: readonly number[];
  readonly next: number;
}

export interface GenerationRecords {
  /** From this process's cache. @throws StoreUnavailable */
  live(version: CollectionVersion): Promise<number>;
  of(version: CollectionVersion): Promise<Generations>;
  add(version: CollectionVersion, generation: number): Promise<void>;
  /** @throws GenerationMoved */
  flip(version: CollectionVersion, from: number, to: number): Promise<void>;
  /** Removes it from the list of generations. @throws GenerationMoved when it is live */
  retire(version: CollectionVersion, generation: number): Promise<void>;
  /** Deletes the document of the version. */
  forget(version: CollectionVersion): Promise<void>;
}

const ONE: Omit<Row, '_id'> = { live: 1, all: [1], next: 2 };
const DUPLICATE_KEY = 11000;

export function createGenerationRecords(
  db: Db,
  answerMs: number,
  monotonic: () => number,
): GenerationRecords {
  const rows: Collection<Row> = db.collection('generations');
  const idOf = ({ name, version }: CollectionVersion): string => `${name}@${version}`;
  let known = new Map<string, number>();
  /** When the query for the cached state was started. */
  let since = -Infinity;
  let asking: Promise<void> | undefined;

  function ask(): Promise<void> {
    const at = monotonic();
    asking ??= bounded(answerMs, rows.find({}, { readConcern: { level: 'majority' } }).toArray())
      .then((found) => {
        known = new Map(found.map(({ _id, live }) => [_id, live]));
        since = at;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  async function find(version: CollectionVersion): Promise<Omit<Row, '_id'>> {
    const query = rows.findOne({ _id: idOf(version) }, { readConcern: { level: 'majority' } });
    return (await bounded(answerMs, query)) ?? ONE;
  }

  async function ensure(version: CollectionVersion): Promise<void> {
    const first = { $setOnInsert: { ...ONE, all: [...ONE.all] } };
    try {
      await bounded(answerMs, rows.updateOne({ _id: idOf(version) }, first, { upsert: true }));
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
    }
  }

  return {
    async live(version) {
      const age = monotonic() - since;
      if (age >= STALE_GENERATION_MS) await ask();
      else if (age >= STALE_GENERATION_MS / 2) ask().catch(() => undefined);
      return known.get(idOf(version)) ?? 1;
    },
    async of(version) {
      const { live, all, next } = await find(version);
      return { version: version.version, live, all: [...all].sort((a, b) => a - b), next };
    },
    async add(version, generation) {
      await ensure(version);
      const change = { $addToSet: { all: generation }, $max: { next: generation + 1 } };
      await bounded(answerMs, rows.updateOne({ _id: idOf(version) }, change));
    },
    async flip(version, from, to) {
      const filter = { _id: idOf(version), live: from, all: to };
      const { matchedCount } = await bounded(answerMs, rows.updateOne(filter, { $set: { live: to } }));
      if (matchedCount === 1) return ask();
      const now = await find(version);
      throw new GenerationMoved(
        now.live === from
          ? `${idOf(version)} has no generation ${to}`
          : `${idOf(version)}: generation ${now.live} is live, not ${from}`,
      );
    },
    async retire(version, generation) {
      await ensure(version);
      const filter = { _id: idOf(version), live: { $ne: generation } };
      const { matchedCount } = await bounded(
        answerMs,
        rows.updateOne(filter, { $pull: { all: generation } }),
      );
      if (matchedCount === 0)
        throw new GenerationMoved(`generation ${generation} of ${idOf(version)} is live`);
    },
    async forget(version) {
      await bounded(answerMs, rows.deleteOne({ _id: idOf(version) }));
    },
  };
}
