/** Search: everything that a text can name in a company, and nothing of another one. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { newChannel, newCompany, openAdmin } from './server.js';

describe('admin: search', () => {
  const server = opened(openAdmin);
  let company: string;
  let rival: string;
  let channel: string;

  before(async () => {
    company = await newCompany(server);
    rival = await newCompany(server, 'Rival');
    channel = await newChannel(server, company);
  });

  const find = async (query: string, of = company) => {
    const answer = await server.call('GET', `/companies/${of}/search?query=${encodeURIComponent(query)}`);
    expect(answer.status, query).to.equal(200);
    return answer.list;
  };

  it('finds a person by phone, name and uuid', async () => {
    const { contact, conversation } = await addCustomer(
      server.app,
      { company, channel },
      { phone: '+5511987654301' },
    );
    await server.call('PATCH', `/contacts/${contact}`, { name: 'Zélia <b>Prado</b>' });
    const person = { kind: 'contact', uuid: contact };
    for (const text of ['+55 11 98765-4301', '987654301', 'zelia', 'PRADO zé']) {
      expect(await find(text), text).to.deep.equal([
        { ...person, matched_by: 'words', title: 'Zélia <b>Prado</b> +5511987654301' },
      ]);
    }
    expect(await find(contact.toUpperCase())).to.deep.equal([
      { ...person, matched_by: 'uuid', title: 'Zélia <b>Prado</b>' },
    ]);
    expect(await find(conversation)).to.deep.equal([
      { kind: 'conversation', uuid: conversation, matched_by: 'uuid', title: null },
    ]);
    expect(await find(channel)).to.have.lengthOf(1);
  });

  it('finds a sent message by its operation, its own uuid and the key of the call', async () => {
    const { conversation } = await addCustomer(server.app, { company, channel }, { phone: '+5511987654302' });
    const sent = await server.call(
      'POST',
      `/conversations/${conversation}/messages`,
      { type: 'text', content: { text: 'Oi' } },
      undefined,
      { 'idempotency-key': 'pedido 77/a' },
    );
    const [byOperation] = await find(sent.data['uuid'] as string);
    expect(byOperation).to.include({ kind: 'message', matched_by: 'uuid' });
    const { uuid } = byOperation as { readonly uuid: string };
    expect(await find(uuid)).to.deep.equal([{ kind: 'message', uuid, matched_by: 'uuid', title: null }]);
    expect(await find('pedido 77/a')).to.deep.equal([
      { kind: 'message', uuid, matched_by: 'idempotency_key', title: null },
    ]);
  });

  it("finds a message by WhatsApp's id", async () => {
    const customer = await addCustomer(server.app, { company, channel }, { phone: '+5511987654303' });
    await addInboundMessage(server.app, { company, channel }, customer, 'Oi');
    const { list } = await server.call('GET', `/conversations/${customer.conversation}/messages?limit=1`);
    const { uuid, provider_message_id: id } = list[0] as Readonly<Record<string, string>>;
    expect(await find(id!)).to.deep.equal([
      { kind: 'message', uuid, matched_by: 'provider_message_id', title: null },
    ]);
  });

  it('shows nothing of another company, nothing for nonsense, and refuses an empty text', async () => {
    const { contact, conversation } = await addCustomer(
      server.app,
      { company, channel },
      { phone: '+5511987654304' },
    );
    for (const text of [contact, conversation, channel, '987654304', 'pedido 77/a', randomUUID(), '#1', '!'])
      expect(await find(text, rival), text).to.deep.equal([]);
    expect((await server.call('GET', `/companies/${company}/search?query=`)).status).to.equal(422);
    expect((await server.call('GET', `/companies/${randomUUID()}/search?query=x`)).status).to.equal(404);
  });
});
