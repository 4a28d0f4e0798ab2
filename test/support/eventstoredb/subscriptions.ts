import { randomUUID } from 'node:crypto';
import { type Delivery, createDelivery } from './delivery.js';
import { cancelled, consumerTooSlow, invalidPosition, streamDeleted, unavailable } from './errors.js';
import { type SubscriptionFilter, filterOf } from './filter.js';
import type { History } from './history.js';
import type { Log } from './log.js';
import { type ReadCall, streamNameOf, streams } from './protocol.js';
import { isBoundary } from './read-calls.js';
import { DELETED, type StoredRecord } from './records.js';

export type DropReason = 'unavailable' | 'cancelled' | 'too-slow' | 'end';

export interface Subscriptions {
  readonly open: (options: streams.ReadReq.Options, call: ReadCall) => void;
  count(): number;
  drop(how: DropReason): void;
  silence(): void;
  /** Sends each filtered subscription that is live a checkpoint at the newest record. */
  checkpoint(): void;
}

interface OpenSubscription {
  readonly delivery: Delivery;
  readonly checkpoint: () => void;
}

/** Records per page of an unfiltered catch-up, and most matches per page of a filtered one. */
const PAGE = 32;

/**
 * Catch-up subscriptions, with the order of events of EventStore's src/EventStore.Core/Services/Transport/Enumerators:
 * confirmation, history, caught up, live.
 */
export const createSubscriptions = (log: Log, history: History): Subscriptions => {
  const open = new Set<OpenSubscription>();

  const start = (
    call: ReadCall,
    run: (delivery: Delivery, listen: Listen) => { readonly checkpoint: () => void } | undefined,
  ): void => {
    let stop = (): void => undefined;
    const delivery = createDelivery(call, () => {
      stop();
      open.delete(subscription);
    });
    let checkpoint = (): void => undefined;
    const subscription = { delivery, checkpoint: () => checkpoint() };
    open.add(subscription);
    checkpoint =
      run(delivery, (onRecord) => {
        stop();
        stop = log.onStored((records) => {
          for (const record of records) if (!delivery.closed()) onRecord(record);
        });
      })?.checkpoint ?? checkpoint;
  };

  return {
    open(options, call) {
      const all = options.getAll();
      const filter = options.getFilter();
      if (all !== undefined) {
        start(call, (delivery, listen) =>
          subscribeToAll(log, delivery, listen, all, filter === undefined ? undefined : filterOf(filter)),
        );
      } else {
        start(call, (delivery, listen) => subscribeToStream(history, delivery, listen, options.getStream()));
      }
    },
    count: () => open.size,
    drop(how) {
      for (const { delivery } of [...open]) {
        if (how === 'end') delivery.end();
        else delivery.fail(FAILURES[how]());
      }
    },
    silence() {
      for (const { delivery } of open) delivery.silence();
    },
    checkpoint() {
      for (const subscription of open) subscription.checkpoint();
    },
  };
};

/** Sets the listener for each record that is stored from now on, replacing the previous listener. */
type Listen = (onRecord: (record: StoredRecord) => void) => void;

const FAILURES = { unavailable, cancelled, 'too-slow': consumerTooSlow } as const;

const confirmation = () =>
  new streams.ReadResp()
    .setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()))
    .serializeBinary();

const caughtUp = () => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()).serializeBinary();

const checkpointAt = (commit: number, prepare: number) =>
  new streams.ReadResp()
    .setCheckpoint(
      new streams.ReadResp.Checkpoint().setCommitPosition(String(commit)).setPreparePosition(String(prepare)),
    )
    .serializeBinary();

const subscribeToAll = (
  log: Log,
  delivery: Delivery,
  listen: Listen,
  from: streams.ReadReq.Options.AllOptions,
  filter: SubscriptionFilter | undefined,
): { readonly checkpoint: () => void } | undefined => {
  const position = from.getPosition();
  const after = Number(position?.getCommitPosition() ?? 0);
  if (!isBoundary(log, after)) {
    delivery.fail(invalidPosition());
    return undefined;
  }
  let index = from.hasEnd() ? log.all.length : position === undefined ? 0 : log.indexAt(after);
  // `after` is exclusive: the record at that position was delivered before. No record is at START.
  if (log.all[index]?.position === after) index += 1;
  let considered = 0;
  let live = false;

  const onRecord = (record: StoredRecord): void => {
    if (filter === undefined || filter.matches(record)) delivery.offer(record.encoded);
    if (filter === undefined) return;
    considered += 1;
    if (considered < filter.checkpointEvery) return;
    considered = 0;
    delivery.offer(checkpointAt(record.position, record.position));
  };

  /** Sends one page of history; returns true when it reached the end of the log. */
  const page = async (): Promise<boolean> => {
    // Without a match the checkpoint is the start of the page. Its prepare position is 0 unless it is the log's start.
    const begin = log.all[index]?.position ?? log.end();
    let checkpoint = checkpointAt(begin, 0);
    let looked = 0;
    let matched = 0;
    while (looked < (filter?.window ?? PAGE) && matched < PAGE) {
      const record = log.all[index];
      if (record === undefined) break;
      index += 1;
      looked += 1;
      if (filter !== undefined && !filter.matches(record)) continue;
      matched += 1;
      const full = delivery.send(record.encoded);
      if (full !== undefined) await full;
      if (filter !== undefined) checkpoint = checkpointAt(record.position, record.position);
    }
    considered += looked;
    const ended = looked < (filter?.window ?? PAGE) && matched < PAGE;
    if (!ended && filter !== undefined && considered >= filter.checkpointEvery) {
      considered %= filter.checkpointEvery;
      await delivery.send(checkpoint);
    }
    return ended;
  };

  const catchUp = async (): Promise<void> => {
    await delivery.send(confirmation());
    if (!from.hasEnd()) while (!delivery.closed() && !(await page()));
    await delivery.send(caughtUp());
    // Deliver records that were stored during the last `await`, then go live. No `await` in between, so no record is
    // missed.
    for (; index < log.all.length && !delivery.closed(); index += 1) {
      const record = log.all[index];
      if (record !== undefined) onRecord(record);
    }
    if (delivery.closed()) return;
    live = true;
    listen(onRecord);
  };
  void catchUp();

  return {
    checkpoint() {
      const newest = log.all.at(-1);
      if (filter === undefined || !live || newest === undefined) return;
      considered = 0;
      delivery.offer(checkpointAt(newest.position, newest.position));
    },
  };
};

const subscribeToStream = (
  history: History,
  delivery: Delivery,
  listen: Listen,
  from: streams.ReadReq.Options.StreamOptions | undefined,
): undefined => {
  const stream = streamNameOf(from?.getStreamIdentifier());
  let next = 0;
  if (from?.hasRevision() === true) next = Number(from.getRevision()) + 1;
  const atStart = history.readable(stream);
  if (from?.hasEnd() === true) next = atStart.kind === 'readable' ? atStart.last + 1 : 0;
  let caughtUpSent = false;
  let running = false;

  const onRecord = (record: StoredRecord): void => {
    if (record.stream !== stream) return;
    if (record.revision === DELETED) {
      delivery.offer(record.encoded);
      delivery.fail(streamDeleted(stream));
    } else if (!caughtUpSent) void catchUp();
    else if (record.revision >= next) {
      next = record.revision + 1;
      delivery.offer(record.encoded);
    }
  };

  /** Waits for a stream that does not exist yet; reports "caught up" once it exists. */
  const catchUp = async (): Promise<void> => {
    if (running) return;
    running = true;
    for (;;) {
      const readable = history.readable(stream);
      if (delivery.closed()) return;
      if (readable.kind === 'deleted') return delivery.fail(streamDeleted(stream));
      if (readable.kind === 'absent' && from?.hasEnd() !== true) break;
      if (readable.kind === 'readable') next = Math.max(next, readable.first);
      const record = history.record(stream, next);
      if (record === undefined) {
        caughtUpSent = true;
        delivery.offer(caughtUp());
        break;
      }
      next += 1;
      const full = delivery.send(record.encoded);
      if (full !== undefined) await full;
    }
    running = false;
  };

  if (atStart.kind === 'deleted') {
    delivery.fail(streamDeleted(stream));
    return undefined;
  }
  void delivery.send(confirmation());
  listen(onRecord);
  void catchUp();
  return undefined;
};
