/** Flows in the whole product: started through the API or by a customer, and executed against the sandbox. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { DEMO_WABA_ID } from '../../sandbox/seeds.js';
import { loadContract } from '../../api/contract.js';
import { changeFlow, createFlow } from '../../application/flows/manage.js';
import { publishFlow } from '../../application/flows/publish.js';
import { changeOptOutWords, changePersonWords } from '../../application/provisioning/companies.js';
import { connectChannel, disconnectChannel } from '../../application/provisioning/channels.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { outcomeOf } from '../support/api/client.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { DEMO_NUMBER, freshKey } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';
import { serveBodies } from '../support/servers.js';

type Blocks = Readonly<Record<string, object>>;
type Row = Readonly<Record<string, unknown>>;

const caller = { actor: 'test' };
const SECOND = '20002';
const executionIn = (data: object) => (data as { readonly execution: Row }).execution;
/** A flow that asks a question and continues with the answer. */
const QUESTION: Blocks = {
  question: { type: 'ask', text: 'Qual é o seu pedido?', save_as: 'order', next: 'thanks' },
  thanks: { type: 'send_text', text: 'Obrigado, pedido {{answer.order}}.', next: null },
};

describe('flows of the whole product', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const asked: { readonly url: string; readonly body: string }[] = [];
  let phones = 0;

  const product = openedWithReceiver(() => ({ driven: true }));
  const erp = opened(() =>
    serveBodies(({ url = '' }, response, raw) => {
      asked.push({ url, body: raw.toString('utf8') });
      if (url === '/hook/missing') return void response.writeHead(404).end('{}');
      response.writeHead(200).end(JSON.stringify({ order: { items: [{ sku: 'CAM-01' }] } }));
    }),
  );
  before(() => product.marketing({ enabled: true }));

  const freshPhone = (): string => `+55119730${String(10_000 + (phones += 1))}`;

  async function flow(blocks: Blocks, more: Row = {}): Promise<string> {
    const definition = { schema: 1, start: Object.keys(blocks)[0], blocks, ...more };
    const draft = { companyUuid: product.company, name: 'Fluxo', definition };
    const made = await createFlow(product.app, draft, caller);
    await publishFlow(product.app, made.flowUuid, caller);
    return made.flowUuid;
  }
  const execute = (flowUuid: string, phone: string, more: Row = {}, key = freshKey()) => {
    const { external_id, ...body } = more;
    return product.ask('POST', `/flows/${flowUuid}/executions`, {
      headers: { 'idempotency-key': key },
      json: { recipient: { phone, ...(external_id === undefined ? {} : { external_id }) }, ...body },
    });
  };
  async function begun(flowUuid: string, phone: string, more: Row = {}): Promise<string> {
    const answer = await execute(flowUuid, phone, more);
    expect(answer.status, answer.text).to.equal(202);
    const { uuid, type } = answer.body.data as { uuid: string; type: string };
    expect([answer.headers['location'], type]).to.deep.equal([`/api/v1/operations/${uuid}`, 'flow.execute']);
    return uuid;
  }
  /** Waits until the execution waits, for an answer or for anything else. */
  const waits = (uuid: string) => product.inStatus(uuid, 'waiting');
  const ending = async (uuid: string): Promise<string> => {
    const { result, error } = await product.settled(uuid);
    return result?.status ?? `failed: ${error!.code}`;
  };
  /** Texts that a person was sent, in order. */
  const told = (phone: string): readonly string[] =>
    product.sandbox.calls
      .filter(({ body }) => String(body['to']).replace(/^\+/, '') === phone.slice(1))
      .map(({ body }) => {
        const { text, interactive, template } = body as Record<
          string,
          { body?: { text?: string }; name?: string } & { body?: string }
        >;
        return String(text?.body ?? interactive?.body?.text ?? template?.name);
      });
  const hears = (phone: string, text: string) =>
    eventually(() => told(phone).includes(text), { what: `"${text}" to ${phone}` });
  interface Contact {
    readonly uuid: string;
    readonly external_id: string | null;
    readonly tags: readonly string[];
    readonly custom_fields: Row;
  }
  const contactOf = async (phone: string): Promise<Contact> => (await product.contact<Contact>(phone))!;
  const execution = (uuid: string) => product.admin('GET', `/executions/${uuid}`);
  const executionsOf = async (phone: string) =>
    product.admin<readonly Row[]>('GET', `/executions?contact=${(await contactOf(phone)).uuid}`);

  it('run to their end: variables and fields in texts and conditions, kept on the contact, told by webhook', async () => {
    const phone = freshPhone();
    const flowUuid = await flow({
      tag: { type: 'add_tag', tag: 'fluxo', next: 'keep' },
      keep: { type: 'set_field', field: 'utm_source', value: '{{vars.utm_source}}', next: 'which' },
      which: {
        type: 'condition',
        branches: [{ when: { value: '{{vars.utm_source}}', is: 'equal', to: 'Instagram' }, next: 'insta' }],
        otherwise: 'other',
      },
      insta: { type: 'send_text', text: 'Do {{contact.field.utm_source}}!', next: 'done' },
      other: { type: 'send_text', text: 'De outro lugar.', next: 'done' },
      done: { type: 'end', outcome: 'greeted' },
    });
    const uuid = await begun(flowUuid, phone, { variables: { utm_source: 'instagram' } });
    const { result, error } = await product.settled(uuid);
    expect(error).to.equal(null);
    const contact = await contactOf(phone);
    expect(result).to.deep.equal({
      execution_uuid: uuid,
      conversation_uuid: result!.conversation_uuid,
      contact_uuid: contact.uuid,
      status: 'completed',
    });
    expect(told(phone)).to.deep.equal(['Do instagram!']);
    expect([contact.tags, contact.custom_fields]).to.deep.equal([['fluxo'], { utm_source: 'instagram' }]);
    const news = await eventually(() => {
      const of = product.receiver
        .of('flow.execution.updated')
        .map(({ event }) => event.data as unknown as Record<string, Row>);
      const ours = of.filter(({ execution }) => execution!['uuid'] === uuid);
      return ours.some(({ execution }) => execution!['status'] === 'completed') && ours.length >= 3 && ours;
    });
    const statuses = news.map(({ execution }) => execution!['status']);
    expect(statuses).to.have.members(['queued', 'processing', 'completed']);
    const last = news.find(({ execution }) => execution!['status'] === 'completed')!;
    expect(last['execution']).to.deep.include({
      flow_uuid: flowUuid,
      flow_name: 'Fluxo',
      flow_version: 1,
      operation_uuid: uuid,
      trigger: 'api',
      variables: { utm_source: 'instagram' },
      outcome: 'greeted',
      block: 'done',
    });
    expect(last['contact']!['uuid']).to.equal(contact.uuid);
    expect(last['conversation']!['uuid']).to.equal(result!.conversation_uuid);
    expect(last['tracking']).to.deep.equal({ utm_source: 'instagram' });
  });

  it('are started once however often the same is asked for, and refuse what can not be run', async () => {
    const phone = freshPhone();
    const flowUuid = await flow({ hi: { type: 'send_text', text: 'Oi', next: null } });
    const key = freshKey();
    const answers = await Promise.all([1, 2, 3].map(() => execute(flowUuid, phone, {}, key)));
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 202, 202]);
    const uuids = new Set(answers.map(({ body }) => (body.data as { uuid: string }).uuid));
    expect(uuids.size).to.equal(1);
    expect(await ending([...uuids][0]!)).to.equal('completed');
    const again = await execute(flowUuid, phone, {}, key);
    expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([202, 'true']);
    expect(told(phone)).to.deep.equal(['Oi']);

    const refused = async (asking: ReturnType<typeof execute>) => outcomeOf(await asking);
    const other = execute(flowUuid, phone, { variables: { a: 1 } }, key);
    expect(await refused(other)).to.deep.equal([409, 'idempotency_key_reused']);
    const draft = await createFlow(product.app, { companyUuid: product.company, name: 'Rascunho' }, caller);
    expect(await refused(execute(draft.flowUuid, phone))).to.deep.equal([422, 'flow_not_active']);
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect(await refused(execute(nowhere, phone))).to.deep.equal([404, 'not_found']);
    expect(await refused(execute(flowUuid, phone, { channel_uuid: nowhere }))).to.deep.equal([
      404,
      'channel_not_found',
    ]);
    expect(await refused(execute(flowUuid, '119'))).to.deep.equal([422, 'validation_failed']);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`v${n}`, n]));
    expect(await refused(execute(flowUuid, phone, { variables: many }))).to.deep.equal([
      422,
      'validation_failed',
    ]);
    const huge = { variables: { long: 'x'.repeat(33_000) } };
    expect(await refused(execute(flowUuid, phone, huge))).to.deep.equal([422, 'validation_failed']);
    const keyless = product.ask('POST', `/flows/${flowUuid}/executions`, { json: { recipient: { phone } } });
    expect(await refused(keyless)).to.deep.equal([422, 'idempotency_key_required']);
  });

  it('wait for an answer, ask again what is none, and go on with it', async () => {
    const phone = freshPhone();
    const flowUuid = await flow({
      q: {
        type: 'ask',
        text: 'Quantos?',
        expect: 'number',
        save_as: 'count',
        retry_text: 'Só o número.',
        next: 'thanks',
      },
      thanks: { type: 'send_text', text: 'São {{answer.count}}.', next: null },
    });
    const uuid = await begun(flowUuid, phone);
    expect((await waits(uuid)).result).to.equal(null);
    product.reply(phone, 'muitos');
    await hears(phone, 'Só o número.');
    await waits(uuid);
    product.reply(phone, '12');
    expect(await ending(uuid)).to.equal('completed');
    expect(told(phone)).to.deep.equal(['Quantos?', 'Só o número.', 'São 12.']);
    const [execution] = await executionsOf(phone);
    expect(execution).to.deep.include({ status: 'completed', answers: { count: '***' } });
  });

  it('end as expired when nobody answers in time, or go the way that is for it', async () => {
    const [silent, late] = [freshPhone(), freshPhone()];
    const ask = { type: 'ask', text: 'Alô?', save_as: 'a', timeout: '1s', next: null };
    const expired = await begun(await flow({ q: ask }), silent);
    const onTimeout = { ...ask, on_timeout: 'bye' };
    const led = await begun(
      await flow({ q: onTimeout, bye: { type: 'send_text', text: 'Até!', next: null } }),
      late,
    );
    expect(await ending(expired)).to.equal('expired');
    expect(await ending(led)).to.equal('completed');
    expect(told(late)).to.deep.equal(['Alô?', 'Até!']);
  });

  it('are set off by a word of the customer, or by a first message', async () => {
    const phone = freshPhone();
    await flow(
      { hi: { type: 'send_text', text: 'Catálogo: …', next: null } },
      { triggers: [{ on: 'keyword', words: ['Catálogo'] }] },
    );
    product.reply(phone, 'catalogo!');
    await hears(phone, 'Catálogo: …');
    const first = await flow(
      { hi: { type: 'send_text', text: 'Bem-vindo!', next: null } },
      { triggers: [{ on: 'first_message' }] },
    );
    const newcomer = freshPhone();
    product.reply(newcomer, 'bom dia');
    await hears(newcomer, 'Bem-vindo!');
    await changeFlow(product.app, first, { type: 'UnpublishFlow' }, caller);
    const [byWord] = await executionsOf(phone);
    expect(byWord).to.deep.include({ trigger: 'keyword', operation_uuid: null });
    const [byFirst] = await executionsOf(newcomer);
    expect(byFirst).to.deep.include({ trigger: 'first_message' });
  });

  it('are ended by an opt-out word, and handed to people by a word that calls one', async () => {
    const flowUuid = await flow(QUESTION);
    const { app, company: companyUuid } = product;
    await changeOptOutWords(app, { companyUuid, words: { stop: ['Chega'] } }, caller);
    await changePersonWords(app, { companyUuid, words: ['Vendedor'] }, caller);
    for (const [word, status, reason] of [
      ['parar', 'cancelled', 'opted_out'],
      ['chega!', 'cancelled', 'opted_out'],
      ['Falar com um atendente', 'handed_off', 'asked_for_person'],
      ['VENDEDOR', 'handed_off', 'asked_for_person'],
    ] as const) {
      const phone = freshPhone();
      const uuid = await begun(flowUuid, phone);
      await waits(uuid);
      product.reply(phone, word);
      expect(await ending(uuid), word).to.equal(status);
      expect((await execution(uuid))['reason'], word).to.equal(reason);
      expect(told(phone), word).to.deep.equal(['Qual é o seu pedido?']);
    }
  });

  it('hand over to people: the conversation opens, and the flow is silent from then on', async () => {
    const phone = freshPhone();
    const uuid = await begun(
      await flow({ ...QUESTION, thanks: { type: 'handoff', note: 'Pedido {{answer.order}}' } }),
      phone,
    );
    await waits(uuid);
    const taken = await product.get<Row[]>('/conversations?status=pending');
    expect(taken.length).to.be.at.least(1);
    product.reply(phone, '1042');
    expect(await ending(uuid)).to.equal('handed_off');
    const conversation = (await product.operation(uuid)).result!.conversation_uuid;
    const status = async () => (await product.get(`/conversations/${conversation}`))['status'];
    await eventually(async () => (await status()) === 'open');
    const notes = (await product.messages(conversation)).filter(({ type }) => type === 'note');
    expect(notes.map(({ content }) => content['text'])).to.deep.equal(['Pedido 1042']);
    expect(told(phone)).to.deep.equal(['Qual é o seu pedido?']);
  });

  it('replace one another, wait for one another, or are left out', async () => {
    const phone = freshPhone();
    const running = await begun(await flow(QUESTION), phone);
    await waits(running);
    const hi = (text: string) => ({ hi: { type: 'send_text', text, next: null } });
    const left = await begun(await flow(hi('Fico fora'), { if_running: 'skip' }), phone);
    expect(await ending(left)).to.equal('failed: flow_running');
    const queued = await begun(await flow(hi('Depois'), { if_running: 'wait' }), phone);
    await waits(queued);
    expect((await execution(queued))['waiting']).to.deep.equal({ for: 'flow', until: null });
    const replacing = await begun(await flow(hi('Agora'), { if_running: 'replace' }), phone);
    expect(await ending(running)).to.equal('cancelled');
    expect((await execution(running))['reason']).to.equal('replaced');
    expect(await ending(replacing)).to.equal('completed');
    expect(await ending(queued)).to.equal('completed');
    expect(told(phone)).to.deep.equal(['Qual é o seu pedido?', 'Agora', 'Depois']);
  });

  it('go on with the version they began with, whatever becomes of the flow', async () => {
    const phone = freshPhone();
    const flowUuid = await flow(QUESTION);
    const uuid = await begun(flowUuid, phone);
    await waits(uuid);
    await changeFlow(product.app, flowUuid, { type: 'DeleteFlow' }, caller);
    product.reply(phone, '77');
    expect(await ending(uuid)).to.equal('completed');
    expect(told(phone)).to.deep.equal(['Qual é o seu pedido?', 'Obrigado, pedido 77.']);
    expect((await execution(uuid))['flow_name']).to.equal('Fluxo');
    expect((await execute(flowUuid, phone)).status).to.equal(404);
  });

  it('fail with external_contact_conflict where the identifier is somebody else’s, who keeps it', async () => {
    const [owner, other] = [freshPhone(), freshPhone()];
    const flowUuid = await flow({ hi: { type: 'send_text', text: 'Oi', next: null } });
    const link = { external_id: `cliente-${freshKey()}` };
    expect(await ending(await begun(flowUuid, owner, link))).to.equal('completed');
    const uuid = await begun(flowUuid, other, link);
    expect(await ending(uuid)).to.equal('failed: external_contact_conflict');
    // The caller knows the identifier already. The error keeps only the uuid of its owner, which is not personal data.
    const { details } = (await product.operation(uuid)).error!;
    expect(details).to.deep.equal({ contact_uuid: (await contactOf(owner)).uuid });
    expect(told(other)).to.deep.equal([]);
    const shown = async (phone: string) => (await contactOf(phone)).external_id;
    expect([await shown(owner), await shown(other)]).to.deep.equal([link.external_id, null]);
  });

  it('send templates through the gates, and go the way for errors where one refuses', async () => {
    const phone = freshPhone();
    const offer = {
      type: 'send_template',
      name: 'weekly_offers',
      language: 'pt_BR',
      parameters: ['Ana', '10'],
    };
    const flowUuid = await flow({
      offer: { ...offer, next: null, on_error: 'sorry' },
      sorry: { type: 'send_text', text: 'Não deu: {{vars.error}}', next: null },
    });
    expect(await ending(await begun(flowUuid, phone))).to.equal('completed');
    expect(told(phone)).to.deep.equal(['weekly_offers']);
    // The same template to the same person within 24 hours.
    expect(await ending(await begun(flowUuid, phone))).to.equal('completed');
    expect(told(phone)).to.deep.equal(['weekly_offers', 'Não deu: duplicate_template_send']);
    const strict = await begun(await flow({ offer: { ...offer, next: null } }), phone);
    const { error } = await product.settled(strict);
    expect(error).to.deep.include({ code: 'duplicate_template_send' });
    expect(error!.details['block']).to.equal('offer');
  });

  it('ask other systems, keep what they say, and go the way for errors when they refuse', async () => {
    const phone = freshPhone();
    const blocks = (url: string) => ({
      call: {
        type: 'http_request',
        method: 'POST',
        url,
        body: '{"p":"{{vars.p}}"}',
        save: [{ path: 'order.items.0.sku', as: 'sku' }],
        next: 'ok',
        on_error: 'bad',
      },
      ok: { type: 'send_text', text: 'SKU {{vars.sku}}', next: null },
      bad: { type: 'send_text', text: 'Erro {{vars.error}}', next: null },
    });
    const hook = `${erp.origin}/hook`;
    const good = await begun(await flow(blocks(hook)), phone, { variables: { p: 'a"b' } });
    expect(await ending(good)).to.equal('completed');
    expect(asked.at(-1)).to.deep.equal({ url: '/hook', body: '{"p":"a\\"b"}' });
    expect(await ending(await begun(await flow(blocks(`${hook}/missing`)), phone))).to.equal('completed');
    const metadata = 'http://169.254.169.254/latest/meta-data/';
    expect(await ending(await begun(await flow(blocks(metadata)), phone))).to.equal('completed');
    expect(told(phone)).to.deep.equal([
      'SKU CAM-01',
      'Erro request_answered_404',
      'Erro request_address_refused',
    ]);
    expect(asked).to.have.length(2);
  });

  it('wait for a call-back at a signed address, which takes one call', async () => {
    const phone = freshPhone();
    const uuid = await begun(
      await flow({
        tell: { type: 'send_text', text: '{{callback.pay}}', next: 'pay' },
        pay: {
          type: 'wait_for_callback',
          timeout: '1h',
          save: [{ path: 'amount', as: 'amount' }],
          next: 'thanks',
        },
        thanks: { type: 'send_text', text: 'Pago: {{vars.amount}}', next: null },
      }),
      phone,
    );
    await waits(uuid);
    const { pathname } = new URL(told(phone)[0]!);
    const call = async (path: string, amount: string): Promise<number> => {
      const answer = await fetch(`${product.running.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ amount }),
      });
      return answer.status;
    };
    expect(await call(`${pathname.slice(0, -4)}AAAA`, '1')).to.equal(404);
    expect(await call(pathname, '49,90')).to.equal(200);
    expect(await call(pathname, '99,99')).to.equal(200);
    expect(await ending(uuid)).to.equal('completed');
    expect(told(phone)[1]).to.equal('Pago: 49,90');
  });

  it('end with the person who is erased, and what they said is gone', async () => {
    const phone = freshPhone();
    const uuid = await begun(
      await flow({
        q: { type: 'ask', text: 'Nome?', save_as: 'name', next: 'wait' },
        // Long enough for the erasure below to arrive before the wait ends, also through the three servers of the real
        // stack.
        wait: { type: 'wait', for: '4s', next: 'bye' },
        bye: { type: 'send_text', text: 'Tchau, {{answer.name}}', next: null },
      }),
      phone,
    );
    await waits(uuid);
    const { uuid: contactUuid } = await contactOf(phone);
    product.reply(phone, 'Rosa Lima');
    await eventually(async () => {
      return (await execution(uuid))['block'] === 'wait';
    });
    await eraseContact(product.app, { contactUuid }, caller);
    expect(await ending(uuid)).to.equal('cancelled');
    const shown = await execution(`${uuid}?include_personal=true`);
    expect([shown['reason'], shown['answers']]).to.deep.equal(['contact_erased', {}]);
    expect(told(phone)).to.deep.equal(['Nome?']);
  });

  it('are cancelled by an operator where they are', async () => {
    const phone = freshPhone();
    const uuid = await begun(await flow(QUESTION), phone);
    await waits(uuid);
    await product.admin('POST', `/executions/${uuid}/cancel`);
    expect(await ending(uuid)).to.equal('cancelled');
    product.reply(phone, '9');
    const next = await begun(await flow({ hi: { type: 'send_text', text: 'Oi', next: null } }), phone);
    expect(await ending(next)).to.equal('completed');
    expect(told(phone)).to.deep.equal(['Qual é o seu pedido?', 'Oi']);
  });

  it('tell integrators every change of status, whole and as the contract has it', async () => {
    const phone = freshPhone();
    const uuid = await begun(await flow(QUESTION), phone);
    await waits(uuid);
    product.reply(phone, '5');
    expect(await ending(uuid)).to.equal('completed');
    const events = () => product.receiver.of('flow.execution.updated').map(({ event }) => event);
    const statuses = await eventually(() => {
      const ours = events().filter(({ data }) => executionIn(data)['uuid'] === uuid);
      const inOrder = ours.toSorted((a, b) => a.sequence - b.sequence);
      return ours.length >= 5 && inOrder.map(({ data }) => executionIn(data)['status']);
    });
    expect(statuses).to.deep.equal(['queued', 'processing', 'waiting', 'processing', 'completed']);
    const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } });
    addFormats.default(ajv);
    ajv.addSchema({ ...loadContract().document, $id: 'contract' });
    const validate = ajv.compile({ $ref: 'contract#/components/schemas/FlowExecutionUpdatedEvent' });
    // Events of all tests above: failed, cancelled, queued, started by customers, and of an erased person.
    for (const event of events()) {
      expect(validate(event), `${ajv.errorsText(validate.errors)} ${JSON.stringify(event)}`).to.equal(true);
    }
    const seen = new Set(events().map(({ data }) => executionIn(data)['status']));
    expect([...seen]).to.include.members(['failed', 'cancelled', 'handed_off', 'expired', 'waiting']);
  });

  it('run on the channel that is named where the company has several, and on none that is not', async () => {
    const { sandbox, company: companyUuid } = product;
    const [number] = sandbox.phoneNumbers;
    sandbox.putPhoneNumber({ ...number!, id: SECOND, displayPhoneNumber: '+55 11 4002-0002' });
    const { channelUuid: second } = await connectChannel(
      product.app,
      { companyUuid, phoneNumberId: SECOND, wabaId: DEMO_WABA_ID, accessToken: 'token' },
      caller,
    );
    const flowUuid = await flow({ hi: { type: 'send_text', text: 'Oi', next: null } });
    const phone = freshPhone();
    expect(outcomeOf(await execute(flowUuid, phone))).to.deep.equal([422, 'channel_required']);
    for (const channel_uuid of [product.channel, second]) {
      expect(await ending(await begun(flowUuid, phone, { channel_uuid }))).to.equal('completed');
    }
    const used = sandbox.calls.filter(({ body }) => String(body['to']).endsWith(phone.slice(1)));
    expect(used.map(({ phoneNumberId }) => phoneNumberId)).to.deep.equal([DEMO_NUMBER, SECOND]);
    await disconnectChannel(product.app, { channelUuid: second }, caller);
    const gone = await execute(flowUuid, phone, { channel_uuid: second });
    expect(outcomeOf(gone)).to.deep.equal([422, 'channel_not_connected']);
    expect(await ending(await begun(flowUuid, phone)), 'the only one that is connected').to.equal(
      'completed',
    );
  });
});
