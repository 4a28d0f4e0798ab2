/**
 * Follows the history and makes sure that every event has its envelope in every feed that keeps it. Its checkpoint is
 * how far the feeds show events: nothing can come in before it any more (docs/adr/0039). One process at a time.
 */
import type { App } from '../../application/app.js';
import { RELAYED_PREFIXES } from '../../application/relay.js';
import { START, StoreUnavailable, type Position, type StoredRecord } from '../../ports/event-store.js';
import type { Lease } from '../../ports/leases.js';
import { CheckpointMoved, ReadModelBehind } from '../../ports/read-models.js';
import { BEGUN, eventFeed, FEED } from '../../read-models/event-envelopes.js';
import { createBell } from '../../ports/waiting.js';
import { every } from '../kernel/every.js';
import { whileHolding, type Exclusive, type ExclusiveRun } from '../kernel/exclusive.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { LeftOut } from '../notifications/envelope.js';
import type { KeepEnvelope, EnvelopeDeps } from './book.js';
import { missingEvents, type MissingEvent } from './events.js';
import { openGaps, retryGaps } from './gaps.js';
import { FailedEnvelope, makeEnvelopes } from './make.js';

/** Attempts of an event before it becomes a gap; a store that does not answer gets more. */
const MAX_TRIES = 5;
const MAX_TRIES_AWAY = 20;
const GAPS_EVERY_MS = 30_000;
/** The checkpoint follows events that no feed keeps within this time. */
const IDLE_COMMIT_MS = 1_000;
const LEASE = 'event_feed';

/** @param apartMs time between the beginnings of two batches: under load, events come in fewer and larger ones */
export const startEventFeed = (
  app: EnvelopeDeps & Pick<App, 'codec' | 'leases' | 'logger'>,
  keep: KeepEnvelope,
  apartMs = 0,
): Exclusive => whileHolding(app, LEASE, (lease) => run(app, { keep, apartMs }, lease));

async function run(
  app: EnvelopeDeps & Pick<App, 'codec' | 'logger'>,
  { keep, apartMs }: { readonly keep: KeepEnvelope; readonly apartMs: number },
  lease: Lease,
): Promise<ExclusiveRun> {
  const { store, readModels, clock } = app;
  const trouble = createThrottledErrorLog(app, 'following the history for the events feed');
  const tries = new Map<string, number>();
  const from = await begin(app);
  /** What is stored, and what is handled. */
  let at = from;
  let handled = from;
  let turn: Promise<unknown> = Promise.resolve();
  let cancel: (() => void) | undefined;
  let lost = false;
  let stopping = false;
  const bell = createBell(clock);
  let reject: (error: unknown) => void = () => undefined;
  const ended = new Promise<void>((_resolve, refuse) => (reject = refuse));
  ended.catch(() => undefined);
  function lose(error: unknown): void {
    lost = true;
    reject(error);
  }

  /** Commits one after the other: a batch and the timer may ask at the same time. */
  function moveOn(): Promise<void> {
    const moved = turn.then(async () => {
      if (lost || at === handled) return;
      if (!lease.held()) return lose(new Error('the lease of the events feed has ended'));
      const to = handled;
      try {
        await readModels.moveSoon({ collection: eventFeed.name, projection: FEED, from: at, to });
        at = to;
      } catch (error) {
        if (error instanceof CheckpointMoved) return lose(error);
        throw error;
      }
    });
    turn = moved.catch(() => undefined);
    return moved;
  }

  function moveOnSoon(): void {
    cancel ??= clock.after(IDLE_COMMIT_MS, () => {
      cancel = undefined;
      moveOn().catch((error: unknown) => {
        trouble.failed(error);
        moveOnSoon();
      });
    });
  }

  async function handle(event: MissingEvent): Promise<void> {
    const { record, eventId, integrations, absent } = event;
    const recorded = { stream: record.stream, revision: record.revision, event_id: record.eventId };
    try {
      await makeEnvelopes(app, keep, recorded, eventId, integrations, absent);
    } catch (thrown) {
      const { type, cause } = thrown instanceof FailedEnvelope ? thrown : { type: null, cause: thrown };
      if (cause instanceof ReadModelBehind) throw cause;
      const count = (tries.get(eventId) ?? 0) + 1;
      const most = cause instanceof StoreUnavailable ? MAX_TRIES_AWAY : MAX_TRIES;
      if (!(cause instanceof LeftOut) && count < most) {
        tries.set(eventId, count);
        throw cause;
      }
      await openGaps(app, event, type, String(cause));
    }
    tries.delete(eventId);
  }

  const subscription = store.subscribe({
    after: from,
    prefixes: RELAYED_PREFIXES,
    async onBatch(records: readonly StoredRecord[], to: Position) {
      if (lost) return;
      const endsAt = clock.monotonic() + apartMs;
      const { kept, missing } = await missingEvents(app, records, (id) => keep.knows?.(id, clock) ?? false);
      // All are tried before one of them fails the batch: it is delivered again.
      const outcomes = await Promise.allSettled(missing.map(handle));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      handled = to;
      if (kept) await moveOn();
      else moveOnSoon();
      trouble.worked();
      // What happens meanwhile comes as one batch. A stop does not wait for it.
      const left = endsAt - clock.monotonic();
      if (left > 0 && !stopping) await bell.wait(left);
    },
    onError: trouble.failed,
  });
  const gaps = every(app, GAPS_EVERY_MS, 'trying gaps of the events feed again', (stopping) =>
    retryGaps(app, keep, stopping),
  );
  return {
    ended,
    async stop() {
      stopping = true;
      // The subscription stops when its batch has ended.
      bell.ring();
      await Promise.all([subscription.stop(), gaps.stop()]);
      cancel?.();
      await moveOn().catch(trouble.failed);
    },
  };
}

/** The checkpoint. At the very first start the end of the history: nothing of what happened before was kept. */
async function begin({ store, readModels }: Pick<App, 'readModels' | 'store'>): Promise<Position> {
  let from = await readModels.checkpoint(FEED);
  if ((await readModels.get(eventFeed.name, BEGUN)) !== undefined) return from;
  if (from === START) {
    const to = await store.head();
    if (to !== START) await readModels.commit(eventFeed.name, { projection: FEED, from, to, writes: [] });
    from = to;
  }
  await readModels.write(eventFeed.name, [
    { id: BEGUN, doc: { sequence: store.sequenceOf(from) }, version: '1' },
  ]);
  return from;
}
