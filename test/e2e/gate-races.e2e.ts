/** Sends that race for one gate: the stores decide, so this runs on each of them. */
import { expect } from 'chai';
import type { Answer } from '../support/api/client.js';
import { drivenClock } from '../support/e2e/driven-clock.js';
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { callsOf, startProduct, type Product } from '../support/e2e/product.js';

const DAY = 86_400;

const offers = {
  type: 'template',
  content: { name: 'weekly_offers', language: 'pt_BR', parameters: ['Ana', '10'] },
};
const order = {
  type: 'template',
  content: { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', 'race'] },
};

describe('a race for a gate', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let product: Product;

  before(async () => {
    product = await startProduct({}, undefined, { clock: drivenClock() });
  });
  after(async () => {
    await product.close();
    expect(product.errors).to.deep.equal([]);
  });

  const codeOf = (answer: Answer): unknown => [answer.status, answer.body.error?.code];

  for (const [n, body] of [offers, order].entries()) {
    it(`is won by one of ten: ${body.content.name}; the others end with the code, on the call or on the operation`, async () => {
      const phone = `+551197000010${n}`;
      const answers = await Promise.all(Array.from({ length: 10 }, () => product.send(phone, { body })));
      const operations = await Promise.all(
        answers
          .filter(({ status }) => status === 202)
          .map(({ body: answer }) => product.settled((answer.data as { uuid: string }).uuid)),
      );
      expect(operations.filter(({ status }) => status === 'succeeded')).to.have.length(1);
      for (const { error } of operations.filter(({ status }) => status === 'failed')) {
        expect(error!.code).to.equal('duplicate_template_send');
        expect(error!.details['retry_after_seconds']).to.be.within(DAY - 60, DAY);
      }
      for (const answer of answers.filter(({ status }) => status !== 202)) {
        expect(codeOf(answer), answer.text).to.deep.equal([422, 'duplicate_template_send']);
      }
      const calls = operations.flatMap(({ uuid }) => callsOf(product.sandbox, uuid));
      expect(calls).to.have.length(1);
    });
  }
});
