/**
 * Serialises lines into reused memory, many lines per piece. Joining a piece as a string first would be slower: one
 * character beyond Latin-1 makes the whole piece several times as expensive. So does fresh memory for each piece.
 */
const SIZE = 256 * 1024;
/** Most UTF-8 bytes per UTF-16 unit. */
const WIDEST = 3;

export interface Pieces {
  /** Yields the lines of all values in order. A piece is overwritten when the next one is requested. */
  of<T>(values: readonly T[], line: (value: T) => string): Generator<Uint8Array>;
}

export function createPieces(size = SIZE): Pieces {
  const memory = Buffer.allocUnsafeSlow(size);
  return {
    *of(values, line) {
      let at = 0;
      for (const value of values) {
        const text = line(value);
        if (text.length * WIDEST > size - at) {
          if (at > 0) yield memory.subarray(0, at);
          at = 0;
        }
        if (text.length * WIDEST > size) yield Buffer.from(text);
        else at += memory.write(text, at);
      }
      if (at > 0) yield memory.subarray(0, at);
    },
  };
}
