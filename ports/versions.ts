/**
 * Versions of documents that do not come from events. Each version is above the previous one, even after the clock was
 * set back. The time of day is only the starting value: releases that used the time itself as the version can continue
 * from these versions, and this release from theirs.
 */

/** ISO 8601. @param before version that is stored; left out when the document does not exist */
export function versionAfter(before: string | undefined, now: number): string {
  const last = before === undefined ? NaN : Date.parse(before);
  return new Date(Number.isNaN(last) ? now : Math.max(now, last + 1)).toISOString();
}
