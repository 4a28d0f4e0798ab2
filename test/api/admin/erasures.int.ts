import { expect } from 'chai';
import { finishErasure } from '../../../application/erasure/carry-out.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { admin } from '../../application/provisioning/workspace.js';
import { directCommand } from '../../../application/app.js';
import { opened } from '../../support/opened.js';
import { openAdmin } from './server.js';

describe('admin: erasures', () => {
  const server = opened(openAdmin);

  it('are listed newest first, open or ended, and shown one by one', async () => {
    const { app } = server;
    const company = (await registerCompany(app, { name: 'Loja' }, admin)).companyUuid;
    const asked: string[] = [];
    for (const phoneKey of ['551187654321', '551187654322']) {
      const who = { phone: `+${phoneKey}`, phoneKey, waUserId: null, name: 'Ana' };
      const command = directCommand(app, { company, actor: 'test' });
      const { uuid } = await resolveContact(app, company, who, 'inbound', command);
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
