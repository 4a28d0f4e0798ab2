/**
 * Commits operations as one transaction, and settles their promises. When an operation fails, each gets a transaction of
 * its own.
 */
import { StoreUnavailable, WrongExpectedRevision } from '../../ports/event-store.js';
import { CheckpointMoved } from '../../ports/read-models.js';
import { Database } from './driver.js';
import type { Participant } from './participant.js';
import type { Transactions } from './transactions.js';
import type { Pace } from './writer-pace.js';
import type { Pending } from './writer-queue.js';

export interface Commits {
  /** The promises of all these operations settle, or have a slot in which they will. */
  commitGroup(group: readonly Pending[]): void;
  /** Transactions committed since the start. */
  count(): number;
}

export function createCommits(
  transactions: Transactions,
  participants: readonly Participant[],
  pace: Pick<Pace, 'committed'>,
  monotonic: () => number,
): Commits {
  let commits = 0;

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
    pace.committed(begun, group.length);
    for (const participant of participants) participant.committed?.();
    for (const pending of group) {
      if (pending.refused) pending.reject(pending.outcome);
      else pending.resolve(pending.outcome);
    }
    return undefined;
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
