/** Orders by operators: the admin API and the commands that call it. */
import { expect } from 'chai';
import { directCommand } from '../../application/app.js';
import { storeOf } from '../../application/store/gate.js';
import { storeAggregate } from '../../domain/store/decide.js';
import { addProduct, product } from '../application/store/orders/support.js';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

describe('cli: store orders', function () {
  this.timeout(180_000);
  let mug: string;
  let shop: Parameters<typeof addProduct>[0];

  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env, 'store orders');
  before(async () => {
    const { server, company } = office;
    const made = await server.call('POST', `/companies/${company}/store`, {
      name: 'Loja',
      slug: 'loja-de-teste',
      status: 'active',
      whatsapp_phone: '+5511987650000',
      pickup: { location: 'Rua Augusta, 100' },
    });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { app } = server;
    const store = await storeOf(app, company);
    shop = { app, company, store, integration: '', key: '', keyId: '', channel: '' };
    mug = await addProduct(shop, { stock: 5 });
  });

  it('are placed, shown, listed, moved and cancelled', async () => {
    const uuid = shop.app.newId();
    const place = `place --item ${mug}:2 --phone +5511987654321 --name Maria`;
    const made = await done(`${place} --uuid ${uuid} --payment cash --json`);
    expect(made.json()).to.deep.include({ uuid, code: '#1001', source: 'dashboard', total: '99.80' });
    expect((await recado(`${place} --uuid ${uuid} --json`)).json()).to.deep.include({ code: '#1001' });
    const three = place.replace(`${mug}:2`, `${mug}:3`);
    await ends(`${three} --uuid ${uuid}`, 3, 'exists and differs in: items');
    expect((await product(shop, mug)).stock).to.equal(3);

    expect((await recado('list --status novo')).stdout).to.match(/#1001 .*novo +99\.80 +Maria +dashboard/);
    const moved = await recado(`move ${uuid} confirmado --json`);
    expect(moved.json()['status_history'])
      .to.have.length(2)
      .and.to.have.nested.property('[1].by.type', 'agent');
    expect((await recado(`move ${uuid} entregue`)).code, 'not on the table').to.equal(3);
    await done(`move ${uuid} cancelado --reason "Sem estoque"`);
    const shown = (await recado(`get ${uuid} --json`)).json();
    expect(shown).to.deep.include({ status: 'cancelado', cancel_reason: 'Sem estoque' });
    expect((await product(shop, mug)).stock).to.equal(5);
  });

  it('say what is wrong, to the operator and to the caller of the API', async () => {
    const { server, company } = office;
    const orders = `/companies/${company}/store/orders`;
    const body = (more: object) => ({
      items: [{ product_uuid: mug, quantity: 1 }],
      customer: { phone: '+5511987654321' },
      fulfillment: { type: 'pickup' },
      ...more,
    });
    for (const [more, code] of [
      [{ items: [{ product_uuid: mug, quantity: 6 }] }, 'insufficient_stock'],
      [{ items: [{ product_uuid: company, quantity: 1 }] }, 'product_unavailable'],
      [{ customer: { phone: '123' } }, 'validation_failed'],
      [{ items: [] }, 'validation_failed'],
    ] as const) {
      expect((await server.call('POST', orders, body(more))).code, JSON.stringify(more)).to.equal(code);
    }
    expect((await server.call('GET', `${orders}/${mug}`)).status).to.equal(404);
    await ends(`get ${mug}`, 3);
    const phone = '--phone +5511987654321';
    await ends(`place --item ${mug}:6 ${phone}`, 3, `${mug}: 6 ordered, 5 in stock.`);
    await ends(
      `place --item ${mug}/${company} ${phone}`,
      3,
      `${mug}/${company}: the product has no such variant.`,
    );
    await ends(`place --item ${company} ${phone}`, 3, `${company}: the store has no such product.`);
    await ends('place --item a:b:c --phone +5511987654321', 2);
    await server.app.executor.execute(
      storeAggregate,
      shop.store.uuid,
      { type: 'ChangeStorePlan', allowed: false },
      directCommand(server.app, { company, actor: 'test' }),
    );
    const off = await server.call('POST', orders, body({}));
    expect(off.status).to.equal(403);
    expect(off.code).to.equal('storefront_not_allowed');
    expect((await server.call('GET', orders)).list, 'nothing is lost').to.have.length(1);
  });
});
