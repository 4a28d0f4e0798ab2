/**
 * Serves new connections first. libuv accepts one connection per event-loop tick (since 1.45). With ticks of 20 ms, the
 * last of 64 callers that connect at once would wait for more than a second before its request is read. While
 * connections keep arriving, other work waits briefly, and ticks take microseconds.
 */
export interface Arrivals {
  /** Must be called for each new connection. */
  readonly connected: () => void;
  /** Runs `handle` now, or shortly after when connections are arriving. Keeps the order of the calls. */
  whenQuiet(handle: () => void): void;
}

/** Longest time for which new connections may delay earlier requests. */
const LONGEST_MS = 10;

/** `giveWay` asks other work on the event loop to pause for at most so many milliseconds; 0 resumes it. */
export function createArrivals(giveWay: (ms: number) => void, monotonic: () => number): Arrivals {
  let waiting: (() => void)[] = [];
  let coming = false;
  let another = false;
  let since = 0;
  let endedAt = -Infinity;

  /** Runs once per event-loop tick, after the sockets were polled. */
  function look(): void {
    if (another && monotonic() < since + LONGEST_MS) {
      another = false;
      setImmediate(look);
      return;
    }
    coming = false;
    endedAt = monotonic();
    giveWay(0);
    const held = waiting;
    waiting = [];
    for (const handle of held) handle();
  }

  return {
    connected() {
      another = true;
      // After a pause, other work may run for at least the length of the longest pause.
      if (coming || monotonic() < endedAt + LONGEST_MS) return;
      coming = true;
      since = monotonic();
      giveWay(LONGEST_MS);
      setImmediate(look);
    },
    whenQuiet(handle) {
      if (coming) waiting.push(handle);
      else handle();
    },
  };
}
