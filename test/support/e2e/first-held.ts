import { eventually } from './eventually.js';
import type { Product } from './product.js';

/** Between two sends, as long as the one before is under way. */
const LOOKS = 40;

/**
 * A send that is seen to wait, once the channel was told to stop. That is taken notice of within a second or so: what is
 * accepted before may slip through, or be held and shown as waiting only when the sweeper comes by. What is accepted
 * after shows it at once, so more are made until one does.
 * @param send makes the n-th and answers its operation's uuid
 */
export async function firstHeld(product: Product, send: (n: number) => Promise<string>): Promise<string> {
  const made: string[] = [];
  let looks = 0;
  const { clock } = product;
  // The stop is taken notice of.
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
