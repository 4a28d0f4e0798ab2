import { type Delivery, createDelivery } from './delivery.js';
import { invalidPosition, streamDeleted, unavailable } from './errors.js';
import { type FaultPlan, answer, takeRefusal } from './fault-plan.js';
import type { History } from './history.js';
import type { Log } from './log.js';
import { type ReadCall, streamIdentifier, streamNameOf, streams } from './protocol.js';
import type { StoredRecord } from './records.js';

export interface ReadContext {
  readonly log: Log;
  readonly history: History;
  readonly faults: FaultPlan;
}

/** Handles reads of a stream and of `$all`. Subscriptions arrive on the same call and are passed on. */
export const handleRead = (
  context: ReadContext,
  call: ReadCall,
  subscribe: (options: streams.ReadReq.Options, call: ReadCall) => void,
): void => {
  const options = call.request.getOptions();
  if (options === undefined) return void call.end();
  if (takeRefusal(context.faults, 'refuseReads')) return void call.emit('error', unavailable());
  answer(context.faults, () => {
    if (options.hasSubscription()) return subscribe(options, call);
    const delivery = createDelivery(call, () => undefined);
    const all = options.getAll();
    if (all !== undefined) void readAll(context, delivery, options, all);
    else void readStream(context, delivery, options);
  });
};

const BACKWARDS = 1;

const readStream = async (
  { history }: ReadContext,
  delivery: Delivery,
  options: streams.ReadReq.Options,
): Promise<void> => {
  const from = options.getStream();
  const stream = streamNameOf(from?.getStreamIdentifier());
  const readable = history.readable(stream);
  if (readable.kind === 'deleted') return delivery.fail(streamDeleted(stream));
  if (readable.kind === 'absent') {
    const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream));
    await delivery.send(new streams.ReadResp().setStreamNotFound(notFound).serializeBinary());
    return delivery.end();
  }
  const backwards = Number(options.getReadDirection()) === BACKWARDS;
  const asked =
    from?.hasStart() === true ? 0 : from?.hasEnd() === true ? readable.last : Number(from?.getRevision());
  const first = backwards ? Math.min(asked, readable.last) : Math.max(asked, readable.first);
  const records = (i: number) => history.record(stream, backwards ? first - i : first + i);
  const available = backwards ? first - readable.first + 1 : readable.last - first + 1;
  await deliver(delivery, records, Math.min(available, Number(options.getCount())));
};

/** A forward read from a position includes the record at it; a backward read starts before it. */
const readAll = async (
  { log }: ReadContext,
  delivery: Delivery,
  options: streams.ReadReq.Options,
  all: streams.ReadReq.Options.AllOptions,
): Promise<void> => {
  const position = all.getPosition();
  const backwards = Number(options.getReadDirection()) === BACKWARDS;
  let index = all.hasEnd() ? log.all.length : 0;
  if (position !== undefined) {
    const from = Number(position.getCommitPosition());
    if (!isBoundary(log, from)) return delivery.fail(invalidPosition());
    index = log.indexAt(from);
  }
  const records = (i: number) => log.all[backwards ? index - 1 - i : index + i];
  const available = backwards ? index : log.all.length - index;
  await deliver(delivery, records, Math.min(available, Number(options.getCount())));
};

/** True when a record starts at the position. 0 and any position from the end of the log on also count. */
export const isBoundary = (log: Log, position: number): boolean =>
  position === 0 || position >= log.end() || log.all[log.indexAt(position)]?.position === position;

const deliver = async (
  delivery: Delivery,
  record: (i: number) => StoredRecord | undefined,
  count: number,
): Promise<void> => {
  for (let i = 0; i < count && !delivery.closed(); i += 1) {
    const next = record(i);
    if (next === undefined) break;
    const full = delivery.send(next.encoded);
    if (full !== undefined) await full;
  }
  delivery.end();
};
