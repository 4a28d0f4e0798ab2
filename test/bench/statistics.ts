/** The arithmetic of the reports. */

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

/** How a report names a bar and says whether it is met. */
export const judged = (met: boolean, bar: string): string => `(bar ${bar}, ${met ? 'met' : 'not met'})`;

export interface Sample {
  /** Seconds. */
  readonly at: number;
  readonly value: number;
}

/** Growth of the value per second, by least squares. NaN for fewer than two different times. */
export function slope(samples: readonly Sample[]): number {
  const n = samples.length;
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / n;
  const meanValue = samples.reduce((sum, { value }) => sum + value, 0) / n;
  let above = 0;
  let below = 0;
  for (const { at, value } of samples) {
    above += (at - meanAt) * (value - meanValue);
    below += (at - meanAt) ** 2;
  }
  return above / below;
}

export interface Growth {
  /** Medians of the first and the last quarter of the samples. */
  readonly first: number;
  readonly last: number;
  readonly perHour: number;
  readonly flat: boolean;
}

/** Growth from the first to the last quarter that still counts as flat. */
export const FLAT_BELOW = 0.05;

/** Expects samples in order of time. Flat: the last quarter's median is less than 5 % above the first quarter's. */
export function growth(samples: readonly Sample[]): Growth {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const first = median(samples.slice(0, quarter).map(({ value }) => value));
  const last = median(samples.slice(-quarter).map(({ value }) => value));
  return { first, last, perHour: slope(samples) * 3600, flat: last < first * (1 + FLAT_BELOW) };
}
