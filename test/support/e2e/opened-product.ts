/** The product of a block of tests, or of one: an error in its log fails them. */
import { expect } from 'chai';
import { opened } from '../opened.js';
import { drivenClock } from './driven-clock.js';
import { startProduct, type Product } from './product.js';
import { startWebhookReceiver, type WebhookReceiver } from './receiver.js';

export interface Opening {
  readonly env?: Readonly<Record<string, string>>;
  /** Time passes as the tests wait. */
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

/** @param opening asked when the product starts */
export const openedProduct = (opening: () => Opening = () => ({})): Product => opened(() => start(opening()));

/** With a receiver of everything that it tells integrators. */
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

/** A product of one test. */
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
