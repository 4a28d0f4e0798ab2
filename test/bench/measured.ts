/**
 * What `cost`, `latency`, `pipeline` and `writes` measure: the product, or the bare process of `floor` in its place. So
 * both are counted in the same way.
 */
import { startProduct, tellTo, type Product } from './product.js';
import { ONE, type Env, type Layout, type Stack } from './stack.js';

export interface Measured {
  /** In the report. */
  readonly name: string;
  readonly kind: Stack['kind'];
  /** It has one integration, whose only endpoint is `receiverUrl`. @param folder as for `startProduct` */
  readonly start: (env: Env, receiverUrl: string, folder?: string) => Promise<Product>;
}

export const productMeasured = (stack: Stack, name: string, layout: Layout = ONE): Measured => ({
  name,
  kind: stack.kind,
  async start(env, receiverUrl, folder) {
    const product = await startProduct(stack, env, layout, folder);
    try {
      await tellTo(product, receiverUrl);
    } catch (error) {
      await product.stop();
      throw error;
    }
    return product;
  },
});
