/**
 * Time as an input, so that tests control it. Everything is in milliseconds.
 *
 * `now` is the time of day, for values that are written to disk, shown to people or compared between processes. It may
 * jump back or forward when the machine's clock is set. `monotonic` never jumps. It is for durations, and for deadlines
 * that one process both sets and checks.
 */
export interface Clock {
  /** Since the epoch. */
  now(): number;
  /** From an arbitrary origin, with fractions; never decreases. The value has no meaning in another process. */
  monotonic(): number;
  /** Runs `task` once after `ms` of monotonic time; calling the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** Fresh random identifiers (UUID). */
export type NewId = () => string;
