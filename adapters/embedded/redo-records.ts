/**
 * Statements as bytes: what the redo log holds of a transaction. A statement's text is there once in each life of the
 * log, later its number stands for it.
 */

/** What SQLite can bind. */
export type Bound = string | number | bigint | Uint8Array | null;

export interface Statements {
  /** @throws TypeError when SQLite can't bind a value by its position */
  add(sql: string, values: readonly unknown[]): void;
  /** The statements since the last `keep` or `forget`; empty when there are none. */
  bytes(): Uint8Array;
  /** How many statements were added and kept since the last `begin`. */
  count(): number;
  /** They are in the log. */
  keep(): void;
  /** They are not in the log, and never will be. */
  forget(): void;
  /** A new life of the log, which has no texts yet. */
  begin(): void;
}

/** Kinds of values. */
const KIND = { nothing: 0, number: 1, text: 2, bytes: 3, large: 4 } as const;
const FIRST_SIZE = 64 * 1024;
/** Of one statement before its values: number, length of its text, count of values. */
const HEAD_BYTES = 10;
/** Of one value before its content. */
const VALUE_BYTES = 9;

export function createStatements(): Statements {
  let buffer = Buffer.allocUnsafe(FIRST_SIZE);
  let length = 0;
  let added = 0;
  let kept = 0;
  const numbers = new Map<string, number>();
  /** Texts that only the statements since the last `keep` have. */
  let fresh: string[] = [];

  function room(bytes: number): void {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }

  function putText(text: string): void {
    room(4 + 3 * text.length);
    const bytes = buffer.write(text, length + 4);
    buffer.writeUInt32LE(bytes, length);
    length += 4 + bytes;
  }

  function putKind(kind: number): void {
    buffer[length] = kind;
    length += 1;
  }

  function put(value: unknown): void {
    room(VALUE_BYTES);
    if (value === null) return putKind(KIND.nothing);
    if (typeof value === 'string') {
      putKind(KIND.text);
      return putText(value);
    }
    if (typeof value === 'number') {
      // SQLite gets every number as a float, and makes an integer of it where the column is one.
      putKind(KIND.number);
      length = buffer.writeDoubleLE(value, length);
      return;
    }
    if (typeof value === 'bigint') {
      putKind(KIND.large);
      length = buffer.writeBigInt64LE(value, length);
      return;
    }
    if (value instanceof Uint8Array) {
      putKind(KIND.bytes);
      room(4 + value.length);
      length = buffer.writeUInt32LE(value.length, length);
      buffer.set(value, length);
      length += value.length;
      return;
    }
    throw new TypeError(
      `a statement that writes has a value of type ${typeof value}; bind values by position`,
    );
  }

  function empty(): void {
    added = 0;
    length = 0;
    fresh = [];
  }

  return {
    add(sql, values) {
      const begun = length;
      room(HEAD_BYTES);
      let number = numbers.get(sql);
      const first = number === undefined;
      if (number === undefined) number = numbers.size;
      length = buffer.writeUInt32LE(number, length);
      length = buffer.writeUInt16LE(values.length, length);
      try {
        if (first) putText(sql);
        for (const value of values) put(value);
      } catch (error) {
        length = begun;
        throw error;
      }
      if (first) {
        numbers.set(sql, number);
        fresh.push(sql);
      }
      added += 1;
    },
    bytes: () => buffer.subarray(0, length),
    count: () => kept,
    keep() {
      kept += added;
      empty();
    },
    forget() {
      for (const sql of fresh) numbers.delete(sql);
      empty();
    },
    begin() {
      numbers.clear();
      kept = 0;
      empty();
      if (buffer.length > 16 * FIRST_SIZE) buffer = Buffer.allocUnsafe(FIRST_SIZE);
    },
  };
}

/** Reads what `Statements` wrote, one piece after the other: a piece uses texts of earlier ones. */
export function createStatementReader(): (
  bytes: Uint8Array,
) => Iterable<readonly [string, readonly Bound[]]> {
  const texts: string[] = [];

  return function* read(bytes) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;

    function text(): string {
      const size = buffer.readUInt32LE(at);
      at += 4 + size;
      return buffer.toString('utf8', at - size, at);
    }

    function value(): Bound {
      const kind = buffer[at];
      at += 1;
      switch (kind) {
        case KIND.nothing:
          return null;
        case KIND.number:
          at += 8;
          return buffer.readDoubleLE(at - 8);
        case KIND.large:
          at += 8;
          return buffer.readBigInt64LE(at - 8);
        case KIND.text:
          return text();
        case KIND.bytes: {
          const size = buffer.readUInt32LE(at);
          at += 4 + size;
          return buffer.subarray(at - size, at);
        }
        default:
          throw new RangeError(`a value of unknown kind ${kind}`);
      }
    }

    while (at < buffer.length) {
      const number = buffer.readUInt32LE(at);
      const count = buffer.readUInt16LE(at + 4);
      at += 6;
      const sql = (texts[number] ??= text());
      const values: Bound[] = [];
      for (let left = count; left > 0; left -= 1) values.push(value());
      yield [sql, values];
    }
  };
}
