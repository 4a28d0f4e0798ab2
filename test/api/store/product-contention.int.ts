/**
 * Many concurrent callers of one store, as ERPs do it: commands that commute wait for each other, and none is refused.
 */
import { expect } from 'chai';
import { placeOrder } from '../../../application/store/orders/place.js';
import { productQuotaAggregate } from '../../../domain/product-quota/decide.js';
import * as market from '../../application/store/orders/support.js';
import { ask } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { opened, openedForEach } from '../../support/opened.js';
import { openShop } from './products.js';

describe('writers of one store at the same time', () => {
  const api = opened(makeApi);
  const shop = openedForEach(() => openShop(api));

  /** Number of responses by status. */
  async function statuses(count: number, send: (n: number) => Promise<{ readonly status: number }>) {
    const found: Record<number, number> = {};
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)));
    for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
    return found;
  }
  const placesTaken = async () =>
    (await api.app.executor.load(productQuotaAggregate, shop.store)).state.count;
  const create = (n: number) => shop.send('POST', '', { name: `Produto ${n}`, price: '10.00' });

  it('all create a product', async () => {
    expect(await statuses(50, create)).to.deep.equal({ 201: 50 });
    expect(await placesTaken()).to.equal(50);
  });

  it('all delete one, and every place is free again', async () => {
    const made = await Promise.all(
      [0, 1, 2].map((page) =>
        shop.batch(Array.from({ length: 90 }, (_, n) => ({ name: `p${page}-${n}`, price: 1 }))),
      ),
    );
    const uuids = made.flat().map(({ product_uuid }) => product_uuid!);
    const found = await statuses(uuids.length, (n) => shop.send('DELETE', `/${uuids[n]}`));
    expect(found).to.deep.equal({ 204: uuids.length });
    expect(await placesTaken()).to.equal(0);
  });

  it('all create one while the store is full: each hears that it is', async () => {
    const productUuids = Array.from({ length: 4_995 }, () => api.app.newId());
    await api.app.executor.execute(
      productQuotaAggregate,
      shop.store,
      { type: 'TakePlaces', storeUuid: shop.store, productUuids },
      market.context({ app: api.app, company: shop.company }),
    );
    const codes = await Promise.all(
      Array.from({ length: 25 }, async (_, n) => {
        const answer = await create(n);
        return answer.status === 201 ? 'created' : answer.body.error!.code;
      }),
    );
    expect(codes.filter((code) => code === 'created')).to.have.length(5);
    expect(codes.filter((code) => code === 'product_limit_reached')).to.have.length(20);
  });

  it('all change one product, while others buy it: nobody is refused, and the stock is exact', async () => {
    const stall = await market.openShop(api.app);
    const uuid = await market.addProduct(stall, { stock: 100 });
    const change = (n: number) =>
      ask(api, 'PATCH', `/store/products/${uuid}`, { key: stall.key, json: { description: `texto ${n}` } });
    const buy = () =>
      placeOrder(api.app, stall.store, market.orderOf(api.app, [uuid]), market.context(stall));
    const [changes] = await Promise.all([statuses(20, change), ...Array.from({ length: 60 }, buy)]);
    expect(changes).to.deep.equal({ 200: 20 });
    expect((await market.product(stall, uuid)).stock).to.equal(40);
  });
});
