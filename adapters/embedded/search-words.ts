/** Words of documents as the index keeps them, and beginnings of words as it looks for them. */

/**
 * Whatever is not a small ASCII letter or a digit is written as characters that no word has for itself, so that words
 * can stand in one text with spaces between. The beginning of a word stays the beginning of its encoding.
 */
export function encode(word: string): string {
  return word.replace(/[^a-z0-9]+/g, (other) =>
    String.fromCharCode(...Array.from(Buffer.from(other), (byte) => 0x100 + byte)),
  );
}

/** Encoded, with the space that begins a word in front; without those that another one begins with. */
export function tellingFirst(prefixes: readonly string[]): readonly string[] {
  const all = [...new Set(prefixes)].map((prefix) => ` ${encode(prefix)}`);
  return all
    .filter((one) => !all.some((other) => other !== one && other.startsWith(one)))
    .sort((a, b) => b.length - a.length);
}
