/** Encoding of words and word beginnings for the index. */

/**
 * Characters other than lower-case ASCII letters and digits are encoded as characters that occur in no word. So words
 * can be stored in one text, separated by spaces. The beginning of a word remains the beginning of its encoding.
 */
export function encode(word: string): string {
  return word.replace(/[^a-z0-9]+/g, (other) =>
    String.fromCharCode(...Array.from(Buffer.from(other), (byte) => 0x100 + byte)),
  );
}

/**
 * Encodes the prefixes, each with the space that starts a word, longest first. A prefix of another prefix is dropped.
 */
export function tellingFirst(prefixes: readonly string[]): readonly string[] {
  const all = [...new Set(prefixes)].map((prefix) => ` ${encode(prefix)}`);
  return all
    .filter((one) => !all.some((other) => other !== one && other.startsWith(one)))
    .sort((a, b) => b.length - a.length);
}
