/** The demo store that a first start creates. */
import { expect } from 'chai';
import { makeDemoStore } from '../../../runtime/demo/store.js';
import { connectChannel } from '../../../application/provisioning/channels.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { listProducts } from '../../../application/queries/products.js';
import { storeOf } from '../../../application/store/gate.js';
import { readCategories, readStore } from '../../../application/store/summary.js';
import { admin, openWorkspace, SANDBOX_NUMBER } from '../../application/provisioning/workspace.js';
import { opened } from '../../support/opened.js';

describe('the demo store', () => {
  const space = opened(openWorkspace);

  it('sells eight products in three categories, with variants, a promotion, stock of every kind, Pix, delivery and pickup', async () => {
    const { app } = space;
    const { companyUuid } = await registerCompany(app, { name: 'Loja Demo' }, admin);
    const { channelUuid } = await connectChannel(app, { companyUuid, ...SANDBOX_NUMBER }, admin);
    await makeDemoStore(app, { companyUuid, channelUuid, phone: '+551140028922' }, admin);

    const { uuid, state } = await storeOf(app, companyUuid);
    expect(state).to.include({ status: 'active', slug: 'loja-demo', channelUuid });
    expect([state.pix?.keyType, state.delivery?.feeCents, state.pickup !== null]).to.deep.equal([
      'random',
      1290,
      true,
    ]);
    expect(await readStore(app, uuid)).to.deep.include({ product_count: 8, active_product_count: 8 });
    const categories = await readCategories(app, uuid);
    expect(categories.map(({ slug, product_count: count }) => [slug, count])).to.deep.equal([
      ['roupas', 3],
      ['canecas', 3],
      ['presentes', 2],
    ]);
    const queries = { readModels: app.readModels, cursorSecret: Buffer.alloc(32) };
    const { documents } = await listProducts(queries, { uuid, companyUuid }, {}, { limit: 50 });
    expect(documents.some(({ variants }) => variants.length === 4)).to.equal(true);
    expect(documents.filter(({ promo_price_cents: promo }) => promo !== null)).to.have.length(2);
    const plain = documents.filter(({ variants }) => variants.length === 0).map(({ stock }) => stock);
    expect(plain).to.include.members([null, 0, 3]);
  });
});
