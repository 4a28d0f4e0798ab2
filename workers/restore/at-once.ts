/** Number of independent pieces of work to run in parallel; each makes one or two calls to the stores. */

const AT_ONCE = 50;

export async function eachAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const all = [...items];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(work));
  }
}
