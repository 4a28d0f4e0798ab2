/**
 * One BatchAppend call that many appends share; our correlation ids distinguish them. The client has such a call too,
 * but it keeps the appends in progress in one map for all clients of the process. Here each call has its own map, so
 * its end affects only its own appends.
 */
import { correlationIdOf, outcomeOf, type AppendAnswer, type Appended } from './append-messages.js';

/** The call as gRPC provides it. */
export interface BatchCall {
  readonly writableNeedDrain: boolean;
  write(request: Buffer): boolean;
  cancel(): void;
  on(event: 'data', listener: (answer: AppendAnswer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'drain', listener: () => void): unknown;
}

export interface SharedAppend {
  readonly correlationId: string;
  readonly stream: string;
  readonly request: Buffer;
  settle(outcome: Appended | Error): void;
}

export interface BatchStream {
  /** Whether it can take one more append now; `onRoom` is called when that may have changed. */
  readonly hasRoom: boolean;
  send(append: SharedAppend): void;
  /** Drops the append; a late answer to it is ignored. */
  forget(append: SharedAppend): void;
  /** Takes no more appends, and ends when none is in progress. */
  retire(): void;
}

export interface BatchStreamDeps {
  readonly call: BatchCall;
  /** Maximum number of appends in progress. */
  readonly inFlight: number;
  readonly onRoom: () => void;
  /** The server refused an append for a reason that may apply to others too. */
  readonly onRefused: (error: Error) => void;
  /** The call ended, and not by our request. Returns the error for its appends, whose outcome is unknown now. */
  readonly onEnd: (error: Error) => Error;
}

export function createBatchStream(deps: BatchStreamDeps): BatchStream {
  const { call, inFlight } = deps;
  const underWay = new Map<string, SharedAppend>();
  let retired = false;
  let over = false;

  function cancelWhenIdle(): void {
    if (!retired || over || underWay.size > 0) return;
    over = true;
    call.cancel();
  }

  function end(error: Error): void {
    if (over) return;
    over = true;
    const reason = deps.onEnd(error);
    for (const append of underWay.values()) append.settle(reason);
    underWay.clear();
  }

  call.on('data', (answer) => {
    const append = underWay.get(correlationIdOf(answer));
    // The append timed out, or the server answered twice, as it does to a request that it can't read.
    if (!append) return;
    underWay.delete(append.correlationId);
    const outcome = outcomeOf(answer, append.stream);
    if (outcome instanceof Error) deps.onRefused(outcome);
    append.settle(outcome);
    cancelWhenIdle();
    deps.onRoom();
  });
  // Never removed: an error without a listener would end the process.
  call.on('error', end);
  call.on('end', () => end(new Error('the server has ended the call that appends share')));
  call.on('drain', deps.onRoom);

  return {
    get hasRoom() {
      return !retired && !over && underWay.size < inFlight && !call.writableNeedDrain;
    },
    send(append) {
      underWay.set(append.correlationId, append);
      call.write(append.request);
    },
    forget(append) {
      if (!underWay.delete(append.correlationId)) return;
      cancelWhenIdle();
      deps.onRoom();
    },
    retire() {
      retired = true;
      cancelWhenIdle();
    },
  };
}
