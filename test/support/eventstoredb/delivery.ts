import { type CallFailure, consumerTooSlow } from './errors.js';
import type { EncodedRead, ReadCall } from './protocol.js';

/** The outgoing side of a read or of a subscription. */
export interface Delivery {
  readonly closed: () => boolean;
  /** For history: resolves when the connection accepts more. */
  readonly send: (message: EncodedRead) => Promise<void> | undefined;
  /** For live events, which do not wait: too many unconsumed events end the subscription. */
  readonly offer: (message: EncodedRead) => void;
  readonly fail: (failure: CallFailure) => void;
  readonly end: () => void;
  /** From now on nothing is delivered, while the call stays open. */
  readonly silence: () => void;
}

/** A 23.10 server buffers this many live events for a slow consumer, then drops the subscription. */
const LIVE_BUFFER = 32;

export const createDelivery = (call: ReadCall, onClose: () => void): Delivery => {
  const waiting: EncodedRead[] = [];
  let closed = false;
  let silent = false;
  let congested = false;
  let onDrain: (() => void) | undefined;

  const resume = (): void => {
    onDrain?.();
    onDrain = undefined;
  };
  const close = (): void => {
    if (closed) return;
    closed = true;
    waiting.length = 0;
    resume();
    onClose();
  };
  const write = (message: EncodedRead): void => {
    congested = !call.write(message);
  };
  call.on('drain', () => {
    congested = false;
    resume();
    while (!closed && !congested) {
      const message = waiting.shift();
      if (message === undefined) return;
      write(message);
    }
  });
  call.on('cancelled', close);
  call.on('close', close);

  const fail = (failure: CallFailure): void => {
    if (closed) return;
    close();
    call.emit('error', failure);
  };

  return {
    closed: () => closed,
    send(message) {
      if (closed || silent) return undefined;
      write(message);
      if (!congested) return undefined;
      return new Promise((resolve) => {
        onDrain = resolve;
      });
    },
    offer(message) {
      if (closed || silent) return;
      if (!congested) write(message);
      else if (waiting.length < LIVE_BUFFER) waiting.push(message);
      else fail(consumerTooSlow());
    },
    fail,
    end() {
      if (closed) return;
      close();
      call.end();
    },
    silence() {
      silent = true;
      waiting.length = 0;
    },
  };
};
