/**
 * The ReadModels port over MongoDB, without transactions: documents first, then the checkpoint.
 *
 * Documents are written with majority acknowledgement too. Otherwise, after a change of the primary between the two
 * writes, a checkpoint might cover documents that were lost. A checkpoint is read "majority", because other processes
 * wait for it.
 */
import type { Collection } from 'mongodb';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import {
  CheckpointMoved,
  type CollectionCommit,
  type DocumentWrite,
  type ReadModels,
  type WriteOptions,
} from '../../ports/read-models.js';
import { settled } from '../../ports/waiting.js';
import { systemClock } from '../clock/system.js';
import { bounded } from './bounded.js';
import { createCheckpoints } from './checkpoints.js';
import type { Connection } from './connection.js';
import { gatheredWrites, type GatheredWrites } from './gathered-writes.js';
import type { MongoCollection, Row } from './read-models-collection.js';
import { createCopies } from './read-models-copies.js';
import { forgetSome } from './read-models-forgetting.js';
import { createReading } from './read-models-reading.js';
import { prepareWrites, writeGuarded, type Write } from './read-models-writes.js';

export function createReadModels(
  connection: Connection,
  logger: Logger,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): ReadModels {
  const { db, answerMs } = connection;
  const checkpoints = createCheckpoints(db, answerMs);
  const { named, checkpointOf, ...copies } = createCopies(connection, checkpoints, logger, clock);
  /** By name in the database. A writer combines writes that may wait a moment. */
  const writers = new Map<string, GatheredWrites<Write>>();
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);
  const rowsOf = (target: MongoCollection): Collection<Row> => db.collection(target.physical);

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
    ...copies,
    ...createReading(connection, { named }),
    async forgetRemoved(collection, slice) {
      const target = await named(collection);
      if (!target.spec.forgets)
        throw new Error(`collection ${target.spec.name} does not declare that it forgets`);
      return forgetSome(rowsOf(target), slice, answer);
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
