/**
 * Lines as bytes, many in a piece. Line by line into memory that is used again: put together as a text first, one letter
 * beyond Latin-1 makes all of the piece several times as dear, and so does fresh memory for each piece.
 */
const SIZE = 256 * 1024;
/** Bytes of UTF-8 for a UTF-16 unit, at the most. */
const WIDEST = 3;

export interface Pieces {
  /** The line of each value, in order. A piece is overwritten when the next one is asked for. */
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
