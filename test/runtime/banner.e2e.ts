/** What a start prints for people: the same places at the first start and at those after it. */
import { expect } from 'chai';
import { banner } from '../../runtime/banner.js';
import { startProduct } from '../support/e2e/product.js';

describe('the banner of a start', () => {
  it('names the page of the store as long as it sells, not at the first start only', async () => {
    let product = await startProduct();
    try {
      const page = () => /Store page +(\S+)/.exec(banner(product.running))?.[1];
      const address = () => `${product.running.url}/loja/loja-demo`;
      expect([product.running.madeDemo, page()]).to.deep.equal([true, address()]);
      product = await product.restart();
      expect([product.running.madeDemo, page()]).to.deep.equal([false, address()]);
      await product.admin('PATCH', `/companies/${product.company}/store`, { slug: 'loja-nova' });
      product = await product.restart();
      expect(page()).to.equal(`${product.running.url}/loja/loja-nova`);
      await product.admin('PUT', `/companies/${product.company}/store/plan`, { allowed: false });
      product = await product.restart();
      expect(page()).to.equal(undefined);
    } finally {
      await product.stop();
    }
  });
});
