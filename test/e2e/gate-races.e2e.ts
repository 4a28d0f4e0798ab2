/** Concurrent sends to one gate. The stores decide which one passes, so these tests run on each kind of store. */
import { expect } from 'chai';
import { outcomeOf } from '../support/api/client.js';
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { callsOf } from '../support/e2e/product.js';
import { offers, order } from '../support/e2e/templates.js';

const DAY = 86_400;

describe('a race for a gate', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = openedProduct(() => ({ driven: true }));

  for (const [n, body] of [offers(), order('race')].entries()) {
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
        expect(outcomeOf(answer), answer.text).to.deep.equal([422, 'duplicate_template_send']);
      }
      const calls = operations.flatMap(({ uuid }) => callsOf(product.sandbox, uuid));
      expect(calls).to.have.length(1);
    });
  }
});
