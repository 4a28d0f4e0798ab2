/** What happened in a conversation, and taking it over from a flow. */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { createFlow } from '../../../application/flows/manage.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { executionAggregate, type ExecutionCommand } from '../../../domain/execution/decide.js';
import { admin } from '../../application/provisioning/workspace.js';
import { executionCommandExamples } from '../../support/examples/execution.js';
import { addChannel, addCustomer } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { browser, signedIn } from './people.js';
import { newCompany, openAdmin } from './server.js';

describe('admin: steps of a conversation', function () {
  this.timeout(60_000);
  const server = opened(() => openAdmin());

  /** A conversation in which a flow waits for a time. */
  async function withFlow() {
    const { app } = server;
    const company = await newCompany(server);
    const channel = await addChannel(app, company, String(Date.now()));
    const customer = await addCustomer(app, { company, channel }, { phone: '+5511987654321', name: 'Ana' });
    const { conversation, contact, subject } = customer;
    const { flowUuid } = await createFlow(app, { companyUuid: company, name: 'Boas-vindas' }, admin);
    const execution = app.newId();
    const context = () => directCommand(app, { company, actor: 'worker:flows' }, subject);
    const run = (command: ExecutionCommand) =>
      app.executor.execute(executionAggregate, execution, command, context());
    const { command } = executionCommandExamples.create;
    await run({
      ...command,
      data: { ...command.data, company_uuid: company, contact_uuid: contact, flow_uuid: flowUuid },
    });
    await app.executor.execute(
      conversationAggregate,
      conversation,
      { type: 'TakeByFlow', executionUuid: execution, ifRunning: 'replace' },
      context(),
    );
    await run({ type: 'StartExecution', conversationUuid: conversation });
    await run({
      type: 'BeginWait',
      step: 0,
      waitsFor: 'time',
      until: '2026-12-01T12:00:00.000Z',
      conversationUuid: conversation,
    });
    return { company, execution, flowUuid, at: `/conversations/${conversation}` };
  }

  it('are what flows and people did, newest first and page by page', async () => {
    const { company, execution, flowUuid, at } = await withFlow();
    const { page, member } = await signedIn(server, company, 'agent');
    await browser(server, 'PUT', `${at}/assignment`, page, { agent_uuid: member });
    const taken = await browser(server, 'POST', `${at}/take-over`, page);
    expect(taken.data).to.include({ status: 'open' });
    await browser(server, 'POST', `${at}/resolve`, page);
    const { list } = await server.call('GET', `${at}/steps`);
    expect(list.map(({ what, actor, reason }) => [what, actor, reason])).to.deep.equal([
      ['resolved', `user:${member}`, null],
      ['handed_off', `user:${member}`, 'person'],
      ['assigned', `user:${member}`, null],
      ['flow_waits', 'worker:flows', 'time'],
      ['flow_started', 'worker:flows', null],
    ]);
    expect(list[3]).to.include({
      execution_uuid: execution,
      flow_uuid: flowUuid,
      flow_name: 'Boas-vindas',
      until: '2026-12-01T12:00:00.000Z',
    });
    const pages = await server.pages(`${at}/steps?limit=2`);
    expect(pages.map((one) => one.map(({ what }) => what))).to.deep.equal([
      ['resolved', 'handed_off'],
      ['assigned', 'flow_waits', 'flow_started'],
    ]);
  });

  it('have the orders that a person placed after their two contacts were merged', async () => {
    const { app } = server;
    const company = await newCompany(server);
    const channel = await addChannel(app, company, String(Date.now()));
    await server.call('POST', `/companies/${company}/store`, {
      name: 'Loja',
      slug: 'loja-da-fusao',
      status: 'active',
      whatsapp_phone: '+5511987650000',
      pickup: { location: 'Rua Augusta, 100' },
    });
    const phone = '+5511987654331';
    const person = { phone, phoneKey: phoneKey(phone), waUserId: null, name: null };
    const context = directCommand(app, { company, actor: 'test' });
    const remaining = await resolveContact(app, company, person, 'inbound', context);
    const other = await addCustomer(app, { company, channel }, { phone: '+5511987654332' });
    const merged = await server.call('POST', `/contacts/${remaining.uuid}/merge`, {
      contact_uuid: other.contact,
    });
    expect(merged.data['uuid']).to.equal(remaining.uuid);
    const path = `/companies/${company}/store`;
    const mug = await server.call('POST', `${path}/products`, { name: 'Caneca', price: '10.00' });
    const order = await server.call('POST', `${path}/orders`, {
      items: [{ product_uuid: mug.data['uuid'], quantity: 1 }],
      customer: { phone },
      fulfillment: { type: 'pickup' },
    });
    expect(order.data).to.include({ contact_uuid: remaining.uuid, conversation_uuid: other.conversation });
    const { uuid } = order.data;
    await server.call('POST', `${path}/orders/${String(uuid)}/status`, { status: 'confirmado' });
    const { list } = await server.call('GET', `/conversations/${other.conversation}/steps`);
    expect(list.map(({ what, order_uuid, status }) => [what, order_uuid, status])).to.deep.equal([
      ['order_moved', uuid, 'confirmado'],
    ]);
  });

  it('taking over ends the flow, once, and viewers may not', async () => {
    const { company, execution, at } = await withFlow();
    const { page: viewer } = await signedIn(server, company, 'viewer');
    expect((await browser(server, 'POST', `${at}/take-over`, viewer)).code).to.equal('insufficient_role');
    await server.call('POST', `${at}/take-over`);
    const mark = await server.mark();
    expect((await server.call('POST', `${at}/take-over`)).status).to.equal(200);
    expect(await server.recordsSince(mark)).to.deep.equal([]);
    const { data } = await server.call('GET', `/executions/${execution}`);
    expect(data).to.include({ status: 'handed_off', reason: 'taken_over' });
  });
});
