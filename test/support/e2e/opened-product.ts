/** The product for one test or a block of tests. An error in its log fails the tests. */
import { expect } from 'chai';
import { opened } from '../opened.js';
import { drivenClock } from './driven-clock.js';
import { startProduct, type Product } from './product.js';
import { startWebhookReceiver, type WebhookReceiver } from './receiver.js';

export interface Opening {
  readonly env?: Readonly<Record<string, string>>;
  /** Time advances while the tests wait. */
  readonly driven?: boolean;
}

const begin = ({ env, driven = false }: Opening): Promise<Product> =>
  startProduct(env, undefined, driven ? { clock: drivenClock() } : {});

async function start(opening: Opening): Promise<Product> {
  const product = await begin(opening);
  const { close } = product;
  return Object.assign(product, {
    async close() {
      await close();
      expect(product.errors).to.deep.equal([]);
    },
  });
}

/** @param opening called when the product starts */
export const openedProduct = (opening: () => Opening = () => ({})): Product => opened(() => start(opening()));

/** Also opens a receiver that gets every webhook for integrators. */
export const openedWithReceiver = (
  opening: () => Opening = () => ({}),
): Product & { readonly receiver: WebhookReceiver } =>
  opened(async () => {
    const receiver = await startWebhookReceiver();
    const product = await start(opening());
    await product.subscribe(receiver.url);
    const { close } = product;
    return Object.assign(product, {
      receiver,
      async close() {
        await close();
        await receiver.close();
      },
    });
  });

/** A product for a single test. */
export async function withProduct(
  opening: Opening,
  work: (product: Product) => Promise<unknown>,
): Promise<void> {
  const product = await begin(opening);
  try {
    await work(product);
    expect(product.errors).to.deep.equal([]);
  } finally {
    await product.close();
  }
}
