/** What a person chose about marketing, with its evidence: for everybody of the company. */
import { expect } from 'chai';
import { optOut } from '../../../application/contacts/marketing.js';
import { directCommand } from '../../../application/app.js';
import { addChannel, addCustomer, addInboundMessage } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { browser, signedIn } from './people.js';
import { newCompany, openAdmin } from './server.js';

describe('admin: what contacts chose about marketing', function () {
  this.timeout(60_000);
  const server = opened(openAdmin);
  let company: string;
  let maria: { readonly contact: string; readonly conversation: string };
  let message: string;

  before(async () => {
    const { app } = server;
    company = await newCompany(server);
    const place = {
      company,
      channel: await addChannel(app, company, '102290129340398', { phoneNumberId: '106540352240001' }),
    };
    maria = await addCustomer(app, place, { phone: '+5511987654321', name: 'Maria' });
    message = String(await addInboundMessage(app, place, maria, 'PARAR'));
    const about = { companyUuid: company, uuid: maria.contact };
    const context = directCommand(app, { company, actor: 'worker:inbound' });
    await optOut(
      app,
      about,
      { source: 'keyword', at: '2026-11-20T14:02:11.482Z', messageUuid: message },
      context,
    );
  });

  const path = (): string => `/contacts/${maria.contact}/marketing-choices`;

  it('are read newest first, with the message, by agents and viewers, who change none of them', async () => {
    const ana = await signedIn(server, company, 'agent');
    const viewer = await signedIn(server, company, 'viewer');
    await browser(server, 'POST', `/contacts/${maria.contact}/opt-in`, ana.page);
    for (const page of [ana.page, viewer.page]) {
      const { list } = await browser(server, 'GET', path(), page);
      expect(list.map(({ choice, source, message_uuid }) => [choice, source, message_uuid])).to.deep.equal([
        ['in', 'manual', null],
        ['out', 'keyword', message],
      ]);
      expect(list[0]!['actor']).to.include({ kind: 'user', id: ana.member }).and.to.have.property('name');
      expect(list[1]!['actor']).to.deep.equal({ kind: 'worker', id: 'inbound', name: null });
    }
    const first = await server.call('GET', `${path()}?limit=1`);
    const next = await server.call('GET', `${path()}?limit=1&after=${encodeURIComponent(first.next ?? '')}`);
    expect(next.list.map(({ choice }) => choice)).to.deep.equal(['out']);
    expect(next.next).to.equal(null);
    const wrong = await server.call('GET', `${path()}?after=nonsense`);
    expect(wrong.code).to.equal('invalid_cursor');
  });

  it('of a contact that was merged into another are evidence of the one that remains', async () => {
    const rows = [{ line: 1, phone: '+5511987654322', name: 'Maria S.' }];
    await server.call('POST', `/companies/${company}/contacts/import`, { rows });
    const found = await server.call('GET', `/companies/${company}/contacts?query=5511987654322`);
    const other = String(found.list[0]!['uuid']);
    await server.call('POST', `/contacts/${other}/opt-out`);
    await server.call('POST', `/contacts/${maria.contact}/merge`, { contact_uuid: other });
    for (const one of [maria.contact, other]) {
      const { list } = await server.call('GET', `/contacts/${one}/marketing-choices`);
      expect(list.map(({ choice }) => choice)).to.deep.equal(['out', 'in', 'out']);
      expect(new Set(list.map(({ contact_uuid: whose }) => whose))).to.deep.equal(
        new Set([maria.contact, other]),
      );
    }
  });

  it('of nobody, or of another company, are not found', async () => {
    const foreign = await signedIn(server, await newCompany(server, 'Outra'), 'owner');
    expect((await browser(server, 'GET', path(), foreign.page)).status).to.equal(404);
    const nobody = await server.call(
      'GET',
      '/contacts/00000000-0000-4000-8000-000000000000/marketing-choices',
    );
    expect(nobody.status).to.equal(404);
  });
});
