/** MongoDB calls with a time limit; a failure that may pass becomes StoreUnavailable. */
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoStalePrimaryError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { StoreUnavailable } from '../../ports/event-store.js';
import { systemClock } from '../clock/system.js';

/**
 * Errors of a server that is shutting down, has just stopped being the primary, or gave up waiting for its peers.
 * https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
 */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 50, 63, 64, 89, 91, 133, 189, 202, 262, 9001, 10058, 10107, 11600, 11602, 13388, 13435, 13436,
]);

/** Waits at most `ms` for an answer. The operation may still take effect afterwards. @throws StoreUnavailable */
export async function bounded<T>(ms: number, work: Promise<T>): Promise<T> {
  let cancel: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = systemClock.after(ms, () =>
      reject(new StoreUnavailable(`MongoDB did not answer within ${ms} ms`)),
    );
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw isPassing(error) ? new StoreUnavailable('MongoDB is not available', { cause: error }) : error;
  } finally {
    cancel?.();
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoClientClosedError ||
    error instanceof MongoExpiredSessionError ||
    error instanceof MongoStalePrimaryError ||
    error instanceof MongoWriteConcernError
  ) {
    return true;
  }
  // The error that stopped a bulk half-way is nested in it.
  if (error instanceof MongoBulkWriteError && (error.errorResponse as unknown) instanceof MongoError) {
    if (isPassing(error.errorResponse)) return true;
  }
  // Possibly applied, but not known to be durable.
  if (error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined) return true;
  // The driver's own names for a pool that was cleared, or had no free connection in time.
  if (error.name === 'MongoPoolClearedError' || error.name === 'MongoWaitQueueTimeoutError') return true;
  if (error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)) return true;
  return error instanceof MongoServerError && PASSING_CODES.has(error.code);
}
