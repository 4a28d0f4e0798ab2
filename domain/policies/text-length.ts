/**
 * Whether a text has more characters than `max`, as people and JSON Schema count them: an emoji outside the basic plane
 * is one. Characters are counted only when the length in UTF-16 units does not decide: a very long text is never split.
 */
export const longerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);
