/**
 * Whether a text has more characters, as people count them and as JSON Schema does: an emoji outside the basic plane is
 * one. Counts only what may be one or the other: the length of a text of a megabyte says enough.
 */
export const longerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);
