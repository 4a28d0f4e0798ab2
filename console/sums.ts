/** How many rows have each value, the most frequent first. */
export function sumBy<T>(rows: readonly T[], of: (row: T) => string): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(of(row), (sums.get(of(row)) ?? 0) + 1);
  return [...sums].sort(([, a], [, b]) => b - a);
}
