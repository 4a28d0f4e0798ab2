/** Executions from an operator's view: lists, history, cancelling, resuming. The customer's words are masked. */
import { expect } from 'chai';
import { createFlow } from '../../../application/flows/manage.js';
import { executionAggregate, type ExecutionCommand } from '../../../domain/execution/decide.js';
import { run } from '../../cli/run.js';
import { admin } from '../../application/provisioning/workspace.js';
import { ADMIN_TOKEN, openAdmin, newChannel, newCompany } from './server.js';
import { addCustomer } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { directCommand } from '../../../application/app.js';

describe('admin: executions', function () {
  this.timeout(240_000);
  let company: string;
  let flow: string;

  const server = opened(openAdmin);
  before(async () => {
    company = await newCompany(server);
    flow = (await createFlow(server.app, { companyUuid: company, name: 'Boas-vindas' }, admin)).flowUuid;
  });

  const taken = (step: number, to: string | null) =>
    ({
      type: 'TakeStep',
      step,
      taken: { block: 'question', way: 'next', to, answer: { email: 'rosa@flores.example' } },
      messageUuid: null,
      continuedBy: null,
    }) satisfies ExecutionCommand;
  const start = (): ExecutionCommand => ({
    type: 'StartExecution',
    conversationUuid: server.app.newId(),
  });

  async function execution(
    commands: readonly ExecutionCommand[],
    about: { readonly flow?: string; readonly company?: string; readonly contact?: string } = {},
  ): Promise<string> {
    const { app } = server;
    const uuid = app.newId();
    const subject = app.newId();
    const owner = about.company ?? company;
    const created: ExecutionCommand = {
      type: 'CreateExecution',
      data: {
        company_uuid: owner,
        flow_uuid: about.flow ?? flow,
        flow_version: 1,
        if_running: 'replace',
        start: 'question',
        channel_uuid: app.newId(),
        contact_uuid: about.contact ?? app.newId(),
        subject,
        trigger: 'keyword',
        integration_uuid: null,
        operation_uuid: null,
        message_uuid: app.newId(),
        parent_uuid: null,
        depth: 0,
        depth_without_wait: 0,
        variables: { cpf: '111.444.777-35' },
      },
    };
    for (const command of [created, ...commands]) {
      const context = directCommand(app, { company: owner, actor: 'test' }, subject);
      await app.executor.execute(executionAggregate, uuid, command, context);
    }
    return uuid;
  }
  const listed = async (query: string): Promise<readonly unknown[]> => {
    const answer = await server.call('GET', `/executions?${query}`);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.list.map(({ uuid }) => uuid);
  };

  it('lists them newest first, by company, flow, person and status, and all of them', async () => {
    const other = await newCompany(server, 'Outra');
    const made = await createFlow(server.app, { companyUuid: other, name: 'Outro' }, admin);
    const contact = server.app.newId();
    const first = await execution([start()]);
    const second = await execution([start(), taken(0, null)], { contact });
    const third = await execution([], { flow: made.flowUuid, company: other, contact });
    expect(await listed('')).to.deep.equal([third, second, first]);
    expect(await listed(`company=${company}`)).to.deep.equal([second, first]);
    expect(await listed(`company=${company}&status=completed`)).to.deep.equal([second]);
    expect(await listed(`flow=${flow}`)).to.deep.equal([second, first]);
    expect(await listed(`flow=${flow.toUpperCase()}&status=processing`)).to.deep.equal([first]);
    expect(await listed(`flow=${flow}&company=${other}`)).to.deep.equal([]);
    expect(await listed(`contact=${contact}`)).to.deep.equal([third, second]);
    expect(await listed(`contact=${contact}&company=${other}`)).to.deep.equal([third]);
    expect(await listed(`contact=${contact}&status=completed`)).to.deep.equal([second]);
    expect(await listed('status=queued')).to.deep.equal([third]);
    // Of a person who was two contacts, by each uuid.
    const place = { company: other, channel: await newChannel(server, other) };
    const customers = await Promise.all(
      ['61', '62'].map((end) => addCustomer(server.app, place, { phone: `+55119876544${end}` })),
    );
    const runs: string[] = [];
    for (const customer of customers)
      runs.unshift(await execution([], { flow: made.flowUuid, company: other, contact: customer.contact }));
    await server.call('POST', `/contacts/${customers[0]!.contact}/merge`, {
      contact_uuid: customers[1]!.contact,
    });
    for (const { contact: uuid } of customers) {
      expect(await listed(`contact=${uuid}`)).to.deep.equal(runs);
      const { next, list } = await server.call('GET', `/executions?contact=${uuid}&limit=1`);
      expect(list.map(({ uuid: first }) => first)).to.deep.equal([runs[0]]);
      expect(await listed(`contact=${uuid}&limit=1&after=${next}`)).to.deep.equal([runs[1]]);
    }
    const page = await server.call('GET', `/executions?company=${company}&limit=1`);
    const { next } = page;
    expect(await listed(`company=${company}&limit=1&after=${next}`)).to.deep.equal([first]);
    expect((await server.call('GET', `/executions?flow=${flow}&after=${next}`)).code).to.equal(
      'invalid_cursor',
    );
  });

  it('shows one with the name of its flow and its steps, what it knows masked unless asked for', async () => {
    const uuid = await execution([start(), taken(0, 'thanks')]);
    const { data } = await server.call('GET', `/executions/${uuid}`);
    expect(data).to.deep.include({
      uuid,
      flow_name: 'Boas-vindas',
      status: 'processing',
      block: 'thanks',
      trigger: 'keyword',
      variables: { cpf: '***' },
      answers: { email: '***' },
    });
    expect((data['steps'] as object[]).length).to.equal(1);
    const open = (await server.call('GET', `/executions/${uuid}?include_personal=true`)).data;
    expect([open['variables'], open['answers']]).to.deep.equal([
      { cpf: '111.444.777-35' },
      { email: 'rosa@flores.example' },
    ]);
    const unknown = await server.call('GET', `/executions/${server.app.newId()}`);
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'not_found']);
  });

  it('tells the whole story page by page, what it knows masked unless asked for', async () => {
    const uuid = await execution([
      start(),
      { type: 'BeginRequest', step: 0, method: 'POST', host: 'erp.example' },
      taken(0, 'question'),
      taken(1, null),
    ]);
    const steps = async (query: string) => server.call('GET', `/executions/${uuid}/steps?${query}`);
    const whole = await steps('');
    expect(JSON.stringify(whole.body)).to.not.match(/rosa|111\.444/);
    expect(whole.list.map(({ what }) => what)).to.deep.equal([
      'created',
      'started',
      'request_began',
      'step_taken',
      'step_taken',
      'ended',
    ]);
    expect(whole.list[0]).to.deep.include({ variables: { cpf: '***' }, answers: null, block: null });
    expect(whole.list[2]).to.deep.include({
      block: 'question',
      details: { method: 'POST', host: 'erp.example' },
    });
    expect(whole.list[4]).to.deep.include({ way: 'next', to: null, answers: { email: '***' }, step: 1 });
    const first = await steps('limit=4&include_personal=true');
    expect(first.list[3]!['answers']).to.deep.equal({ email: 'rosa@flores.example' });
    const rest = await steps(`limit=4&after=${first.next}`);
    expect(rest.list).to.deep.equal(whole.list.slice(4));
    expect(rest.body['meta']).to.deep.equal({ next_cursor: null });
  });

  it('cancels one where it is, once; one that is over stays as it ended', async () => {
    const uuid = await execution([start()]);
    const cancelled = await server.call('POST', `/executions/${uuid}/cancel`);
    expect(cancelled.data).to.deep.include({ status: 'cancelled', reason: 'operator', block: 'question' });
    const mark = await server.mark();
    expect((await server.call('POST', `/executions/${uuid}/cancel`)).data['status']).to.equal('cancelled');
    expect(await server.eventsSince(mark)).to.deep.equal([]);
    const over = await execution([start(), taken(0, null)]);
    expect((await server.call('POST', `/executions/${over}/cancel`)).data['status']).to.equal('completed');
    expect((await server.call('POST', `/executions/${server.app.newId()}/cancel`)).status).to.equal(404);
  });

  it('resumes one that is parked, refuses one that is over, and leaves others alone', async () => {
    const parked = await execution([start(), { type: 'ParkExecution', reason: 'gave up' }]);
    expect(await listed('status=parked')).to.deep.equal([parked]);
    const resumed = await server.call('POST', `/executions/${parked}/resume`);
    expect(resumed.data).to.deep.include({ status: 'processing', reason: null });
    const mark = await server.mark();
    expect((await server.call('POST', `/executions/${parked}/resume`)).status).to.equal(200);
    expect(await server.eventsSince(mark)).to.deep.equal([]);
    const over = await execution([start(), taken(0, null)]);
    const refused = await server.call('POST', `/executions/${over}/resume`);
    expect([refused.status, refused.code]).to.deep.equal([422, 'execution_ended']);
  });

  describe('on the command line', () => {
    const recado = (...args: readonly string[]) =>
      run(['flows', 'executions', ...args], {
        env: { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_COMPANY: company },
      });

    it('are listed, shown, told, cancelled and resumed', async () => {
      const uuid = await execution([
        start(),
        taken(0, 'thanks'),
        { type: 'ParkExecution', reason: 'gave up after 8 tries' },
      ]);
      const list = await recado('list', '--status', 'parked', '--flow', flow);
      expect(list.code, list.stderr).to.equal(0);
      expect(list.stdout).to.match(
        new RegExp(`${uuid} +Boas-vindas +keyword +parked +thanks +.*gave up after 8 tries`),
      );
      const shown = await recado('show', uuid);
      expect(shown.stdout)
        .to.match(/question +next +thanks/)
        .and.not.include('rosa@flores.example');
      expect((await recado('show', uuid, '--personal')).stdout).to.include('rosa@flores.example');
      const told = await recado('steps', uuid);
      expect(told.stdout).to.match(/step_taken +question +next +answer\.email=\*\*\*/);
      expect((await recado('steps', uuid, '--personal')).stdout).to.include(
        'answer.email=rosa@flores.example',
      );
      expect((await recado('resume', uuid, '--json')).json()['status']).to.equal('processing');
      expect((await recado('cancel', uuid)).stdout).to.match(/cancelled/);
      const over = await recado('resume', uuid);
      expect(over.code).to.equal(3);
      expect(over.stderr).to.include('This execution is over.');
      expect((await recado('show', server.app.newId())).code).to.equal(3);
      expect((await recado('list', '--status', 'sleeping')).code).to.equal(2);
    });
  });
});
