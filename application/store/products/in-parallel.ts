/**
 * Runs `work` on each item, at most `limit` at a time. Results in the order of the items; rejects with the first error.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of rest) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
