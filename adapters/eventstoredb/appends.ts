/**
 * The appends of one connection. They share one BatchAppend call. An append that finds it full waits, within its own
 * time limit. An append that the shared call can't take uses a call of its own.
 */
import { randomUUID } from 'node:crypto';
import { UnavailableError } from '@eventstore/db-client';
import { encodeAppend, type Append, type Appended } from './append-messages.js';
import { createBatchStream, type BatchCall, type BatchStream, type SharedAppend } from './batch-stream.js';
import { isUnimplemented, lostWith, NoAnswer } from './errors.js';
import { errorOf } from '../../ports/thrown.js';

/** Time limit of the caller. */
export interface Patience {
  readonly timeoutMs: number;
  /** Registers a task that runs when the wait ends without an answer. */
  onAbandoned(task: () => void): void;
}

export interface Appends {
  /** @throws the server's error, or the reason why the outcome is unknown */
  append(append: Append, patience: Patience): Promise<Appended>;
  /** Resolves when every append in progress has ended, each within its own time limit. */
  close(): Promise<void>;
}

/** The call that appends share, and the channel that it was made on. */
export interface SharedCall {
  readonly call: BatchCall;
  /** False once the channel was replaced by another one. */
  isCurrent(): boolean;
  /** Replaces the channel if the error requires it, possibly by a channel to another server. */
  failed(error: Error): void;
}

export interface AppendsDeps {
  readonly open: () => Promise<SharedCall>;
  /** Makes a separate call for one append. */
  readonly single: (append: Append, timeoutMs: number) => Promise<Appended>;
  /** Maximum number of appends in progress on the shared call. */
  readonly inFlight: number;
}

/** A server's default limit for one append. A larger request would also delay those behind it. */
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
  /** The channel whose server does not support BatchAppend. */
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
        // Sending them now would only start another call that is likely to fail.
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
      rejectWaiting(errorOf(error));
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
