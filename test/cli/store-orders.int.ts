/** Orders by operators: the admin API and the commands that call it. */
import { expect } from 'chai';
import { directCommand } from '../../application/app.js';
import { storeOf } from '../../application/store/gate.js';
import { storeAggregate } from '../../domain/store/decide.js';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { addProduct, product } from '../application/store/orders/support.js';
import { run, type Ran } from './run.js';

describe('cli: store orders', function () {
  this.timeout(180_000);
  let server: AdminServer;
  let company: string;
  let mug: string;
  let shop: Parameters<typeof addProduct>[0];

  before(async () => {
    server = await openAdmin();
    company = (await server.call('POST', '/companies', { name: 'Loja' })).data['uuid'] as string;
    const opened = await server.call('POST', `/companies/${company}/store`, {
      name: 'Loja',
      slug: 'loja-de-teste',
      status: 'active',
      whatsapp_phone: '+5511987650000',
      pickup: { location: 'Rua Augusta, 100' },
    });
    expect(opened.status, JSON.stringify(opened.body)).to.equal(201);
    const { app } = server;
    const store = await storeOf(app, company);
    shop = { app, company, store, integration: '', key: '', keyId: '', channel: '' };
    mug = await addProduct(shop, { stock: 5 });
  });
  after(() => server.close());

  const recado = (...args: readonly string[]): Promise<Ran> =>
    run(['store', 'orders', ...args], {
      env: { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_COMPANY: company },
    });

  it('are placed, shown, listed, moved and cancelled', async () => {
    const uuid = server.app.newId();
    const place = ['place', '--item', `${mug}:2`, '--phone', '+5511987654321', '--name', 'Maria'];
    const made = await recado(...place, '--uuid', uuid, '--payment', 'cash', '--json');
    expect(made.code, made.stderr).to.equal(0);
    expect(made.json()).to.deep.include({ uuid, code: '#1001', source: 'dashboard', total: '99.80' });
    expect((await recado(...place, '--uuid', uuid, '--json')).json()).to.deep.include({ code: '#1001' });
    const other = await recado(...place.with(2, `${mug}:3`), '--uuid', uuid);
    expect(other.code, other.stdout).to.equal(3);
    expect(other.stderr).to.include('exists and differs in: items');
    expect((await product(shop, mug)).stock).to.equal(3);

    expect((await recado('list', '--status', 'novo')).stdout).to.match(
      /#1001 .*novo +99\.80 +Maria +dashboard/,
    );
    const moved = await recado('move', uuid, 'confirmado', '--json');
    expect(moved.json()['status_history'])
      .to.have.length(2)
      .and.to.have.nested.property('[1].by.type', 'agent');
    expect((await recado('move', uuid, 'entregue')).code, 'not on the table').to.equal(3);
    const cancelled = await recado('move', uuid, 'cancelado', '--reason', 'Sem estoque');
    expect(cancelled.code, cancelled.stderr).to.equal(0);
    const shown = (await recado('get', uuid, '--json')).json();
    expect(shown).to.deep.include({ status: 'cancelado', cancel_reason: 'Sem estoque' });
    expect((await product(shop, mug)).stock).to.equal(5);
  });

  it('say what is wrong, to the operator and to the caller of the API', async () => {
    const orders = `/companies/${company}/store/orders`;
    const body = (more: object) => ({
      items: [{ product_uuid: mug, quantity: 1 }],
      customer: { phone: '+5511987654321' },
      fulfillment: { type: 'pickup' },
      ...more,
    });
    expect(
      (await server.call('POST', orders, body({ items: [{ product_uuid: mug, quantity: 6 }] }))).code,
    ).to.equal('insufficient_stock');
    expect(
      (await server.call('POST', orders, body({ items: [{ product_uuid: company, quantity: 1 }] }))).code,
    ).to.equal('product_unavailable');
    expect((await server.call('POST', orders, body({ customer: { phone: '123' } }))).code).to.equal(
      'validation_failed',
    );
    expect((await server.call('POST', orders, body({ items: [] }))).code).to.equal('validation_failed');
    expect((await server.call('GET', `${orders}/${mug}`)).status).to.equal(404);
    expect((await recado('get', mug)).code).to.equal(3);
    expect((await recado('place', '--item', 'a:b:c', '--phone', '+5511987654321')).code).to.equal(2);
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
