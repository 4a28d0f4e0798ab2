/** A text of nothing, or of spaces, in each place of each body: what handlers answer about it fits the contract too. */
import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import { addressOf, knownOf } from '../support/contract/addresses.js';
import { requestBodyOf, textWith } from '../support/contract/request-bodies.js';
import { freshKey, startProduct, type Product } from '../support/e2e/product.js';

const BLANK = ['""', '" "', '"\\n\\t"', '"\\u00a0"'];

describe('a blank text', () => {
  let product: Product;
  before(async () => {
    product = await startProduct();
  });
  after(() => product.close());

  it('gives no 5xx anywhere', async () => {
    const known = await knownOf(product);
    const { credentials } = product.running;
    const apis = [
      { document: loadContract().document, base: product.api.url, token: product.key },
      {
        document: loadContract('admin').document,
        base: credentials['admin_url']!,
        token: credentials['admin_token']!,
      },
    ];
    const faults: string[] = [];
    let asked = 0;
    for (const { document, base, token } of apis) {
      for (const operation of operationsOf(document)) {
        const body = requestBodyOf(document, operation);
        for (const valid of body?.valid ?? []) {
          for (const { path } of body!.places) {
            for (const blank of BLANK) {
              const text = textWith(valid, path, blank);
              const answer = await fetch(base + addressOf(operation, known), {
                method: operation.method,
                headers: {
                  authorization: `Bearer ${token}`,
                  'content-type': 'application/json',
                  'idempotency-key': freshKey(),
                },
                body: text,
              });
              await answer.arrayBuffer();
              asked += 1;
              if (answer.status >= 500) faults.push(`${answer.status} ${operation.operationId}: ${text}`);
            }
          }
        }
      }
    }
    console.log(`      asked: ${asked}`);
    expect(faults).to.deep.equal([]);
    expect(product.errors).to.deep.equal([]);
  });
});
