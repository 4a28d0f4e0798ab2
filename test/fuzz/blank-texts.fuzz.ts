/** An empty or blank text in each place of each request body: responses fit the contract here too. */
import { expect } from 'chai';
import { operationsOf } from '../../api/contract.js';
import { addressOf, apisOf, knownOf } from '../support/contract/addresses.js';
import { requestBodyOf, textWith, type RequestBody } from '../support/contract/request-bodies.js';
import { freshKey, startProduct, type Product } from '../support/e2e/product.js';

const BLANK = ['""', '" "', '"\\n\\t"', '"\\u00a0"'];

const blankBodies = ({ valid, places }: RequestBody = { valid: [], places: [] }): readonly string[] =>
  valid.flatMap((example) =>
    places.flatMap(({ path }) => BLANK.map((blank) => textWith(example, path, blank))),
  );

describe('a blank text', () => {
  let product: Product;
  before(async () => {
    product = await startProduct();
  });
  after(() => product.close());

  it('gives no 5xx anywhere', async () => {
    const known = await knownOf(product);
    const faults: string[] = [];
    let asked = 0;
    for (const { document, base, token } of apisOf(product)) {
      for (const operation of operationsOf(document)) {
        for (const body of blankBodies(requestBodyOf(document, operation))) {
          const answer = await fetch(base + addressOf(operation, known), {
            method: operation.method,
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'idempotency-key': freshKey(),
            },
            body,
          });
          await answer.arrayBuffer();
          asked += 1;
          if (answer.status >= 500) faults.push(`${answer.status} ${operation.operationId}: ${body}`);
        }
      }
    }
    console.log(`      asked: ${asked}`);
    expect(faults).to.deep.equal([]);
    expect(product.errors).to.deep.equal([]);
  });
});
