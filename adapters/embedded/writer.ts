/**
 * Group commit: all operations submitted in one event-loop tick share a transaction, and so one wait for the disk. A
 * promise resolves only once it is durable (transactions.ts). Meanwhile no other transaction begins.
 *
 * There are two queues. Operations that a request waits for go first, into the next commit. Background operations join
 * it, and their promises settle in slots of the background scheduler (background-scheduler.ts). Each queue keeps its order.
 *
 * An operation waits for no other one to come: under load there are always some that came during the last commit.
 */
import { StoreUnavailable } from '../../ports/event-store.js';
import { createBackgroundScheduler, type BackgroundScheduler } from './background-scheduler.js';
import type { Participant } from './participant.js';
import type { Transactions } from './transactions.js';
import { createCommits } from './writer-commits.js';
import { add, take, type Pending, type Queue } from './writer-queue.js';

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

/** The transaction that was executed, and is neither committed nor taken back. */
export interface UnderWay {
  /** Undefined while none is; else resolves at its end. */
  end(): Promise<void> | undefined;
  /** Whether a crowd of requests waits for it. */
  isCrowded(): boolean;
}

export interface GroupWriter extends Writer {
  /** What a transaction has written can be read before it is durable: reads wait for this (durable-reads.ts). */
  readonly underWay: UnderWay;
  /** For operations that no request waits for. */
  readonly background: Writer;
  /** From now on no transaction begins, until the returned function is called. What was submitted waits. */
  hold(): () => void;
  /** Rejects waiting and later operations. Call it after `flush`. */
  close(): void;
  /** Transactions committed since the start. */
  commits(): number;
}

const MAX_PER_COMMIT = 200;
/**
 * Limit of the background's share of one transaction, because the next request waits for it. Beside requests it is
 * lower, but never zero.
 */
const MAX_BACKGROUND = 150;
const MAX_BACKGROUND_BESIDE = 100;
/**
 * Requests in one commit that are a crowd. For fewer, and fewer events and rows of the background, a handover to another
 * thread takes longer than compressing and writing them.
 */
const CROWD = 5;
const MANY_BEHIND = 20;

export interface WriterLimits {
  readonly maxPerCommit?: number;
}

export function createWriter(
  transactions: Transactions,
  participants: readonly Participant[],
  limits: WriterLimits = {},
  turns: BackgroundScheduler = createBackgroundScheduler(),
): GroupWriter {
  const maxWeight = limits.maxPerCommit ?? MAX_PER_COMMIT;
  const commits = createCommits(transactions, participants);
  const requests: Queue = { waiting: [], weight: 0 };
  const behind: Queue = { waiting: [], weight: 0 };
  let planned: NodeJS.Immediate | undefined;
  /** A commit is queued in the background scheduler. */
  let queued = false;
  let closed = false;
  let committing = false;
  let held = false;
  let crowd = false;
  let wakeReaders: (() => void) | undefined;
  let readersWait: Promise<void> | undefined;

  /** Plans the next commit. */
  function schedule(): void {
    if (!committing && !held) planned ??= setImmediate(due);
  }

  function due(): void {
    planned = undefined;
    if (turns.held()) return schedule();
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
    // Planned before the transaction that is under way began, or before the hold; the end of it plans the next one.
    if (committing || held) return;
    const { group, crowded, large } = takeGroup();
    committing = true;
    crowd = crowded;
    if (group.length > 0) commits.commitGroup(group, crowded || large, ended);
    else ended();
  }

  function ended(): void {
    committing = false;
    crowd = false;
    wakeReaders?.();
    wakeReaders = undefined;
    readersWait = undefined;
    scheduleWaiting();
  }

  function scheduleWaiting(): void {
    if (requests.waiting.length + behind.waiting.length > 0) schedule();
  }

  function hold(): () => void {
    held = true;
    return () => {
      held = false;
      scheduleWaiting();
    };
  }

  function endOfThis(): Promise<void> | undefined {
    if (committing) readersWait ??= new Promise((resolve) => (wakeReaders = resolve));
    return readersWait;
  }

  function takeGroup(): { readonly group: Pending[]; readonly crowded: boolean; readonly large: boolean } {
    const first = take(requests, maxWeight);
    const most = first.length === 0 ? Math.min(maxWeight, MAX_BACKGROUND) : MAX_BACKGROUND_BESIDE;
    const before = behind.weight;
    const group = [...first, ...take(behind, most)];
    return { group, crowded: first.length >= CROWD, large: before - behind.weight >= MANY_BEHIND };
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
      add(queue, {
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
    underWay: { end: endOfThis, isCrowded: () => crowd },
    background: { submit: submitBehind, flush },
    hold,
    close() {
      closed = true;
      if (planned) clearImmediate(planned);
      for (const pending of [...requests.waiting, ...behind.waiting]) {
        pending.reject(new StoreUnavailable(CLOSED));
      }
      requests.waiting = [];
      behind.waiting = [];
    },
    commits: () => commits.count(),
  };
}

const CLOSED = 'the embedded store is closed';
