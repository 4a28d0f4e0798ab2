import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { listConversations, listMessages } from '../../../application/queries/conversations.js';
import { openAdmin, newCompany, newChannel } from './server.js';
import { opened } from '../../support/opened.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('admin: conversations', () => {
  let company: string;
  let channel: string;

  const server = opened(openAdmin);
  before(async () => {
    company = await newCompany(server);
    channel = await newChannel(server, company);
  });

  const phone = (n: number): string => `55119876543${String(n).padStart(2, '0')}`;
  const member = async (kind: string, name: string, of = company): Promise<string> =>
    (await server.call('POST', `/companies/${of}/team`, { kind, name })).data['uuid'] as string;

  /** Stores a message from a customer; returns the conversation. */
  async function writes(digits: string): Promise<string> {
    const customer = await addCustomer(server.app, { company, channel }, { phone: `+${digits}` });
    await addInboundMessage(server.app, { company, channel }, customer, 'Oi');
    return customer.conversation;
  }

  it('moves between open, pending and resolved; a message of the customer opens it again', async () => {
    const uuid = await writes(phone(1));
    for (const [verb, status] of [
      ['pending', 'pending'],
      ['pending', 'pending'],
      ['reopen', 'open'],
      ['pending', 'pending'],
      ['resolve', 'resolved'],
    ] as const) {
      const answer = await server.call('POST', `/conversations/${uuid}/${verb}`);
      expect([answer.status, answer.data['status']], verb).to.deep.equal([200, status]);
    }
    await server.call('POST', `/conversations/${uuid}/pending`);
    expect(await writes(phone(1))).to.equal(uuid);
    const shown = await server.call('GET', `/conversations/${uuid}`);
    expect(shown.data).to.include({ status: 'open', unread_count: 2 });
    expect((await server.call('POST', `/conversations/${uuid}/read`)).data['unread_count']).to.equal(0);
    expect((await server.call('POST', `/conversations/${NOBODY}/pending`)).status).to.equal(404);
    expect((await server.call('GET', `/conversations/${NOBODY}`)).status).to.equal(404);
  });

  it('is assigned to agents and groups of its company, and shows their present names', async () => {
    const uuid = await writes(phone(2));
    const ana = await member('agent', 'Ana');
    const sales = await member('group', 'Vendas');
    const assign = (body: object) => server.call('PUT', `/conversations/${uuid}/assignment`, body);
    const mark = await server.mark();
    expect((await assign({ agent_uuid: ana, group_uuid: sales })).data).to.deep.include({
      assigned_agent: { uuid: ana, name: 'Ana' },
      assigned_group: { uuid: sales, name: 'Vendas' },
    });
    await assign({ agent_uuid: ana });
    expect((await server.eventsSince(mark)).map(({ type }) => type)).to.deep.equal(['ConversationAssigned']);
    await server.call('PATCH', `/companies/${company}/team/${ana}`, { name: 'Ana Lima' });
    expect((await assign({ group_uuid: null })).data).to.deep.include({
      assigned_agent: { uuid: ana, name: 'Ana Lima' },
      assigned_group: null,
    });

    const rival = await newCompany(server, 'Rival');
    const stranger = await member('agent', 'Rui', rival);
    for (const wrong of [{ agent_uuid: stranger }, { agent_uuid: sales }, { group_uuid: ana }]) {
      const refused = await assign(wrong);
      expect([refused.status, refused.code], JSON.stringify(wrong)).to.deep.equal([404, 'not_found']);
    }
    expect((await assign({})).status).to.equal(422);

    expect((await server.call('DELETE', `/companies/${company}/team/${ana}`)).status).to.equal(204);
    expect((await server.call('DELETE', `/companies/${company}/team/${ana}`)).status).to.equal(404);
    expect((await assign({ agent_uuid: ana, group_uuid: sales })).status, 'removed').to.equal(404);
    const team = await server.call('GET', `/companies/${company}/team`);
    expect(team.list.map(({ name }) => name)).to.deep.equal(['Vendas']);
    const shown = await server.call('GET', `/conversations/${uuid}`);
    expect(shown.data['assigned_agent']).to.deep.equal({ uuid: ana, name: 'Ana Lima' });
  });

  it('keeps notes among its messages, counted apart, sealed, and unseen by the customer', async () => {
    const uuid = await writes(phone(3));
    const ana = await member('agent', 'Ana');
    const before = (await server.call('GET', `/conversations/${uuid}`)).data;
    const mark = await server.mark();
    const note = await server.call('POST', `/conversations/${uuid}/notes`, {
      text: 'Cliente antiga: desconto de 10%',
      agent_uuid: ana,
    });
    expect([note.status, note.data['type']]).to.deep.equal([201, 'note']);
    const after = (await server.call('GET', `/conversations/${uuid}`)).data;
    expect(after).to.deep.include({
      counters: { messages: 2, inbound: 1, outbound: 0, notes: 1 },
      unread_count: before['unread_count'],
      last_message_at: before['last_message_at'],
    });
    const queries = { readModels: server.app.readModels, cursorSecret: randomBytes(32) };
    const { documents } = await listMessages(queries, company, uuid, { limit: 10 });
    expect(documents.map(({ type, status }) => [type, status])).to.have.deep.members([
      ['note', 'note'],
      ['text', 'received'],
    ]);
    const [record] = await server.recordsSince(mark);
    // Readable in the decoded event, but not in the stored record.
    expect(JSON.stringify(await server.eventsSince(mark))).to.include('Cliente antiga');
    expect(JSON.stringify(record!.data)).to.include(uuid).and.to.not.include('Cliente');
    expect(server.sandbox.calls).to.deep.equal([]);
    const empty = await server.call('POST', `/conversations/${uuid}/notes`, { text: '' });
    expect(empty.status).to.equal(422);
    const lost = await server.call('POST', `/conversations/${NOBODY}/notes`, { text: 'x' });
    expect(lost.status).to.equal(404);
  });

  it('pages most recently active first; what moves meanwhile is shown at most once and hides no other', async () => {
    const all: string[] = [];
    for (let n = 10; n < 20; n += 1) all.push(await writes(phone(n)));
    const queries = { readModels: server.app.readModels, cursorSecret: randomBytes(32) };
    const page = (after?: string) => listConversations(queries, company, 'open', { after, limit: 3 });
    const seen: string[] = [];
    // During paging, three conversations become active: one already listed, one not yet listed, and a new one.
    const moving = [9, 0, 30].map((index) => (index < 10 ? phone(10 + index) : phone(index)));
    let after: string | undefined;
    for (let pages = 0; pages < 20; pages += 1) {
      const { documents, nextCursor } = await page(after);
      seen.push(...documents.map(({ conversation }) => conversation.uuid));
      const next = moving.shift();
      if (next !== undefined) await writes(next);
      if (nextCursor === null) break;
      after = nextCursor;
    }
    expect(new Set(seen).size, 'shown once').to.equal(seen.length);
    const [unseenMover] = all;
    expect(all.filter((uuid) => !seen.includes(uuid))).to.deep.equal([unseenMover]);
    expect(seen.slice(0, 3)).to.deep.equal(all.slice(-3).reverse());
    const again = (await page()).documents.map(({ conversation }) => conversation.uuid);
    expect(again).to.include(unseenMover);
  });
});
