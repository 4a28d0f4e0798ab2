/** Asks until the answer is there: the way to wait for something that happens in its own time. */
import { REAL_STACK } from './stack.js';

const EVERY_MS = 15;
/** Nothing fails for being slow: servers of their own on a machine with much else to do take their time. */
const PATIENCE = REAL_STACK ? 8 : 4;
/** For `this.timeout` of a file: conditions that are not met say so long before. */
export const TEST_TIMEOUT_MS = 600_000;

/**
 * Resolves with the first value of `look` that is neither undefined nor null nor false. What `look` throws counts as
 * not yet, and is the reason given when time is up.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  options: { readonly timeoutMs?: number; readonly what?: string } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + PATIENCE * (options.timeoutMs ?? 15_000);
  for (;;) {
    let last: unknown;
    try {
      const value = await look();
      if (value !== undefined && value !== null && value !== false) {
        return value as NonNullable<Exclude<T, false>>;
      }
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      const reason = last instanceof Error ? last.message : String(last);
      throw new Error(`waited in vain for ${options.what ?? 'a condition'}: ${reason}`);
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
