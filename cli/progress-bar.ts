/** Progress on one line of a terminal; prints nothing without a terminal. */
import type { Io } from './io.js';

export interface ProgressBar {
  /** `expected` is null when the total is not known. */
  show(done: number, expected: number | null, note?: string): void;
  clear(): void;
}

const WIDTH = 30;
const START_OF_LINE = '\r\u001b[K';

export function progressBar({ stderr }: Pick<Io, 'stderr'>): ProgressBar {
  if (stderr.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  return {
    show(done, expected, note) {
      const more = note === undefined ? '' : `, ${note}`;
      stderr.write(`${START_OF_LINE}${line(done, expected)}${more}`);
    },
    clear() {
      stderr.write(START_OF_LINE);
    },
  };
}

/** There may be more than was expected. */
export function line(done: number, expected: number | null): string {
  if (expected === null || expected === 0) return `${done}`;
  const part = Math.min(1, done / expected);
  const filled = Math.floor(part * WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${Math.max(done, expected)}`;
}
