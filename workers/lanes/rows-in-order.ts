/**
 * The rows of one lane that are kept in memory, in the order of claims: by due time, then as they were scheduled. Rows are
 * mostly added at the end, and found at the beginning.
 */
export interface Ordered {
  readonly dueAt: number;
  readonly seq: number;
}

export interface RowsInOrder<Row> extends Iterable<Row> {
  readonly size: () => number;
  /** The order of a row must not change while it is in here. */
  readonly add: (row: Row) => void;
  readonly remove: (row: Row) => void;
}

export function createRowsInOrder<Row>(orderOf: (row: Row) => Ordered): RowsInOrder<Row> {
  const rows: Row[] = [];

  /** Index of the first row that is not before this one. */
  function placeOf(row: Row): number {
    const { dueAt, seq } = orderOf(row);
    const isBefore = (other: Row): boolean => {
      const { dueAt: due, seq: number } = orderOf(other);
      return due < dueAt || (due === dueAt && number < seq);
    };
    const last = rows.at(-1);
    if (last === undefined || isBefore(last)) return rows.length;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(rows[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    size: () => rows.length,
    add: (row) => void rows.splice(placeOf(row), 0, row),
    remove(row) {
      const place = placeOf(row);
      if (rows[place] === row) rows.splice(place, 1);
    },
    [Symbol.iterator]: () => rows[Symbol.iterator](),
  };
}
