/** The floor is honest while it makes the events durable that the product does. */
import { expect } from 'chai';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { withProduct } from '../support/e2e/opened-product.js';
import { APP_SECRET } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';
import { EMBEDDED_STEPS, eventsOf } from './floor-counts.js';
import { startProviderStandIn } from './provider-stand-in.js';

describe('the events of the floor', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const provider = opened(() => startProviderStandIn({ statuses: ['sent', 'delivered'], gatherMs: 0 }));

  it('are those of a message to a new recipient', () =>
    withProduct({ env: { WHATSAPP_API_URL: provider.url } }, async (product) => {
      const { app, running } = product;
      provider.deliverTo({ urls: [running.url], credentials: { whatsapp_app_secret: APP_SECRET } });
      const expected = eventsOf(EMBEDDED_STEPS['product']!);
      const before = await app.store.head();
      await product.accepted('+5511971000001');
      const types = await eventually(async () => {
        const { records } = await app.store.readAll({ after: before, limit: 100 });
        return records.length >= expected.length && records.map(({ type }) => type);
      });
      expect(types).to.have.members(expected);
    }));
});
