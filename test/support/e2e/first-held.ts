import { eventually } from './eventually.js';
import type { Product } from './product.js';

/** Number of polls between two sends while the previous send is still in progress. */
const LOOKS = 40;

/**
 * Returns a send that waits because the channel was stopped. The workers notice the stop after about a second. A send
 * that is accepted before that may still go out, or may appear as waiting only after the next run of the sweeper. A
 * send that is accepted later appears as waiting at once, so this function makes sends until one does.
 * @param send makes the n-th send and returns its operation's uuid
 */
export async function firstHeld(product: Product, send: (n: number) => Promise<string>): Promise<string> {
  const made: string[] = [];
  let looks = 0;
  const { clock } = product;
  // Gives the workers time to notice the stop.
  if (clock?.driven) await clock.advance(2_000);

  const statusOf = async (uuid: string): Promise<string> => (await product.operation(uuid)).status;
  const isUnderWay = (status: string): boolean => status === 'queued' || status === 'processing';
  return eventually(
    async () => {
      const statuses = await Promise.all(made.map(statusOf));
      const held = made.find((_, n) => statuses[n] === 'waiting');
      if (held !== undefined) return held;
      looks += 1;
      if (statuses.every((status) => !isUnderWay(status)) || looks % LOOKS === 0) {
        made.push(await send(made.length + 1));
      }
      return null;
    },
    { timeoutMs: 60_000, what: 'a send that waits' },
  );
}
