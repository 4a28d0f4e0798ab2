/** The inbox has words for every notice that Recado itself writes into a conversation. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CART_PROBLEMS } from '../../application/store/orders/cart.js';
import { projectFile } from '../support/root.js';

describe('console: words of notices', () => {
  it('name every reason why a cart became no order', () => {
    const words = readFileSync(projectFile('console/words/notices.ts'), 'utf8');
    expect(CART_PROBLEMS.filter((kind) => !words.includes(`'notice.${kind}':`))).to.deep.equal([]);
  });
});
