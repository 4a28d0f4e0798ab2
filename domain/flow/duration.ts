/** Durations as flow definitions write them. */

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `2h` → 7200. The text must be a valid duration by the definition's schema. */
export const durationSeconds = (text: string): number =>
  Number(text.slice(0, -1)) * (UNIT_SECONDS[text.slice(-1)] ?? NaN);
