/**
 * Consumes a topic. Messages of a batch run in parallel across keys and in order within one key. A message that throws
 * is retried through the due-time store, and one that keeps failing is parked where an operator sees it. While a server
 * is away, the partition waits: its batch is delivered again, and nothing becomes a row.
 */
import type { App } from '../../application/app.js';
import { parkMessage, retryQueue, retryRow } from '../../application/parked-messages.js';
import { messageName } from '../../application/relay.js';
import { createCache } from '../../ports/cache.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import { NotYet, StoreUnavailable } from '../../ports/event-store.js';
import { ReadModelBehind } from '../../ports/read-models.js';
import type { Consumer, OpenBatch, TopicMessage } from '../../ports/topics.js';
import { inBatches } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import { OVERTAKEN, wasOvertaken } from './overtaken.js';
import { createThrottledErrorLog } from './throttled-error-log.js';

/** Result of handling a message. Counted by consumer and kind. */
export type Outcome =
  | { readonly kind: 'handled' | 'skipped' }
  | { readonly kind: 'later'; readonly delayMs: number; readonly reason: string }
  | { readonly kind: 'park'; readonly reason: string };

export const handled: Outcome = { kind: 'handled' };
export const skipped: Outcome = { kind: 'skipped' };

/** Handles a batch of a topic. @param open see ConsumeOptions */
export type HandOn = (batch: readonly TopicMessage[], open?: OpenBatch) => Promise<void>;

export interface WorkerOptions {
  readonly topic: string;
  readonly group: string;
  /** @param open the batch of the message; absent for a retry */
  readonly handle: (value: TopicMessage['value'], tries: number, open?: OpenBatch) => Promise<Outcome>;
  /** If given, handles the topic's batches; `handle` is then used only for retries. */
  readonly handOn?: HandOn;
  /** Tries of a message that asks for more time, or throws, before it is parked. */
  readonly maxTries: number;
  readonly maxBatch?: number;
  readonly onOutcome?: (group: string, outcome: Outcome['kind']) => void;
}

export interface Worker {
  stop(): Promise<void>;
  lag(): Promise<number>;
  /** Resolves when everything published before the call was handled (retries not included). */
  caughtUp(): Promise<void>;
  /** Number of messages that wait for a retry. */
  retries(): Promise<number>;
}

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const RETRIES_AT_ONCE = 50;
/**
 * So often a partition waits for one message that meets an unavailable store, about twenty seconds in all. After that the
 * message becomes a row: the store may refuse it alone, and the others of the partition must not wait for ever.
 */
export const WAITS_FOR_A_STORE = 10;
const REMEMBERED_WAITS = 10_000;
/** Longest retry delay while a store is unavailable, so that work resumes soon after it is back. */
const LONGEST_AWAY_MS = 30_000;
/**
 * The same for a read model. Shorter than `RETRIED_MS` in the flow worker: flows allow delayed messages that long
 * before they treat silence as an answer.
 */
const LONGEST_BEHIND_MS = 15_000;

/** The topic delivers a failed batch again. The log reports the failure once, and the recovery. */
export function consumeTopic(
  app: Pick<App, 'topics' | 'clock' | 'logger'>,
  { topic, group, maxBatch }: Pick<WorkerOptions, 'topic' | 'group' | 'maxBatch'>,
  handle: HandOn,
): Consumer {
  const trouble = createThrottledErrorLog(app, 'taking messages from the topic', { group });
  return app.topics.consume({
    topic,
    group,
    ...(maxBatch === undefined ? {} : { maxBatch }),
    async handle(batch, open) {
      await handle(batch, open);
      trouble.worked();
    },
    onError: trouble.failed,
  });
}

export function startWorker(
  app: Pick<App, 'clock' | 'dueTimes' | 'logger' | 'readModels' | 'topics'>,
  options: WorkerOptions,
): Worker {
  const { dueTimes, clock, logger } = app;
  const queue = retryQueue(options.group);
  /** How often the partition of a message has waited for it. */
  const waits = createCache<string, number>(REMEMBERED_WAITS);

  /**
   * @param before earlier tries that count
   * @param claims claims of the retry row so far
   * @param onAway called when a store is unavailable; it may throw to leave the message with its caller
   */
  async function run(
    id: string,
    value: TopicMessage['value'],
    before: number,
    claims: number,
    open?: OpenBatch,
    onAway?: (error: StoreUnavailable) => void,
  ): Promise<{ readonly outcome: Outcome; readonly tries: number }> {
    const tries = before + 1;
    let outcome: Outcome;
    let away = false;
    try {
      outcome = await options.handle(value, tries, open);
    } catch (error) {
      // An unavailable store is no fault of the message: such tries do not count, and the message returns as often as
      // necessary.
      away = error instanceof StoreUnavailable;
      if (error instanceof StoreUnavailable && !(error instanceof NotYet)) onAway?.(error);
      const fields = { err: error, group: options.group, ...pointerOf(value) };
      // The barrier logs this once for all waiting messages; a line for each message would be too many.
      if (error instanceof ReadModelBehind) logger.debug(fields, 'a message waits for a read model');
      else if (error instanceof NotYet) logger.info(fields, 'a message waits for other work of Recado');
      else if (away) logger.warn(fields, 'a message waits for a store to come back');
      else if (wasOvertaken(error))
        logger.debug({ group: options.group, ...pointerOf(value), tries }, OVERTAKEN);
      else logger.error({ ...fields, tries }, 'worker failed on a message');
      const longest = error instanceof ReadModelBehind ? LONGEST_BEHIND_MS : LONGEST_AWAY_MS;
      const delayMs = away ? Math.min(longest, backoff(claims + 1)) : backoff(tries);
      outcome = { kind: 'later', delayMs, reason: String(error) };
    }
    if (outcome.kind === 'later' && !away && tries >= options.maxTries) {
      outcome = { kind: 'park', reason: `gave up after ${tries} tries: ${outcome.reason}` };
    }
    if (outcome.kind === 'park') await park(id, value, outcome.reason);
    options.onOutcome?.(options.group, outcome.kind);
    return { outcome, tries: away ? before : tries };
  }

  async function park(id: string, value: TopicMessage['value'], reason: string): Promise<void> {
    await parkMessage(app, { id, group: options.group, value, reason });
    logger.warn({ group: options.group, id, reason, ...pointerOf(value) }, 'message parked');
  }

  /** @throws StoreUnavailable when the partition should wait, and be given the message again */
  async function handleFirst(message: TopicMessage, open?: OpenBatch): Promise<void> {
    const id = nameOf(message);
    const { outcome, tries } = await run(id, message.value, 0, 0, open, (error) => {
      const before = waits.get(id) ?? 0;
      if (before === WAITS_FOR_A_STORE) return;
      waits.set(id, before + 1);
      throw error;
    });
    waits.delete(id);
    if (outcome.kind !== 'later') return;
    const dueAt = clock.now() + outcome.delayMs;
    await dueTimes.schedule([retryRow(options.group, id, message.value, dueAt, tries)]);
  }

  /** @throws the first error, once the work of all keys has ended */
  async function handleBatch(batch: readonly TopicMessage[], open?: OpenBatch): Promise<void> {
    const byKey = new Map<string, TopicMessage[]>();
    for (const message of batch) {
      const same = byKey.get(message.key);
      if (same) same.push(message);
      else byKey.set(message.key, [message]);
    }
    const ended = await Promise.allSettled(
      [...byKey.values()].map(async (messages) => {
        for (const message of messages) await handleFirst(message, open);
      }),
    );
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  async function tryAgain({ id, claims, payload }: ClaimedEntry): Promise<End> {
    const value = payload['value'] as TopicMessage['value'];
    // Rows of earlier releases are named by offset; their parked messages are named by event.
    const name = nameOf({ value, offset: id });
    const { outcome, tries } = await run(name, value, Number(payload['tries']), claims);
    if (outcome.kind !== 'later') return 'done';
    return { dueAt: clock.now() + outcome.delayMs, payload: { value, tries } };
  }

  const { group } = options;
  const consumer = consumeTopic(app, options, options.handOn ?? handleBatch);
  const retries = startScheduler(app, {
    queue,
    policy: inBatches(RETRIES_AT_ONCE),
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    work: tryAgain,
    trouble: createThrottledErrorLog(app, 'looking for messages to try again', { group }),
  });

  return {
    async stop() {
      await Promise.all([consumer.stop(), retries.stop()]);
    },
    lag: () => consumer.lag(),
    caughtUp: () => consumer.caughtUp(),
    retries: () => dueTimes.count(queue),
  };
}

/** Named by the event: a topic that is created again assigns the same offsets to other messages. */
const nameOf = ({ value, offset }: Pick<TopicMessage, 'value' | 'offset'>): string =>
  messageName(value) ?? offset;

/** The event that the message is about, for the log. */
const pointerOf = (value: TopicMessage['value']) => ({
  event_id: value['event_id'],
  stream: value['stream'],
  correlation_id: value['correlation_id'],
});

/** 1 s, 2 s, 4 s, … at most 5 minutes. */
const backoff = (tries: number): number => Math.min(300_000, 1000 * 2 ** (tries - 1));
