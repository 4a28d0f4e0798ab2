import { expect } from 'chai';
import { finishErasure } from '../../../application/erasure/carry-out.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { admin } from '../../application/provisioning/workspace.js';
import { openAdmin, type AdminServer } from './server.js';

describe('admin: erasures', () => {
  let server: AdminServer;
  before(async () => {
    server = await openAdmin();
  });
  after(() => server.close());

  it('are listed newest first, open or ended, and shown one by one', async () => {
    const { app } = server;
    const company = (await registerCompany(app, { name: 'Loja' }, admin)).companyUuid;
    const asked: string[] = [];
    for (const phoneKey of ['551187654321', '551187654322']) {
      const id = app.newId();
      const context = { company, actor: 'test', commandId: id, correlationId: id, causationId: id };
      const who = { phone: `+${phoneKey}`, phoneKey, waUserId: null, name: 'Ana' };
      const { uuid } = await resolveContact(app, company, who, 'inbound', { ...context, subject: null });
      const { status, data } = await server.call('POST', `/contacts/${uuid}/erase`);
      expect([status, data['contact_uuid']]).to.deep.equal([200, uuid]);
      asked.push(String(data['erasure_uuid']));
    }
    expect(await finishErasure(app, asked[0]!, admin)).to.equal(true);
    const listed = async (query: string) =>
      (await server.call('GET', `/erasures${query}`)).list.map(({ uuid }) => uuid);
    expect(await listed('')).to.have.members(asked);
    expect(await listed('?open=true')).to.deep.equal([asked[1]]);
    expect(await listed('?open=false')).to.deep.equal([asked[0]]);
    const { data } = await server.call('GET', `/erasures/${asked[0]}`);
    expect(data).to.deep.include({
      status: 'done',
      company_uuid: company,
      keys_destroyed: 1,
      waiting_for: [],
    });
    const unknown = await server.call('GET', `/erasures/${company}`);
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'not_found']);
  });
});
