/** Calls that end in time whatever the server does, made again where that can help. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Clock } from '../../ports/clock.js';
import { pause } from '../../ports/waiting.js';
import type { Appends, Patience } from './appends.js';
import type { Connection } from './connection.js';
import type { ConnectionString } from './connection-string.js';
import { isFinal, isSilence, NoAnswer, unavailable, type Subject } from './errors.js';
import { pauseAfter, type Limits } from './limits.js';
import type { ReadEvent } from './records.js';

/** One try. */
export interface Call extends Patience {
  readonly client: EventStoreDBClient;
  readonly appends: Appends;
  /** Part of the answer has come: the wait begins again. */
  heard(): void;
}

export interface Calls {
  /**
   * Runs `work`, again after a failure that may pass, at most `attempts` times. `work` must be safe to repeat.
   * `subject`: what a server that denies it is asked for; streams when it is left out.
   * @throws StoreUnavailable, or unchanged what repeating can't help (see `isFinal`)
   */
  request<T>(
    work: (call: Call) => Promise<T>,
    options?: { readonly attempts?: number; readonly subject?: Subject },
  ): Promise<T>;
}

export interface CallDeps {
  readonly connection: Connection;
  readonly target: ConnectionString;
  readonly clock: Clock;
  readonly limits: Limits;
}

export function createCalls({ connection, target, clock, limits }: CallDeps): Calls {
  function once<T>(work: (call: Call) => Promise<T>, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const lease = connection.acquire();
      let cancel: () => void = () => undefined;
      const wait = startWait(clock, timeoutMs, () => {
        lease.release(true);
        cancel();
        reject(new NoAnswer(timeoutMs));
      });
      const call: Call = {
        client: lease.client,
        appends: lease.appends,
        timeoutMs,
        heard() {
          lease.heard();
          wait.heard();
        },
        onAbandoned(task) {
          cancel = task;
        },
      };
      work(call).then(
        (result) => {
          wait.end();
          lease.heard();
          lease.release(false);
          resolve(result);
        },
        (error: Error) => {
          wait.end();
          if (isFinal(error)) lease.heard();
          lease.release(isSilence(error));
          // The client's own deadline, which may end before ours: nobody answered, which is not "can't be reached".
          reject(isSilence(error) ? new NoAnswer(timeoutMs) : error);
        },
      );
    });
  }

  return {
    async request(work, { attempts = limits.attempts, subject = 'streams' } = {}) {
      const end = clock.monotonic() + limits.requestTimeoutMs;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(work, Math.min(limits.callTimeoutMs, end - clock.monotonic()));
        } catch (error) {
          if (isFinal(error)) throw error;
          const wait = pauseAfter(attempt, limits);
          if (attempt >= attempts || clock.monotonic() + wait >= end)
            throw unavailable(error, target, subject);
          await pause(clock, wait);
          // A busy process may have slept for longer: a call would begin with its time already over.
          if (clock.monotonic() >= end) throw unavailable(error, target, subject);
        }
      }
    },
  };
}

interface Wait {
  heard(): void;
  end(): void;
}

/** Calls `onSilence` once nothing was heard for `ms`, up to twice as late when something was. */
function startWait(clock: Clock, ms: number, onSilence: () => void): Wait {
  let heard = false;
  let cancel: () => void;
  const arm = (): void => {
    cancel = clock.after(ms, () => {
      if (!heard) return onSilence();
      heard = false;
      arm();
    });
  };
  arm();
  return {
    heard() {
      heard = true;
    },
    end: () => cancel(),
  };
}

/** What `readStream` and `readAll` of the client have in common. */
export interface EventStream {
  on(event: 'data', listener: (resolved: ReadEvent) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  cancel(): Promise<void>;
  destroy(): unknown;
}

/**
 * Hands the events to `take` until it answers false. Answers whether the stream came to its own end.
 * @throws what the server answered instead, or what `take` threw
 */
export function readEvents(
  call: Call,
  stream: EventStream,
  take: (resolved: ReadEvent) => boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let ended = false;
    const cancel = (): void => {
      ended = true;
      // Destroying the stream alone would leave the call open.
      void stream
        .cancel()
        .catch(() => undefined)
        .then(() => stream.destroy());
    };
    call.onAbandoned(cancel);
    // Stays on: an error that nobody listens to would end the process.
    stream.on('error', reject);
    stream.on('end', () => resolve(true));
    stream.on('data', (resolved) => {
      if (ended) return;
      call.heard();
      try {
        if (take(resolved)) return;
        resolve(false);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
      cancel();
    });
  });
}
