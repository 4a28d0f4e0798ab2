/**
 * New connections first. libuv takes one connection per turn of the event loop off the listening socket (since 1.45),
 * so where turns take 20 ms, the last of 64 callers that connect at once waits for more than a second before anything
 * of its request is read. While connections keep coming, everything else waits for a moment, and turns take microseconds.
 */
export interface Arrivals {
  /** A connection has come. */
  readonly connected: () => void;
  /** Runs it now, or in a moment when connections are coming. In the order of the calls. */
  whenQuiet(handle: () => void): void;
}

/** Connections that never stop coming must not hold up what came before them for longer. */
const LONGEST_MS = 10;

/** `giveWay`: others that fill the event loop keep still for so many milliseconds at the most; 0 lets them go on. */
export function createArrivals(giveWay: (ms: number) => void, monotonic: () => number): Arrivals {
  let waiting: (() => void)[] = [];
  let coming = false;
  let another = false;
  let since = 0;
  let endedAt = -Infinity;

  /** Once per turn of the event loop, after sockets had theirs. */
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
      // The others have as much time as they had to wait.
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
