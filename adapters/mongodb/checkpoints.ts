/** Positions of projections and of the relay. A position moves only from the value that its runner expects. */
import { MongoBulkWriteError, type Collection, type Db, type WriteError } from 'mongodb';
import { START, StoreUnavailable, type Position } from '../../ports/event-store.js';
import { bounded } from './bounded.js';
import { gathered } from './gathered.js';

interface Checkpoint {
  /** Name of the projection. */
  readonly _id: string;
  readonly position: Position;
}

export interface CheckpointMove {
  readonly name: string;
  readonly from: Position;
  readonly to: Position;
}

export interface Checkpoints {
  /** As acknowledged by a majority, because other processes wait for it. */
  read(name: string): Promise<Position>;
  /** In this order, with one command. False when a position was not the expected one; others have moved then. */
  advance(moves: readonly CheckpointMove[]): Promise<boolean>;
  remove(name: string): Promise<void>;
}

const DUPLICATE_KEY = 11000;

/** @param answerMs longest wait for an answer */
export function createCheckpoints(db: Db, answerMs: number): Checkpoints {
  const checkpoints: Collection<Checkpoint> = db.collection('checkpoints');
  const answer = <T>(work: Promise<T>): Promise<T> => bounded(answerMs, work);

  const positionOf = gathered(async (names) => {
    const query = checkpoints.find({ _id: { $in: [...names] } }, { readConcern: { level: 'majority' } });
    return new Map((await answer(query.toArray())).map(({ _id, position }) => [_id, position]));
  });

  return {
    read: async (name) => (await positionOf(name)) ?? START,

    async advance(moves) {
      if (moves.length === 0) return true;
      const operations = moves.map(({ name, from, to }) => ({
        updateOne: {
          filter: { _id: name, position: from },
          update: { $set: { position: to } },
          upsert: from === START,
        },
      }));
      try {
        const { matchedCount, upsertedCount } = await answer(
          checkpoints.bulkWrite(operations, { ordered: true }),
        );
        return matchedCount + upsertedCount === moves.length;
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError)) throw error;
        const errors: readonly WriteError[] = [error.writeErrors].flat();
        // This runner tried to create the checkpoint, and another one was faster.
        if (errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY)) return false;
        // Driver 7 reports any failure of a bulk as this error. Without write errors and a code, the server did not
        // cause it.
        if (errors.length === 0 && error.code === undefined) {
          throw new StoreUnavailable('MongoDB is not available', { cause: error });
        }
        throw error;
      }
    },

    async remove(name) {
      await answer(checkpoints.deleteOne({ _id: name }));
    },
  };
}
