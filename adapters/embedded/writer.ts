/**
 * Group commit: everything asked for in one turn of the event loop goes into one transaction and so shares one sync
 * of the disk. A promise resolves only after COMMIT.
 *
 * After a commit the next one waits a moment, so that a busy pipeline of small steps shares commits as well; an idle
 * store commits at once.
 */
import Database from 'better-sqlite3';
import { StoreUnavailable, WrongExpectedRevision } from '../../ports/event-store.js';
import { CheckpointMoved } from '../../ports/read-models.js';
import type { Db } from './database.js';

/** Takes part in every transaction. Called in the order given to `createWriter`. */
export interface Participant {
  /** In the transaction, before the operations. */
  before?(): void;
  /** In the transaction, after the operations. */
  after?(): void;
  /** After COMMIT, before the operations' promises resolve. Must not throw. */
  committed?(): void;
  /** The transaction is gone: forget what it staged. Must not throw. */
  rolledBack?(): void;
}

export interface Writer {
  /**
   * Runs `operation` in the next transaction. It must check before it writes: when it throws WrongExpectedRevision
   * or CheckpointMoved it has written nothing, and the others of the transaction go on.
   *
   * @param weight events or rows it writes, about; a transaction takes `maxWeight` of them
   * @throws what the operation threw; StoreUnavailable when the transaction could not be committed
   */
  submit<T>(operation: () => T, weight?: number): Promise<T>;
  /** Resolves when everything submitted so far has been committed or rejected. */
  flush(): Promise<void>;
  /** Refuses what waits and whatever comes. Call after `flush`. */
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
 * Least time from the end of one commit to the next: what a step waits. Where commits are slow it is twice what they
 * take, so that committing takes a third of the time at most; a step never waits longer than the longest.
 */
const BREATH_MS = 2;
const LONGEST_BREATH_MS = 5;
const MAX_PER_COMMIT = 200;
/** Longest time spent committing before others get their turn. */
const TURN_MS = 25;

export interface WriterLimits {
  readonly maxPerCommit?: number;
  readonly breathMs?: number;
}

export function createWriter(
  db: Db,
  participants: readonly Participant[],
  limits: WriterLimits = {},
): Writer {
  const maxWeight = limits.maxPerCommit ?? MAX_PER_COMMIT;
  const breathMs = limits.breathMs ?? BREATH_MS;
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let queue: Pending[] = [];
  let scheduled = false;
  let closed = false;
  let commits = 0;
  let lastCommitAt = -Infinity;
  /** Smoothed over the last few. */
  let usualCommitMs = 0;
  let weightWaiting = 0;

  function breath(): number {
    return breathMs === 0 ? 0 : Math.max(breathMs, Math.min(LONGEST_BREATH_MS, 2 * usualCommitMs));
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    const rest = lastCommitAt + breath() - performance.now();
    if (rest <= 0 || weightWaiting >= maxWeight) setImmediate(turn);
    else setTimeout(turn, rest);
  }

  /** One transaction after the other until the queue is empty or the others in the event loop want their turn. */
  function turn(): void {
    scheduled = false;
    const begun = performance.now();
    do {
      const group = takeGroup();
      if (group.length > 0) commitGroup(group);
    } while (queue.length > 0 && performance.now() - begun < TURN_MS);
    if (queue.length > 0) schedule();
  }

  function commitGroup(group: readonly Pending[]): void {
    const failure = transact(group);
    if (failure === undefined) return;
    if (group.length > 1 && !isUnavailable(failure)) {
      // One of them is at fault, and nothing says which: each gets a transaction of its own.
      for (const pending of group) {
        const own = transact([pending]);
        if (own !== undefined) pending.reject(explain(own));
      }
      return;
    }
    for (const pending of group) pending.reject(explain(failure));
  }

  function takeGroup(): Pending[] {
    let weight = 0;
    let count = 0;
    while (count < queue.length && (count === 0 || weight + queue[count]!.weight <= maxWeight)) {
      weight += queue[count]!.weight;
      count += 1;
    }
    weightWaiting -= weight;
    if (count === queue.length) {
      const all = queue;
      queue = [];
      return all;
    }
    return queue.splice(0, count);
  }

  /** Answers undefined when committed (the promises are settled then), else what went wrong (they are not). */
  function transact(group: readonly Pending[]): Error | undefined {
    const begun = performance.now();
    try {
      begin.run();
      for (const participant of participants) participant.before?.();
      for (const pending of group) run(pending);
      for (const participant of participants) participant.after?.();
      commit.run();
    } catch (error) {
      undo();
      return error instanceof Error ? error : new Error(String(error));
    }
    commits += 1;
    lastCommitAt = performance.now();
    usualCommitMs += (lastCommitAt - begun - usualCommitMs) / 8;
    for (const participant of participants) participant.committed?.();
    for (const pending of group) {
      if (pending.refused) pending.reject(pending.outcome);
      else pending.resolve(pending.outcome);
    }
    return undefined;
  }

  function undo(): void {
    try {
      // SQLite has already rolled back after some errors (disk full, I/O).
      if (db.inTransaction) rollback.run();
    } finally {
      for (const participant of participants) participant.rolledBack?.();
    }
  }

  function submit<T>(operation: () => T, weight = 1): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailable(CLOSED));
    return new Promise<T>((resolve, reject) => {
      weightWaiting += weight;
      queue.push({
        operation,
        weight,
        resolve: resolve as (value: unknown) => void,
        reject,
        refused: false,
        outcome: undefined,
      });
      schedule();
    });
  }

  return {
    submit,
    flush: () => submit(() => undefined),
    close() {
      closed = true;
      for (const pending of queue) pending.reject(new StoreUnavailable(CLOSED));
      queue = [];
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

/** These come from a value that does not fit; every other SQLite error comes from the disk or the file. */
const CALLERS_FAULT = /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE|ERROR)/;

const isUnavailable = (error: Error): boolean =>
  error instanceof Database.SqliteError && !CALLERS_FAULT.test(error.code);

function explain(error: Error): Error {
  if (!isUnavailable(error)) return error;
  return new StoreUnavailable(`the embedded store could not commit: ${error.message}`, { cause: error });
}
