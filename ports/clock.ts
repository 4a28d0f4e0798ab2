/**
 * Time as an input, so that tests own it. Everything is in milliseconds.
 *
 * `now` is the time of day: for what is written to disk, shown to people or compared between processes. It may step
 * back or forth when the machine's clock is set. `monotonic` never steps: for durations, and for deadlines that one
 * process sets and looks at itself.
 */
export interface Clock {
  /** Since the epoch. */
  now(): number;
  /** From an arbitrary origin, with fractions; never less than before. It says nothing to another process. */
  monotonic(): number;
  /** Runs `task` once after `ms` of monotonic time; the answer cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** Fresh random identifiers (UUID). */
export type NewId = () => string;
