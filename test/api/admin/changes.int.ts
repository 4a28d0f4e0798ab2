/** Contacts and products that operators change, as integrations change them through the public API. */
import { expect } from 'chai';
import { addCustomer } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { newChannel, newCompany, openAdmin } from './server.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('admin: changes of contacts and products', () => {
  const server = opened(openAdmin);
  let company: string;
  let store: string;

  before(async () => {
    company = await newCompany(server);
    store = `/companies/${company}/store`;
    await server.call('POST', store, { name: 'Loja', pickup: { location: 'Rua das Flores, 10' } });
  });

  const create = (body: unknown, headers = {}) =>
    server.call('POST', `${store}/products`, body, undefined, headers);
  const change = (uuid: unknown, body: unknown, headers = {}) =>
    server.call('PATCH', `${store}/products/${String(uuid)}`, body, undefined, headers);

  it('changes the fields of a contact that it names, merges custom fields, and says who did', async () => {
    const channel = await newChannel(server, company);
    const { contact } = await addCustomer(server.app, { company, channel }, { phone: '+5511987654321' });
    const patch = (body: unknown, uuid = contact) => server.call('PATCH', `/contacts/${uuid}`, body);
    await patch({ name: 'Maria', custom_fields: { city: 'Recife' } });
    const mark = await server.mark();
    const changed = await patch({
      email: 'maria@example.com',
      tags: ['vip'],
      custom_fields: { source: 'feira' },
    });
    expect(changed.status).to.equal(200);
    expect(changed.data).to.deep.include({
      name: 'Maria',
      email: 'maria@example.com',
      tags: ['vip'],
      custom_fields: { city: 'Recife', source: 'feira' },
    });
    const [event] = await server.recordsSince(mark);
    expect(event).to.include({ type: 'ContactChanged' });
    expect(event!.meta).to.include({ actor: 'admin' });
    expect(JSON.stringify(event!.data), 'sealed').not.to.include('maria@');
    expect((await patch({ name: 'Maria' }, NOBODY)).status).to.equal(404);
    expect((await patch({ phone: '+5511987654322' })).code).to.equal('validation_failed');
    expect((await patch({ email: 'maria' })).code).to.equal('validation_failed');
  });

  it('creates one product per key, also when the request is repeated', async () => {
    const body = { name: 'Camiseta', price: '49.90' };
    const made = await create(body, { 'idempotency-key': 'camiseta' });
    expect([made.status, made.data['name']]).to.deep.equal([201, 'Camiseta']);
    const uuid = made.data['uuid'] as string;
    expect(made.headers.get('location')).to.equal(`/admin/v1${store}/products/${uuid}`);
    const mark = await server.mark();
    const again = await create(body, { 'idempotency-key': 'camiseta' });
    expect([again.data['uuid'], again.headers.get('idempotent-replayed')]).to.deep.equal([uuid, 'true']);
    const other = await create({ ...body, price: '59.90' }, { 'idempotency-key': 'camiseta' });
    expect([other.status, other.code]).to.deep.equal([409, 'idempotency_key_reused']);
    expect(await server.eventsSince(mark)).to.deep.equal([]);
    expect((await create(body)).data['uuid'], 'without a key').not.to.equal(uuid);
  });

  it('changes a product at the version that the caller saw', async () => {
    const { data } = await create({ name: 'Boné', price: '30.00' });
    const mark = await server.mark();
    const changed = await change(
      data['uuid'],
      { price: '35.00' },
      { 'if-match': `"${String(data['version'])}"` },
    );
    expect([changed.status, changed.data['price']]).to.deep.equal([200, '35.00']);
    const [event] = await server.recordsSince(mark);
    expect(event!.meta).to.include({ actor: 'admin', company });
    const stale = await change(
      data['uuid'],
      { price: '40.00' },
      { 'if-match': `"${String(data['version'])}"` },
    );
    expect([stale.status, stale.code]).to.deep.equal([412, 'precondition_failed']);
    const wrong = await change(data['uuid'], { price: 'muito' });
    expect([wrong.status, wrong.code]).to.deep.equal([422, 'price_invalid']);
    expect((await change(NOBODY, { price: '1.00' })).status).to.equal(404);
    expect((await create([{ name: 'x' }])).status).to.equal(422);
  });
});
