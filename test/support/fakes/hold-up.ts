/** As if the process had been held up (stopped, swapped out): its timers run before its sockets are read again. */
export function holdUp(timers: () => void): void {
  setTimeout(timers, 1);
  // Longer than that timer, so that it comes first.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}
