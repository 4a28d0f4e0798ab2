import { eventually } from './eventually.js';
import type { Product } from './product.js';

/**
 * A send that is seen to wait, once the channel was told to stop. That is taken notice of within a second or so: what is
 * accepted before may slip through, or be held and shown as waiting only when the sweeper comes by. What is accepted
 * after shows it at once, so they are made until one does.
 * @param send makes the n-th and answers its operation's uuid
 */
export async function firstHeld(product: Product, send: (n: number) => Promise<string>): Promise<string> {
  let made = 0;
  const { clock } = product;
  // The stop is taken notice of.
  if (clock?.driven) await clock.advance(2_000);
  return eventually(
    async () => {
      const uuid = await send((made += 1));
      const status = await eventually(
        async () => {
          const seen = await product.operation(uuid);
          return seen.status !== 'queued' && seen.status !== 'processing' && seen.status;
        },
        { timeoutMs: 1_000, what: 'a send to be held or to end' },
      );
      return status === 'waiting' && uuid;
    },
    { timeoutMs: 60_000, what: 'a send that waits' },
  );
}
