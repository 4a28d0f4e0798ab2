/**
 * One BatchAppend call: many appends share it, told apart by ids of ours. The client has such a call too, but keeps what
 * is under way in one map for all clients of the process. Here each call has its own, so its end is the end of its own
 * appends only.
 */
import { correlationIdOf, outcomeOf, type AppendAnswer, type Appended } from './append-messages.js';

/** The call as gRPC knows it. */
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
  /** Can take one more append now; `onRoom` tells when that may have changed. */
  readonly hasRoom: boolean;
  send(append: SharedAppend): void;
  /** An answer to it that still comes is ignored. */
  forget(append: SharedAppend): void;
  /** Takes no more appends, and ends when none is under way. */
  retire(): void;
}

export interface BatchStreamDeps {
  readonly call: BatchCall;
  /** Appends that may be under way at once. */
  readonly inFlight: number;
  readonly onRoom: () => void;
  /** The server has refused an append for a reason that holds for others too. */
  readonly onRefused: (error: Error) => void;
  /** The call is over, unless we ended it. Answers what its appends, of unknown outcome now, are rejected with. */
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
    // Its time was over, or the server answers twice, which it does to what it can't read.
    if (!append) return;
    underWay.delete(append.correlationId);
    const outcome = outcomeOf(answer, append.stream);
    if (outcome instanceof Error) deps.onRefused(outcome);
    append.settle(outcome);
    cancelWhenIdle();
    deps.onRoom();
  });
  // Stays on: an error that nobody listens to would end the process.
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
