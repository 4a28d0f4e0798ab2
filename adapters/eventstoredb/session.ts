/**
 * One subscription on the server, with the records that it has delivered and that were not taken yet. It keeps reading
 * while the consumer works, because the server drops a subscriber that is 32 live events behind.
 */
import { excludeSystemEvents, START as LOG_START, streamNameFilter } from '@eventstore/db-client';
import type { Clock } from '../../ports/clock.js';
import { START, type Position, type StoredRecord } from '../../ports/event-store.js';
import type { Connection } from './connection.js';
import { NoAnswer } from './errors.js';
import type { Limits } from './limits.js';
import { toLogPosition, toPosition, type HighWater } from './positions.js';
import { positionOf, toStoredRecord } from './records.js';

export interface Batch {
  /** Empty when all events since the last batch were filtered out. */
  readonly records: readonly StoredRecord[];
  readonly upTo: Position;
}

export interface Session {
  /** Waits for the next batch; undefined once the session is over and everything it delivered has been taken. */
  take(max: number): Promise<Batch | undefined>;
  /** Ends the session from our side. `silent`: because the server does not answer. */
  end(reason: Error, silent?: boolean): void;
  /** The server has delivered, or filtered out, everything up to this position. */
  readonly received: Position;
  /** True when no record is waiting to be taken. */
  readonly idle: boolean;
  /** True once the server has confirmed the subscription. */
  readonly confirmed: boolean;
  /** Why the session is over; undefined while it lasts. */
  readonly endedBy: Error | undefined;
}

export interface SessionDeps {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly highWater: HighWater;
}

/**
 * Log records per checkpoint of a filtered subscription. Each one moves the consumer's checkpoint, which costs a write.
 */
const CHECKPOINT_EVERY = 512;

/** @throws StoreUnavailable when the connection has been closed */
export function openSession(
  { connection, clock, limits, highWater }: SessionDeps,
  { after, prefixes }: { readonly after: Position; readonly prefixes: readonly string[] },
): Session {
  let waiting: StoredRecord[] = [];
  let received = after;
  let lastRecord = after;
  /** Events of others since the last batch; when there are enough of them, an empty batch reports the new position. */
  let hidden = 0;
  let checkpointDue = false;
  let paused = false;
  let confirmed = false;
  let endedBy: Error | undefined;
  let wake: () => void = () => undefined;

  const options = {
    maxSearchWindow: CHECKPOINT_EVERY,
    checkpointInterval: 1,
    // Must not throw: the client would deliver nothing more, and reject where no caller can catch it.
    checkpointReached: (_subscription: unknown, position: { commit: bigint; prepare: bigint }) => {
      // Called when the checkpoint arrives, possibly before earlier events have been read from the stream.
      if (endedBy || subscription.readableLength > 0) return;
      const reached = toPosition(position);
      if (reached <= received) return;
      received = reached;
      checkpointDue = true;
      wake();
    },
  };
  const lease = connection.acquire();
  const subscription = lease.client.subscribeToAll({
    fromPosition: after === START ? LOG_START : toLogPosition(after),
    filter:
      prefixes.length > 0
        ? streamNameFilter({ prefixes: [...prefixes], ...options })
        : excludeSystemEvents(options),
  });
  const stopWaiting = clock.after(limits.confirmTimeoutMs, () =>
    end(new NoAnswer(limits.confirmTimeoutMs), true),
  );

  function end(reason: Error, silent = false): void {
    if (endedBy) return;
    endedBy = reason;
    stopWaiting();
    lease.release(silent);
    void subscription
      .unsubscribe()
      .catch(() => undefined)
      .then(() => subscription.destroy());
    wake();
  }

  subscription.on('confirmation', () => {
    confirmed = true;
    stopWaiting();
    lease.heard();
  });
  // Never removed: an error without a listener would end the process.
  subscription.on('error', (error) => end(error));
  subscription.on('end', () => end(new Error('the server has ended the subscription')));
  subscription.on('close', () => end(new Error('the subscription has been closed')));
  subscription.on('data', (resolved) => {
    const position = positionOf(resolved);
    if (endedBy || position === undefined || position <= lastRecord) return;
    if (position > received) received = position;
    const record = toStoredRecord(resolved, position);
    if (record) {
      lastRecord = position;
      highWater.note(position);
      waiting.push(record);
      if (waiting.length >= limits.buffer && !paused) {
        paused = true;
        subscription.pause();
      }
    } else {
      hidden += 1;
      if (hidden < CHECKPOINT_EVERY) return;
      checkpointDue = true;
    }
    wake();
  });

  return {
    async take(max) {
      while (waiting.length === 0 && !checkpointDue) {
        if (endedBy) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const records = waiting.slice(0, max);
      waiting = waiting.slice(max);
      if (paused && waiting.length <= limits.buffer / 2) {
        paused = false;
        subscription.resume();
      }
      const last = records.at(-1);
      if (waiting.length > 0 && last) return { records, upTo: last.position };
      hidden = 0;
      checkpointDue = false;
      return { records, upTo: received };
    },
    end,
    get received() {
      return received;
    },
    get idle() {
      return waiting.length === 0;
    },
    get confirmed() {
      return confirmed;
    },
    get endedBy() {
      return endedBy;
    },
  };
}
