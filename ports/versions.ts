/**
 * Versions of documents that no event stands behind. Each is above the one it follows, also after a step back: the time
 * of day only begins the count, so that releases that took it as the version go on from here, and these from there.
 */

/** ISO 8601. @param before version that is stored; left out where there is none */
export function versionAfter(before: string | undefined, now: number): string {
  const last = before === undefined ? NaN : Date.parse(before);
  return new Date(Number.isNaN(last) ? now : Math.max(now, last + 1)).toISOString();
}
