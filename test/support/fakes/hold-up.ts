/** Simulates a stalled process (stopped, swapped out): its timers run before its sockets are read again. */
export function holdUp(timers: () => void): void {
  setTimeout(timers, 1);
  // Blocks longer than that timer, so that the timer fires first.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
