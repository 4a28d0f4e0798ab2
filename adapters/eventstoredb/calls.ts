/** Calls with a time limit that holds for any server behaviour, retried when that can help. */
import type { EventStoreDBClient } from '@eventstore/db-client';
import type { Clock } from '../../ports/clock.js';
import { pause } from '../../ports/waiting.js';
import { errorOf } from '../../ports/thrown.js';
import type { Appends, Patience } from './appends.js';
import type { Connection } from './connection.js';
import type { ConnectionString } from './connection-string.js';
import { isFinal, isSilence, NoAnswer, unavailable, type Subject } from './errors.js';
import { pauseAfter, type Limits } from './limits.js';
import type { ReadEvent } from './records.js';

/** One attempt. */
export interface Call extends Patience {
  readonly client: EventStoreDBClient;
  readonly appends: Appends;
  /** Reports that part of the answer has arrived: the wait starts again. */
  heard(): void;
}

export interface Calls {
  /**
   * Runs `work`, and retries it after a transient failure, at most `attempts` times in all. `work` must be safe to
   * repeat. `subject`: the resource to name when the server denies access; default: streams.
   * @throws StoreUnavailable, or unchanged an error that a retry can't help (see `isFinal`)
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
          // The client's own deadline may end before ours. It means "no answer", not "can't be reached".
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
          // In a busy process the pause may have taken longer: the call would start with its time already over.
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

/** Calls `onSilence` when nothing was received for `ms`; up to twice as late if something was received before. */
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

/** Common interface of the client's `readStream` and `readAll`. */
export interface EventStream {
  on(event: 'data', listener: (resolved: ReadEvent) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  cancel(): Promise<void>;
  destroy(): unknown;
}

/**
 * Passes the events to `take` until it returns false. Returns whether the stream ended by itself.
 * @throws the server's error, or what `take` threw
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
      // Destroying only the stream would leave the call open.
      void stream
        .cancel()
        .catch(() => undefined)
        .then(() => stream.destroy());
    };
    call.onAbandoned(cancel);
    // Never removed: an error without a listener would end the process.
    stream.on('error', reject);
    stream.on('end', () => resolve(true));
    stream.on('data', (resolved) => {
      if (ended) return;
      call.heard();
      try {
        if (take(resolved)) return;
        resolve(false);
      } catch (error) {
        reject(errorOf(error));
      }
      cancel();
    });
  });
}
