/** Decides when the next event may go: a rate per second, or the original tempo times a factor. */

export type Pace =
  | { readonly kind: 'at_once' }
  | { readonly kind: 'rate'; readonly perSecond: number }
  | { readonly kind: 'speed'; readonly factor: number };

/** `100/s`, `6000/m`, or a plain number of events a second. Undefined for anything else. */
export function readRate(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(?:\/([sm]))?$/.exec(text) ?? [];
  const value = Number(number) / (unit === 'm' ? 60 : 1);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

/** `10x`, `0.5x`. Undefined for anything else. */
export function readSpeed(text: string): number | undefined {
  const value = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * Milliseconds after the first event at which number `n` (from 0) may go.
 * @param sinceFirst milliseconds between the two when they happened; negative if clocks differed
 */
export function dueAfter(pace: Pace, n: number, sinceFirst: number): number {
  switch (pace.kind) {
    case 'at_once':
      return 0;
    case 'rate':
      return (n / pace.perSecond) * 1000;
    case 'speed':
      return Math.max(0, sinceFirst) / pace.factor;
    default:
      return pace satisfies never;
  }
}
