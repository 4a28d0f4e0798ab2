/**
 * The appends of one connection. They share one call of it; each that finds no room there waits for its turn within its
 * own time. What the server can't take that way goes by a call of its own.
 */
import { randomUUID } from 'node:crypto';
import { UnavailableError } from '@eventstore/db-client';
import { encodeAppend, type Append, type Appended } from './append-messages.js';
import { createBatchStream, type BatchCall, type BatchStream, type SharedAppend } from './batch-stream.js';
import { isUnimplemented, lostWith, NoAnswer } from './errors.js';

/** How long the caller waits. */
export interface Patience {
  readonly timeoutMs: number;
  /** What to do when the wait is over without an answer. */
  onAbandoned(task: () => void): void;
}

export interface Appends {
  /** @throws what the server answers instead, or why the outcome is unknown */
  append(append: Append, patience: Patience): Promise<Appended>;
  /** Resolves when every append under way has ended, each within its own time. */
  close(): Promise<void>;
}

/** The call that appends share, and the channel that it was made on. */
export interface SharedCall {
  readonly call: BatchCall;
  /** False once the channel was given up for another one. */
  isCurrent(): boolean;
  /** Gives the channel up if the error says that another one is better, maybe to another server. */
  failed(error: Error): void;
}

export interface AppendsDeps {
  readonly open: () => Promise<SharedCall>;
  /** A call of its own for one append. */
  readonly single: (append: Append, timeoutMs: number) => Promise<Appended>;
  /** Appends that the shared call may have under way at once. */
  readonly inFlight: number;
}

/** What a server takes at most unless it is told otherwise. A larger one would also hold up those behind it. */
const LARGEST_SHARED = 1_048_576;

interface Waiting extends SharedAppend {
  sentOn?: BatchStream;
}

interface Current extends SharedCall {
  readonly stream: BatchStream;
}

export function createAppends({ open, single, inFlight }: AppendsDeps): Appends {
  const waiting = new Set<Waiting>();
  let current: Current | undefined;
  let opening = false;
  /** The channel whose server knows no BatchAppend. */
  let without: SharedCall | undefined;
  let underWay = 0;
  let closing = false;
  const whenIdle: (() => void)[] = [];

  function rejectWaiting(error: Error): void {
    for (const append of waiting) append.settle(error);
    waiting.clear();
  }

  function begin(shared: SharedCall): Current {
    const stream = createBatchStream({
      call: shared.call,
      inFlight,
      onRoom: sendWaiting,
      onRefused(error) {
        if (error instanceof UnavailableError) shared.failed(error);
      },
      onEnd(error) {
        if (isUnimplemented(error)) without = shared;
        else shared.failed(error);
        const reason = lostWith(error);
        if (current?.stream !== stream) return reason;
        current = undefined;
        // They would only hurry after one call that fails another one that does.
        rejectWaiting(reason);
        return reason;
      },
    });
    return { ...shared, stream };
  }

  async function openCall(): Promise<void> {
    opening = true;
    try {
      current = begin(await open());
      if (closing && underWay === 0) current.stream.retire();
    } catch (error) {
      rejectWaiting(error instanceof Error ? error : new Error(String(error)));
    } finally {
      opening = false;
    }
    sendWaiting();
  }

  function sendWaiting(): void {
    if (waiting.size === 0 || opening) return;
    if (!current?.isCurrent()) {
      current?.stream.retire();
      current = undefined;
      return void openCall();
    }
    const { stream } = current;
    for (const append of waiting) {
      if (!stream.hasRoom) return;
      waiting.delete(append);
      append.sentOn = stream;
      stream.send(append);
    }
  }

  function share(
    append: Append,
    request: Buffer,
    correlationId: string,
    patience: Patience,
  ): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        correlationId,
        stream: append.stream,
        request,
        settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      };
      patience.onAbandoned(() => {
        waiting.delete(one);
        one.sentOn?.forget(one);
        reject(new NoAnswer(patience.timeoutMs));
      });
      waiting.add(one);
      sendWaiting();
    });
  }

  function alone(append: Append, patience: Patience): Promise<Appended> {
    const abandoned = new Promise<never>((_resolve, reject) => {
      patience.onAbandoned(() => reject(new NoAnswer(patience.timeoutMs)));
    });
    return Promise.race([single(append, patience.timeoutMs), abandoned]);
  }

  async function make(append: Append, patience: Patience): Promise<Appended> {
    if (without?.isCurrent()) return alone(append, patience);
    const correlationId = randomUUID();
    const request = encodeAppend(correlationId, append);
    if (request.length > LARGEST_SHARED) return alone(append, patience);
    try {
      return await share(append, request, correlationId, patience);
    } catch (error) {
      if (isUnimplemented(error)) return alone(append, patience);
      throw error;
    }
  }

  return {
    async append(append, patience) {
      underWay += 1;
      try {
        return await make(append, patience);
      } finally {
        underWay -= 1;
        if (underWay === 0) for (const tell of whenIdle.splice(0)) tell();
      }
    },
    async close() {
      closing = true;
      if (underWay > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      current?.stream.retire();
    },
  };
}
