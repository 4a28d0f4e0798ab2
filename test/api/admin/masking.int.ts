/** What viewers do not see. Every reading operation is called, so that a new one that tells of people is found. */
import { expect } from 'chai';
import { accessOf } from '../../../api/admin/access.js';
import { loadContract, operationsOf } from '../../../api/contract.js';
import { executionAggregate, type ExecutionCommand } from '../../../domain/execution/decide.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { addChannel, addCustomer, addInboundMessage } from '../../support/api/world.js';
import { directCommand } from '../../../application/app.js';
import { opened } from '../../support/opened.js';
import { acceptText } from '../../support/sends/attempt.js';
import { browser, signedIn, type Person } from './people.js';
import { newCompany, openAdmin } from './server.js';

const { document } = loadContract('admin');
const ACCESS = accessOf(document);
const READS = operationsOf(document).filter(
  ({ operationId, method }) => method === 'GET' && ACCESS.get(operationId)!.role === 'viewer',
);
/** Streams do not end, and the own account is one's own. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'streamChanges',
  'getOwnAccount',
  'getSession',
  'listOwnSessions',
]);

const QUERIES: Readonly<Record<string, (things: Readonly<Record<string, string>>) => string>> = {
  findAnything: () => `?query=${encodeURIComponent(PHONE)}`,
  listCompanyRefusals: ({ integration_uuid: integration = '' }) => `?integration=${integration}`,
};

const PHONE = '+5511987654321';
const EMAIL = 'maria@cliente.example';
const TEXTS = [
  'Quero a camiseta azul',
  'Temos em estoque',
  'Rua das Acácias',
  'Deixar na portaria',
  'cpf-1234',
  'Responde na loja',
  'Veio do cartaz',
];
const HIDDEN = [PHONE, PHONE.slice(1), '987654321', EMAIL, ...TEXTS];

describe('admin: what viewers do not see', function () {
  this.timeout(120_000);
  const server = opened(openAdmin);
  let things: Readonly<Record<string, string>>;
  let viewer: Person;
  let agent: Person;

  before(async () => {
    const { app } = server;
    const company = await newCompany(server);
    const place = {
      company,
      channel: await addChannel(app, company, '102290129340398', { phoneNumberId: '106540352240001' }),
    };
    const maria = await addCustomer(app, place, { phone: PHONE, name: 'Maria Souza' });
    const message = await addInboundMessage(app, place, maria, TEXTS[0]!);
    const at = `/companies/${company}`;
    const made = async (path: string, body: unknown): Promise<string> => {
      const key = { 'idempotency-key': `POST ${path}` };
      const answer = await server.call('POST', path, body, undefined, key);
      expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(300);
      return String(answer.data['uuid']);
    };
    const integration = await made(`${at}/integrations`, { name: 'ERP' });
    const operation = await acceptText(
      app,
      { ...place, integration },
      { subject: maria.subject, phone: PHONE },
      TEXTS[1]!,
    );
    const changed = await server.call('PATCH', `/contacts/${maria.contact}`, {
      email: EMAIL,
      custom_fields: { documento: 'cpf-1234' },
    });
    expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
    await made(`${at}/store`, { name: 'Loja', status: 'active', pickup: { location: 'Balcão' } });
    const product = await made(`${at}/store/products`, { name: 'Camiseta', price: '49.90', stock: 9 });
    const order = await made(`${at}/store/orders`, {
      items: [{ product_uuid: product, quantity: 1 }],
      customer: { name: 'Maria Souza', phone: PHONE, email: EMAIL },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
      note: 'Deixar na portaria',
    });
    things = {
      company_uuid: company,
      integration_uuid: integration,
      channel_uuid: place.channel,
      contact_uuid: maria.contact,
      conversation_uuid: maria.conversation,
      message_uuid: String(message),
      operation_uuid: operation,
      product_uuid: product,
      order_uuid: order,
    };
    things = {
      ...things,
      ...(await delivery(company, integration)),
      ...(await execution(company, maria, await made(`${at}/flows`, { name: 'Boas-vindas' }))),
    };
    viewer = await signedIn(server, company, 'viewer');
    agent = await signedIn(server, company, 'agent');
  });

  async function delivery(company: string, integration: string) {
    const { app } = server;
    const endpoint = await server.call('POST', `/integrations/${integration}/webhooks`, {
      url: 'https://erp.example/recado',
    });
    const facts = {
      integrationUuid: integration,
      companyUuid: company,
      endpointUuid: String(endpoint.data['uuid']),
      eventId: app.newId(),
      deliveryId: app.newId(),
      eventType: 'message.received',
      body: JSON.stringify({ phone: PHONE, content: { text: TEXTS[0] } }),
    };
    await enqueueDeliveries(app, [facts]);
    return { delivery_id: facts.deliveryId, endpoint_uuid: facts.endpointUuid };
  }

  /** One that asked the customer, and began with what came along. */
  async function execution(
    company: string,
    {
      contact,
      conversation,
      subject,
    }: { readonly contact: string; readonly conversation: string; readonly subject: string },
    flow: string,
  ) {
    const { app } = server;
    const uuid = app.newId();
    const commands: readonly ExecutionCommand[] = [
      {
        type: 'CreateExecution',
        data: {
          company_uuid: company,
          flow_uuid: flow,
          flow_version: 1,
          if_running: 'replace',
          start: 'question',
          channel_uuid: app.newId(),
          contact_uuid: contact,
          subject,
          trigger: 'keyword',
          integration_uuid: null,
          operation_uuid: null,
          message_uuid: app.newId(),
          parent_uuid: null,
          depth: 0,
          depth_without_wait: 0,
          variables: { origem: 'Veio do cartaz' },
        },
      },
      { type: 'StartExecution', conversationUuid: conversation },
      {
        type: 'TakeStep',
        step: 1,
        taken: { block: 'question', way: 'next', to: null, answer: { wish: 'Responde na loja' } },
        messageUuid: null,
        continuedBy: null,
      },
    ];
    for (const command of commands)
      await app.executor.execute(
        executionAggregate,
        uuid,
        command,
        directCommand(app, { company, actor: 'test' }, subject),
      );
    return { execution_uuid: uuid, flow_uuid: flow };
  }

  /** Undefined for what the company does not have. */
  const pathOf = (path: string): string | undefined => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (all, name: string) => things[name] ?? all);
    return filled.includes('{') ? undefined : filled;
  };

  it('phones, e-mails and texts of customers, in any answer; an agent sees them', async () => {
    const seenByAgents = new Set<string>();
    let walked = 0;
    for (const { operationId, path } of READS) {
      const filled = pathOf(path);
      if (filled === undefined || LEFT_OUT.has(operationId)) continue;
      const asked = filled + (QUERIES[operationId]?.(things) ?? '');
      const shown = await browser(server, 'GET', asked, viewer.page);
      expect(shown.status, `${operationId} ${String(shown.code)}`).to.be.oneOf([200, 404]);
      walked += 1;
      for (const hidden of HIDDEN)
        expect(JSON.stringify(shown.data ?? null), operationId).not.to.include(hidden);
      const open = JSON.stringify((await browser(server, 'GET', asked, agent.page)).data ?? null);
      for (const hidden of HIDDEN) if (open.includes(hidden)) seenByAgents.add(hidden);
    }
    expect(walked).to.be.greaterThan(25);
    expect([...seenByAgents]).to.include.members([PHONE, EMAIL, TEXTS[0]!, 'Deixar na portaria', 'cpf-1234']);
  });

  it('viewers still see the name, and the end of the phone', async () => {
    const { data } = await browser(server, 'GET', `/contacts/${things['contact_uuid']!}`, viewer.page);
    expect(data).to.include({ name: 'Maria Souza', phone: '+•••••••••••21', email: '•••' });
    const messages = await browser(
      server,
      'GET',
      `/conversations/${things['conversation_uuid']!}/messages`,
      viewer.page,
    );
    expect(messages.list.map(({ type }) => type)).to.include('text');
    for (const { content } of messages.list) expect(content).to.deep.equal({ text: '•••' });
  });
});
