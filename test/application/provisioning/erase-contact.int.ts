import { expect } from 'chai';
import { listContacts } from '../../../application/contacts/read.js';
import { linkExternalId } from '../../../application/people/resolve-contact.js';
import { externalIdentity } from '../../../application/people/subject.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { registerIntegration } from '../../../application/provisioning/integrations.js';
import { webhookEventId } from '../../../application/provisioning/webhooks.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { START } from '../../../ports/event-store.js';
import type { Document } from '../../../ports/read-models.js';
import type { WebhookRequest, DeliveryDoc } from '../../../read-models/deliveries.js';
import { messages } from '../../../read-models/messages.js';
import { projections } from '../../../projections/catalog.js';
import { foldBatch } from '../../../projections/fold.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { admin, openWorkspace, refusalOf } from './workspace.js';
import { openedForEach } from '../../support/opened.js';
import { directCommand } from '../../../application/app.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';
import { acceptText } from '../../support/sends/attempt.js';

const SECRETS = [
  'Maria Silva',
  '+5511987654321',
  '5511987654321',
  'client-77',
  'minha senha é 123',
  'rosa@flores.example',
];

describe('erasing a contact', () => {
  let company: string;
  let integration: string;
  let channel: string;

  const space = openedForEach(openWorkspace);
  beforeEach(async () => {
    company = (await registerCompany(space.app, { name: 'Loja' }, admin)).companyUuid;
    const input = { companyUuid: company, name: 'ERP' };
    integration = (await registerIntegration(space.app, input, admin)).integrationUuid;
    channel = space.app.newId();
  });

  const context = (subject: string | null) => directCommand(space.app, { company, actor: 'test' }, subject);

  async function makePerson(phone: string, name: string, externalId: string) {
    const { app } = space;
    const customer = await addCustomer(app, { company, channel }, { phone, name });
    await linkExternalId(app, integration, externalId, customer.resolved, context(null));
    return { ...customer, phone };
  }
  type Made = Awaited<ReturnType<typeof makePerson>>;

  const receive = (person: Made, text: string) =>
    addInboundMessage(space.app, { company, channel }, person, {
      content: { text },
      sent_at: '2026-01-02T03:04:05.000Z',
    });

  const accept = (person: Made, text: string) =>
    acceptText(space.app, { company, channel, integration }, person, text);

  /** An execution whose variables and answers contain personal data. */
  const MARIA = { name: 'Maria Silva', external_id: 'client-77', email: 'rosa@flores.example' };
  async function execute(person: Made, { name, external_id, email } = MARIA): Promise<string> {
    const uuid = space.app.newId();
    const flow = {
      company_uuid: company,
      integration_uuid: integration,
      flow_uuid: space.app.newId(),
      flow_version: 1,
      channel_uuid: channel,
      contact_uuid: person.contact,
      subject: person.subject,
      variables: { name },
    };
    await space.app.executor.execute(
      operationAggregate,
      uuid,
      { type: 'AcceptFlow', data: { ...flow, fingerprint: 'f', external_id } },
      context(person.subject),
    );
    const about = {
      if_running: 'replace',
      start: 'question',
      trigger: 'api',
      operation_uuid: uuid,
      message_uuid: null,
      parent_uuid: null,
      depth: 0,
      depth_without_wait: 0,
    } as const;
    const answer = { messageUuid: null, failure: null, continuedBy: null };
    const taken = { block: 'question', way: 'next', to: 'thanks', answer: { email } };
    for (const command of [
      { type: 'CreateExecution', data: { ...flow, ...about } },
      { type: 'StartExecution', conversationUuid: person.conversation },
      { type: 'TakeStep', step: 0, taken, ...answer },
    ] as const) {
      await space.app.executor.execute(executionAggregate, uuid, command, context(person.subject));
    }
    return uuid;
  }

  async function deliver(stream: string, body: string): Promise<string> {
    const [record] = await space.app.store.read(stream);
    const deliveryId = space.app.newId();
    await enqueueDeliveries(space.app, [
      {
        deliveryId,
        companyUuid: company,
        integrationUuid: integration,
        endpointUuid: space.app.newId(),
        eventId: webhookEventId(record!.eventId),
        eventType: 'message.received',
        body,
      },
    ]);
    return deliveryId;
  }

  /** It was delivered, and the receiver answered with what it got. */
  async function recordEcho(deliveryId: string, text: string): Promise<void> {
    const delivered_by: WebhookRequest = {
      at: new Date().toISOString(),
      url: 'https://erp.example/hook',
      address: null,
      status: 200,
      duration_ms: 5,
      response_headers: { 'x-echo': text },
      response_body: text,
      key_fingerprint: 'fingerprint',
    };
    const pending = await doc('deliveries', deliveryId);
    await space.app.readModels.write('deliveries', [
      {
        id: deliveryId,
        doc: { ...pending, status: 'delivered', attempts: 1, delivered_by },
        version: '0000000002',
      },
    ]);
  }

  const doc = async (collection: string, id: string): Promise<Document> =>
    (await space.app.readModels.get<Document>(collection, id))!.doc;

  /** Every document of a projection, folded from the whole history without the read models. */
  async function rebuilt(name: string): Promise<ReadonlyMap<string, Document | null>> {
    const projection = projections.find((each) => each.name === name)!;
    const { records } = await space.app.store.readAll({ after: START, limit: 1000 });
    const events = await space.app.codec.decodeAll(
      records.filter(({ type }) => projection.handles.includes(type)),
    );
    return new Map(foldBatch(projection, events, () => undefined).map((write) => [write.id, write.doc]));
  }

  async function expectEqualToRebuild(): Promise<void> {
    for (const name of ['contacts', 'messages', 'operations', 'conversations']) {
      for (const [id, expected] of await rebuilt(name)) {
        expect(await doc(name, id), `${name} ${id}`).to.deep.equal(expected);
      }
    }
  }

  async function everythingReadable(): Promise<string> {
    const events = await space.eventsSince(START);
    const documents: unknown[] = [];
    for (const name of ['contacts', 'messages', 'operations', 'conversations']) {
      for (const id of (await rebuilt(name)).keys()) documents.push(await doc(name, id));
    }
    return JSON.stringify([events, documents]);
  }

  it('leaves nobody to be found by a word they ever had', async () => {
    const { app } = space;
    const person = await makePerson('+5511987654321', 'Zuleica Prado', 'client-77');
    const other = await makePerson('+5511976543210', 'Outra Pessoa', 'client-78');
    const change = (of: Made, details: { name?: string; email?: string; tags: readonly string[] }) =>
      app.executor.execute(
        contactAggregate,
        of.contact,
        { type: 'ChangeContact', source: 'api', details },
        context(of.subject),
      );
    await change(person, { email: 'zu@rosal.example', tags: ['ouro'] });
    await change(person, { name: 'Zuleide Prado', email: 'zuleide@casa.example', tags: ['prata'] });
    await change(other, { tags: ['prata'] });
    const found = async (query: string): Promise<readonly string[]> => {
      const deps = { readModels: app.readModels, cursorSecret: Buffer.alloc(32) };
      const { documents } = await listContacts(
        deps,
        company,
        { query, integrationUuid: null },
        { limit: 10 },
      );
      return documents.map(({ uuid }) => uuid);
    };
    expect(await found('prata')).to.have.members([person.contact, other.contact]);
    expect(await found('zuleide 77')).to.deep.equal([person.contact]);
    await eraseContact(app, { contactUuid: person.contact }, admin);
    const had = ['zuleica', 'zuleide', 'prado', 'zu@rosal.example', 'casa', 'ouro', 'client-77', '77'];
    for (const query of [...had, person.phone, '11 98765-4321', '8765-4321', '4321']) {
      expect(await found(query), query).to.deep.equal([]);
    }
    expect(await found('prata')).to.deep.equal([other.contact]);
  });

  it('leaves nothing of the person in events, documents and deliveries, and everything of others', async () => {
    const maria = await makePerson('+5511987654321', 'Maria Silva', 'client-77');
    const joao = await makePerson('+5511912345678', 'João Souza', 'client-88');
    const message = await receive(maria, 'minha senha é 123');
    const operation = await accept(maria, 'Oi Maria Silva');
    const others = await receive(joao, 'olá do João');
    const execution = await execute(maria);
    const executionOfJoao = await execute(joao, {
      name: 'João Souza',
      external_id: 'client-88',
      email: 'joao@flores.example',
    });
    const delivery = await deliver(`message-${message}`, '{"text":"minha senha é 123"}');
    const told = await deliver(`execution-${execution}`, '{"answers":{"email":"rosa@flores.example"}}');
    await recordEcho(told, 'rosa@flores.example');
    const kept = await deliver(`message-${others}`, '{"text":"olá do João"}');
    const before = await everythingReadable();
    for (const secret of SECRETS) expect(before, 'not in the history before').to.include(secret);
    const joaoBefore = [await doc('contacts', joao.contact), await doc('messages', others)];
    const conversations = await doc('conversations', maria.conversation);

    const erased = await eraseContact(space.app, { contactUuid: maria.contact }, admin);

    expect(erased.rewritten).to.deep.include({ contacts: 1, messages: 1, operations: 1, executions: 1 });
    expect(erased.deliveries).to.equal(2);
    const after = await everythingReadable();
    for (const secret of SECRETS) expect(after).to.not.include(secret);
    expect(after).to.include('olá do João');
    expect([await doc('contacts', joao.contact), await doc('messages', others)]).to.deep.equal(joaoBefore);
    expect(await doc('conversations', maria.conversation)).to.deep.equal(conversations);
    expect(await doc('contacts', maria.contact)).to.deep.include({
      phone: null,
      name: null,
      external_ids: {},
      last_interaction_at: '2026-01-02T03:04:05.000Z',
    });
    expect(await doc('messages', message)).to.deep.include({ content: {}, status: 'received' });
    expect(await doc('operations', operation)).to.deep.include({ text: null, status: 'queued' });
    // Cancelled, since it might wait for an answer forever.
    expect(await doc('executions', execution)).to.deep.include({
      status: 'cancelled',
      reason: 'contact_erased',
      block: 'thanks',
      variables: {},
      answers: {},
    });
    expect(await doc('operations', execution)).to.deep.include({
      type: 'flow.execute',
      status: 'succeeded',
    });
    expect((await doc('operations', execution))['result']).to.include({ status: 'cancelled' });
    expect(await doc('executions', executionOfJoao)).to.deep.include({
      status: 'processing',
      ended_at: null,
    });
    const answered = (await doc('deliveries', told)) as DeliveryDoc;
    expect([answered.body, answered.status]).to.deep.equal(['', 'delivered']);
    expect(answered.delivered_by, 'what the receiver echoed').to.deep.include({
      status: 200,
      response_headers: {},
      response_body: '',
    });
    await expectEqualToRebuild();

    const emptied = (await doc('deliveries', delivery)) as DeliveryDoc;
    expect([emptied.body, emptied.status, emptied.next_attempt_at]).to.deep.equal(['', 'failed', null]);
    expect(await space.app.dueTimes.count('webhook')).to.equal(1);
    expect(((await doc('deliveries', kept)) as DeliveryDoc).body).to.equal('{"text":"olá do João"}');
  });

  it('lets the external id go, so that another contact may have it', async () => {
    const maria = await makePerson('+5511987654321', 'Maria Silva', 'client-77');
    await eraseContact(space.app, { contactUuid: maria.contact }, admin);
    const identity = externalIdentity(space.app.indexSecret, integration, 'client-77');
    const { state } = await space.app.executor.load(identityAggregate, identity);
    expect(state.owner).to.equal(null);
    const joao = await makePerson('+5511912345678', 'João Souza', 'client-77');
    expect(joao.contact).to.not.equal(maria.contact);
  });

  it('changes nothing the second time, and forgets what came in between', async () => {
    const maria = await makePerson('+5511987654321', 'Maria Silva', 'client-77');
    await receive(maria, 'antes');
    const erase = () => eraseContact(space.app, { contactUuid: maria.contact }, admin);
    await erase();
    const mark = await space.mark();
    const again = await erase();
    expect(await space.eventsSince(mark)).to.deep.equal([]);
    expect(again).to.deep.include({
      rewritten: { contacts: 0, messages: 0, operations: 0, orders: 0, executions: 0 },
      deliveries: 0,
    });

    const later = await receive(maria, 'voltei, minha senha é 123');
    expect((await doc('messages', later))['content']).to.deep.equal({ text: 'voltei, minha senha é 123' });
    expect((await erase()).rewritten.messages).to.equal(1);
    expect(await everythingReadable()).to.not.include('minha senha');
    await expectEqualToRebuild();
  });

  it('goes on where a call was broken off after the key was destroyed', async () => {
    const maria = await makePerson('+5511987654321', 'Maria Silva', 'client-77');
    const message = await receive(maria, 'minha senha é 123');
    await space.app.keys.destroy(maria.subject);
    expect((await doc('messages', message))['content']).to.deep.equal({ text: 'minha senha é 123' });
    await eraseContact(space.app, { contactUuid: maria.contact }, admin);
    const after = await everythingReadable();
    for (const secret of SECRETS) expect(after).to.not.include(secret);
    await expectEqualToRebuild();
  });

  it('does not overwrite what a projection applied in the meantime', async () => {
    const maria = await makePerson('+5511987654321', 'Maria Silva', 'client-77');
    const message = await receive(maria, 'minha senha é 123');
    const { readModels } = space.app;
    let raced = false;
    const write: typeof readModels.write = async (collection, writes) => {
      if (collection === 'messages' && !raced) {
        raced = true;
        const stored = (await readModels.get(messages.name, message))!;
        const doc = { ...stored.doc, status: 'read' as const };
        await readModels.write(messages.name, [{ id: message, doc, version: `${stored.version}~~~` }]);
      }
      return readModels.write(collection, writes);
    };
    const app = { ...space.app, readModels: { ...readModels, write } };
    await eraseContact(app, { contactUuid: maria.contact }, admin);
    expect(raced).to.equal(true);
    expect((await doc('messages', message))['content']).to.deep.equal({});
  });

  it('refuses a contact that does not exist', async () => {
    const refusal = await refusalOf(eraseContact(space.app, { contactUuid: company }, admin));
    expect([refusal.code, refusal.details['resource']]).to.deep.equal(['not_found', 'contact']);
  });
});
