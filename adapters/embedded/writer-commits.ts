/**
 * Commits operations as one transaction, and settles their promises. When an operation fails, each gets a transaction of
 * its own.
 */
import { StoreUnavailable, WrongExpectedRevision } from '../../ports/event-store.js';
import { CheckpointMoved } from '../../ports/read-models.js';
import { errorOf } from '../../ports/thrown.js';
import { Database } from './driver.js';
import type { Participant } from './participant.js';
import type { Transactions } from './transactions.js';
import type { Pending } from './writer-queue.js';

export interface Commits {
  /**
   * One group at a time. When `done` is called, the promises of all these operations are settled, or have a slot in
   * which they will be.
   * @param crowded as for `Transactions.perform`
   */
  commitGroup(group: readonly Pending[], crowded: boolean, done: () => void): void;
  /** Transactions committed since the start. */
  count(): number;
}

export function createCommits(transactions: Transactions, participants: readonly Participant[]): Commits {
  let commits = 0;

  function commitGroup(group: readonly Pending[], crowded: boolean, done: () => void): void {
    transact(group, crowded, (failure) => {
      // One of them is at fault, but the error does not say which: each gets a transaction of its own.
      if (failure && group.length > 1 && !isUnavailable(failure)) return oneByOne(group, done);
      if (failure) for (const pending of group) pending.reject(explain(failure));
      done();
    });
  }

  function oneByOne([first, ...rest]: readonly Pending[], done: () => void): void {
    if (!first) return done();
    transact([first], false, (failure) => {
      if (failure) first.reject(explain(failure));
      oneByOne(rest, done);
    });
  }

  /** `ended` gets undefined when it is committed (the promises are settled then), else the error (they are pending). */
  function transact(
    group: readonly Pending[],
    crowded: boolean,
    ended: (failure: Error | undefined) => void,
  ): void {
    const outcome = (error: Error | null): void => ended(error ? rolledBack(error) : committed(group));
    let durable: boolean;
    try {
      const work = (): void => {
        for (const participant of participants) participant.before?.();
        for (const pending of group) run(pending);
        for (const participant of participants) participant.after?.();
      };
      durable = transactions.perform(work, outcome, crowded);
    } catch (thrown) {
      return outcome(errorOf(thrown));
    }
    if (durable) outcome(null);
  }

  function rolledBack(error: Error): Error {
    for (const participant of participants) participant.rolledBack?.(error);
    return error;
  }

  function committed(group: readonly Pending[]): undefined {
    commits += 1;
    for (const participant of participants) participant.committed?.();
    for (const pending of group) {
      if (pending.refused) pending.reject(pending.outcome);
      else pending.resolve(pending.outcome);
    }
  }

  return { commitGroup, count: () => commits };
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

/** These codes are caused by an unsuitable value; every other error of SQLite or a system call comes from the disk. */
const CALLERS_FAULT = /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE|ERROR)/;

export const isUnavailable = (error: Error): boolean =>
  error instanceof Database.SqliteError ? !CALLERS_FAULT.test(error.code) : 'syscall' in error;

function explain(error: Error): Error {
  if (!isUnavailable(error)) return error;
  return new StoreUnavailable(`the embedded store could not commit: ${error.message}`, { cause: error });
}
