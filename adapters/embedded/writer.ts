/**
 * Group commit: all operations submitted in one event-loop tick share a transaction, and so one wait for the disk. A
 * promise resolves only once it is durable (transactions.ts).
 *
 * There are two queues. Operations that a request waits for go first, into the next commit. Background operations join
 * it, and their promises settle in slots of the background scheduler (see `turns.ts`). Each queue keeps its order.
 *
 * After a commit the next one waits for a moment, so that a busy pipeline of small steps shares commits as well. An
 * idle store commits at once, and so does one whose only caller waits for each commit: nothing could share it.
 */
import { Database } from './driver.js';
import { StoreUnavailable, WrongExpectedRevision } from '../../ports/event-store.js';
import { CheckpointMoved } from '../../ports/read-models.js';
import { systemClock } from '../clock/system.js';
import { createBackgroundScheduler, type BackgroundScheduler } from './background-scheduler.js';
import type { Transactions } from './transactions.js';

/** Takes part in every transaction. Called in the order given to `createWriter`. */
export interface Participant {
  /** In the transaction, before the operations. */
  before?(): void;
  /** In the transaction, after the operations. */
  after?(): void;
  /** The transaction is durable; the operations' promises resolve after this. Must not throw. */
  committed?(): void;
  /** The transaction was rolled back: discards what it had staged. Must not throw. */
  rolledBack?(error: Error): void;
}

export interface Writer {
  /**
   * Runs `operation` in the next transaction. It must check before it writes: when it throws WrongExpectedRevision or
   * CheckpointMoved it must have written nothing, and the other operations of the transaction continue.
   *
   * @param weight approximate number of events or rows it writes; a transaction takes `maxWeight` of them
   * @throws what the operation threw; StoreUnavailable when the transaction could not be committed
   */
  submit<T>(operation: () => T, weight?: number): Promise<T>;
  /** Resolves when everything submitted so far, to either queue, has been committed or rejected. */
  flush(): Promise<void>;
}

export interface GroupWriter extends Writer {
  /** For operations that no request waits for. */
  readonly background: Writer;
  /** Rejects waiting and later operations. Call it after `flush`. */
  close(): void;
  /** Transactions committed since the start. */
  commits(): number;
}

interface Pending {
  readonly operation: () => unknown;
  readonly weight: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  refused: boolean;
  outcome: unknown;
}

/**
 * Minimum time from the end of one commit to the next, which is what a step waits. With slow commits it is twice their
 * duration, so that at most a third of the time is spent on commits. A step never waits longer than the longest value.
 */
const BREATH_MS = 2;
const LONGEST_BREATH_MS = 8;
const LONGEST_BREATH_BEHIND_MS = 20;
/** After so many commits of one operation each, the next operation is assumed to be alone too. */
const ALONE_AFTER = 8;
const MAX_PER_COMMIT = 200;
/**
 * Limit of the background's share of one transaction, because the next request waits for it. Beside requests it is
 * lower, but never zero.
 */
const MAX_BACKGROUND = 150;
const MAX_BACKGROUND_BESIDE = 100;

export interface WriterLimits {
  readonly maxPerCommit?: number;
  readonly breathMs?: number;
}

interface Queue {
  waiting: Pending[];
  weight: number;
}

export function createWriter(
  transactions: Transactions,
  participants: readonly Participant[],
  limits: WriterLimits = {},
  turns: BackgroundScheduler = createBackgroundScheduler(),
  monotonic: () => number = () => systemClock.monotonic(),
): GroupWriter {
  const maxWeight = limits.maxPerCommit ?? MAX_PER_COMMIT;
  const breathMs = limits.breathMs ?? BREATH_MS;
  const requests: Queue = { waiting: [], weight: 0 };
  const behind: Queue = { waiting: [], weight: 0 };
  let cancelPlanned: (() => void) | undefined;
  let plannedAt = Infinity;
  /** A commit is queued in the background scheduler. */
  let queued = false;
  let closed = false;
  let commits = 0;
  let lastCommitAt = -Infinity;
  /** Moving average of the last commits. */
  let usualCommitMs = 0;
  /** Commits of a single operation since the last one that several shared. */
  let lone = ALONE_AFTER;

  /** The pause after a commit, in ms. */
  function breath(): number {
    if (breathMs === 0 || requests.weight + behind.weight >= maxWeight) return 0;
    if (lone >= ALONE_AFTER && requests.waiting.length + behind.waiting.length === 1) return 0;
    const longest = requests.waiting.length > 0 ? LONGEST_BREATH_MS : LONGEST_BREATH_BEHIND_MS;
    return Math.max(breathMs, Math.min(longest, 2 * usualCommitMs));
  }

  /** Schedules the next commit for the earliest time that the waiting operations allow. */
  function schedule(): void {
    const at = lastCommitAt + breath();
    if (at >= plannedAt) return;
    cancelPlanned?.();
    plannedAt = at;
    const rest = at - monotonic();
    if (rest <= 0) {
      const immediate = setImmediate(due);
      cancelPlanned = () => clearImmediate(immediate);
    } else {
      // The pause is measured by the machine's clock: a commit must not wait for a clock that a test has stopped.
      cancelPlanned = systemClock.after(rest, due);
    }
  }

  function due(): void {
    if (turns.held()) {
      const immediate = setImmediate(due);
      cancelPlanned = () => clearImmediate(immediate);
      return;
    }
    plannedAt = Infinity;
    cancelPlanned = undefined;
    if (requests.waiting.length > 0 || behind.weight >= MAX_BACKGROUND) return turn();
    if (queued) return;
    // Queued after the background steps that are ready now, so that the operations they submit join the commit.
    queued = true;
    turns.run(() => {
      queued = false;
      turn();
    });
  }

  /** Commits one transaction, then yields to the event loop. */
  function turn(): void {
    const group = takeGroup();
    if (group.length > 0) commitGroup(group);
    if (requests.waiting.length + behind.waiting.length > 0) schedule();
  }

  function takeGroup(): Pending[] {
    const first = take(requests, maxWeight);
    if (first.length === 0) return take(behind, Math.min(maxWeight, MAX_BACKGROUND));
    return [...first, ...take(behind, MAX_BACKGROUND_BESIDE)];
  }

  /** At least one operation, of any weight, so that a queue always makes progress. */
  function take(queue: Queue, room: number): Pending[] {
    const { waiting } = queue;
    let weight = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || weight + waiting[count]!.weight <= room)) {
      weight += waiting[count]!.weight;
      count += 1;
    }
    queue.weight -= weight;
    if (count < waiting.length) return waiting.splice(0, count);
    queue.waiting = [];
    return waiting;
  }

  function commitGroup(group: readonly Pending[]): void {
    const failure = transact(group);
    if (failure === undefined) return;
    if (group.length > 1 && !isUnavailable(failure)) {
      // One of them is at fault, but the error does not say which: each gets a transaction of its own.
      for (const pending of group) {
        const own = transact([pending]);
        if (own !== undefined) pending.reject(explain(own));
      }
      return;
    }
    for (const pending of group) pending.reject(explain(failure));
  }

  /** Undefined when committed (the promises are settled then), else the error (the promises are still pending). */
  function transact(group: readonly Pending[]): Error | undefined {
    const begun = monotonic();
    try {
      transactions.perform(() => {
        for (const participant of participants) participant.before?.();
        for (const pending of group) run(pending);
        for (const participant of participants) participant.after?.();
      });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      for (const participant of participants) participant.rolledBack?.(error);
      return error;
    }
    commits += 1;
    lone = group.length > 1 ? 0 : lone + 1;
    lastCommitAt = monotonic();
    usualCommitMs += (lastCommitAt - begun - usualCommitMs) / 8;
    for (const participant of participants) participant.committed?.();
    for (const pending of group) {
      if (pending.refused) pending.reject(pending.outcome);
      else pending.resolve(pending.outcome);
    }
    return undefined;
  }

  function submitTo<T>(
    queue: Queue,
    settle: (tell: () => void) => void,
    operation: () => T,
    weight: number,
  ): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable(CLOSED));
    return new Promise<T>((resolve, reject) => {
      // The operation may have thrown anything.
      const refuse: (error: unknown) => void = reject;
      queue.weight += weight;
      queue.waiting.push({
        operation,
        weight,
        resolve: (value) => settle(() => resolve(value as T)),
        reject: (error) => settle(() => refuse(error)),
        refused: false,
        outcome: undefined,
      });
      schedule();
    });
  }

  const submit = <T>(operation: () => T, weight = 1): Promise<T> =>
    submitTo(requests, (tell) => tell(), operation, weight);
  const submitBehind = <T>(operation: () => T, weight = 1): Promise<T> =>
    submitTo(behind, turns.run, operation, weight);

  async function flush(): Promise<void> {
    await Promise.all([submit(() => undefined), submitBehind(() => undefined)]);
  }

  return {
    submit,
    flush,
    background: { submit: submitBehind, flush },
    close() {
      closed = true;
      cancelPlanned?.();
      for (const pending of [...requests.waiting, ...behind.waiting]) {
        pending.reject(new StoreUnavailable(CLOSED));
      }
      requests.waiting = [];
      behind.waiting = [];
    },
    commits: () => commits,
  };
}

function run(pending: Pending): void {
  try {
    pending.refused = false;
    pending.outcome = pending.operation();
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision) && !(error instanceof CheckpointMoved)) throw error;
    pending.refused = true;
    pending.outcome = error;
  }
}

const CLOSED = 'the embedded store is closed';

/** These codes are caused by an unsuitable value; every other error of SQLite or a system call comes from the disk. */
const CALLERS_FAULT = /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE|ERROR)/;

export const isUnavailable = (error: Error): boolean =>
  error instanceof Database.SqliteError ? !CALLERS_FAULT.test(error.code) : 'syscall' in error;

function explain(error: Error): Error {
  if (!isUnavailable(error)) return error;
  return new StoreUnavailable(`the embedded store could not commit: ${error.message}`, { cause: error });
}
