/** The operators' list of conversations with filters, and what was sent with its time line. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { conversationAggregate, type ConversationCommand } from '../../../domain/conversation/decide.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { newChannel, newCompany, openAdmin } from './server.js';

describe('admin: inbox', () => {
  const server = opened(openAdmin);
  let company: string;
  let place: { readonly company: string; readonly channel: string };
  let agent: string;
  /** Conversations: of nobody and unread; of the agent and read; of the agent, unread and pending. */
  const made: { conversation: string; contact: string }[] = [];

  before(async () => {
    company = await newCompany(server);
    place = { company, channel: await newChannel(server, company) };
    agent = (await server.call('POST', `/companies/${company}/team`, { kind: 'agent', name: 'Rui' })).data[
      'uuid'
    ] as string;
    for (let n = 0; n < 3; n += 1) {
      const customer = await addCustomer(server.app, place, { phone: `+551198765430${n}` });
      await addInboundMessage(server.app, place, customer, `Oi ${n}`);
      made.push(customer);
    }
    for (const { conversation } of made.slice(1))
      await server.call('PUT', `/conversations/${conversation}/assignment`, { agent_uuid: agent });
    await server.call('POST', `/conversations/${made[1]!.conversation}/read`);
    await server.call('POST', `/conversations/${made[2]!.conversation}/pending`);
  });

  const listed = async (query: string) => {
    const answer = await server.call('GET', `/companies/${company}/conversations?${query}`);
    expect(answer.status, query).to.equal(200);
    return answer.list.map(({ uuid }) => made.findIndex(({ conversation }) => conversation === uuid));
  };

  it('lists by each filter and by several at once', async () => {
    for (const [query, expected] of [
      ['', [2, 1, 0]],
      ['agent=none', [0]],
      [`agent=${agent.toUpperCase()}`, [2, 1]],
      [`agent=${agent}&status=open`, [1]],
      [`agent=${agent}&unread=true`, [2]],
      ['unread=true', [2, 0]],
      ['unread=false', [2, 1, 0]],
      ['unread=true&status=open', [0]],
      [`channel=${place.channel}`, [2, 1, 0]],
      [`channel=${randomUUID()}`, []],
      [`channel=${place.channel}&status=pending`, [2]],
      [`agent=${randomUUID()}`, []],
    ] as const)
      expect(await listed(query), query).to.deep.equal(expected);
    expect(await listed(`contact=${made[1]!.contact}`)).to.deep.equal([1]);
    const wrong = await server.call('GET', `/companies/${company}/conversations?agent=somebody`);
    expect(wrong.status).to.equal(422);
  });

  it('tells those that a flow is in charge of from those that wait for the customer', async () => {
    const { app } = server;
    const customer = await addCustomer(app, place, { phone: '+5511987654309' });
    const change = (command: ConversationCommand) =>
      app.executor.execute(
        conversationAggregate,
        customer.conversation,
        command,
        directCommand(app, { company, actor: 'worker:flows' }, customer.subject),
      );
    const execution = app.newId();
    await change({ type: 'TakeByFlow', executionUuid: execution, ifRunning: 'replace' });
    made.push(customer);
    const flow = made.length - 1;
    expect(await listed('with_flow=true')).to.deep.equal([flow]);
    expect(await listed('with_flow=false')).to.deep.equal([2, 1, 0]);
    expect(await listed('status=pending&with_flow=false')).to.deep.equal([2]);
    expect(await listed('status=pending')).to.deep.equal([flow, 2]);
    expect(await listed('with_flow=true&agent=none')).to.deep.equal([flow]);
    expect(await listed(`with_flow=true&agent=${agent}`)).to.deep.equal([]);
    const path = `/conversations/${customer.conversation}`;
    expect((await server.call('GET', path)).data).to.include({ status: 'pending', with_flow: true });
    await change({ type: 'LeaveByFlow', executionUuid: execution });
    expect((await server.call('GET', path)).data).to.include({ status: 'pending', with_flow: false });
    expect(await listed('with_flow=true')).to.deep.equal([]);
    await server.call('POST', `${path}/resolve`);
  });

  it('pages through a list of two filters without a gap', async () => {
    const pages = await server.pages(
      `/companies/${company}/conversations?channel=${place.channel}&status=open&limit=1`,
    );
    const rows = pages.flat().map(({ uuid }) => made.findIndex(({ conversation }) => conversation === uuid));
    expect(rows).to.deep.equal([1, 0]);
  });

  it('shows the last message, the agent, and when the customer last wrote', async () => {
    const { list } = await server.call('GET', `/companies/${company}/conversations?agent=${agent}&limit=1`);
    const [row] = list;
    expect(row).to.deep.include({ assigned_agent: { uuid: agent, name: 'Rui' } });
    expect(row!['last_message']).to.deep.include({ direction: 'inbound', content: { text: 'Oi 2' } });
    expect(row!['last_inbound_at']).to.be.a('string');
  });

  it('reopening a conversation by a message makes it unread again', async () => {
    await server.call('POST', `/conversations/${made[0]!.conversation}/read`);
    expect(await listed('unread=true')).to.deep.equal([2]);
    const customer = await addCustomer(server.app, place, { phone: '+5511987654300' });
    await addInboundMessage(server.app, place, customer, 'De novo');
    expect(await listed('unread=true')).to.include(0);
  });

  it('lists what was sent, and tells what happened to one; nothing to another company', async () => {
    const path = `/conversations/${made[0]!.conversation}/messages`;
    const sent = await server.call('POST', path, { type: 'text', content: { text: 'Olá' } }, undefined, {
      'idempotency-key': 'one',
    });
    const { list } = await server.call(
      'GET',
      `/companies/${company}/messages?contact_uuid=${made[0]!.contact}`,
    );
    expect(list.map(({ operation_uuid }) => operation_uuid)).to.deep.equal([sent.data['uuid']]);
    const { uuid } = list[0]!['message'] as { readonly uuid: string };
    const story = await server.call('GET', `/companies/${company}/messages/${uuid}`);
    const timeline = story.data['timeline'] as readonly { readonly kind: string }[];
    expect(timeline.map(({ kind }) => kind)).to.include('accepted');
    const rival = await newCompany(server, 'Rival');
    expect((await server.call('GET', `/companies/${rival}/messages/${uuid}`)).status).to.equal(404);
    expect((await server.call('GET', `/companies/${rival}/messages`)).list).to.deep.equal([]);
    const both = await server.call('GET', `/companies/${company}/messages?template=a&error_code=b`);
    expect(both.status).to.equal(422);
    const integration = await server.call('POST', `/companies/${company}/integrations`, { name: 'ERP' });
    const mine = `integration=${String(integration.data['uuid'])}`;
    expect((await server.call('GET', `/companies/${company}/messages/refusals?${mine}`)).list).to.deep.equal(
      [],
    );
    expect((await server.call('GET', `/companies/${rival}/messages/refusals?${mine}`)).status).to.equal(404);
  });

  it('lists those of a person who was two contacts under each of their uuids, page by page', async () => {
    const customers = ['71', '72'].map((end) =>
      addCustomer(server.app, place, { phone: `+55119876544${end}` }),
    );
    const twice = await Promise.all(customers);
    const [older, newer] = twice;
    const merged = await server.call('POST', `/contacts/${older!.contact}/merge`, {
      contact_uuid: newer!.contact,
    });
    expect(merged.status).to.equal(200);
    const all = twice.map(({ conversation }) => conversation).sort();
    for (const { contact } of twice) {
      const path = `/companies/${company}/conversations?contact=${contact}`;
      const { list, body } = await server.call('GET', path);
      expect(list.map(({ uuid }) => uuid)).to.have.members(all);
      expect((body as { readonly meta: unknown }).meta).to.deep.include({ total: 2, next_cursor: null });
      const pages = await server.pages(`${path}&limit=1`);
      expect(pages.flat().map(({ uuid }) => uuid)).to.deep.equal(list.map(({ uuid }) => uuid));
    }
  });
});
