/** Failure handling of loops over a log. */

/** An error listener that throws must not end the loop that calls it. */
export function reportTo(listener: ((error: unknown) => void) | undefined, error: unknown): void {
  try {
    listener?.(error);
  } catch {
    // No other listener could receive this error.
  }
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 5_000;

/** Pause in ms before attempt `failures` + 1: doubles up to 5 s, half of it random so that loops spread. */
export function backoff(failures: number): number {
  const full = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 10));
  return full / 2 + (Math.random() * full) / 2;
}
