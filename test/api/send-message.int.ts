import { expect } from 'chai';
import { systemClock } from '../../adapters/clock/system.js';
import { ask, countEvents, dataOf, fieldsOf, type Ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectRefused } from '../support/api/refused.js';
import {
  addChannel,
  addTemplate,
  disconnectChannel,
  makeWorld,
  restrictAccount,
} from '../support/api/world.js';
import { opened } from '../support/opened.js';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const PHONE = '+5511987654321';
const TEXT = { recipient: { phone: PHONE }, type: 'text', content: { text: 'Olá' } };
const TEMPLATE = {
  recipient: { phone: PHONE },
  type: 'template',
  content: { name: 'pedido_enviado', language: 'pt_BR', parameters: ['Maria', '1234'] },
};

describe('POST /messages (spec §4)', () => {
  const clock = { ...systemClock, now: () => NOW };
  const api = opened(() => makeApi({ parts: { clock } }));
  const world = opened(() => makeWorld(api.app));
  const other = opened(() => makeWorld(api.app, 'Outra'));
  before(async () => {
    await addTemplate(api.app, world, { name: 'pedido_enviado' });
    await addTemplate(api.app, world, { name: 'em_analise', status: 'PENDING' });
    await addTemplate(api.app, other, { name: 'so_da_outra' });
  });

  let count = 0;
  const send = (json: unknown, options: Ask = {}): readonly [string, string, Ask] => {
    const headers = { 'idempotency-key': `send-${(count += 1)}` };
    return ['POST', '/messages', { key: world.key, json, headers, ...options }];
  };
  const accepted = async (json: unknown, options?: Ask) =>
    dataOf(await ask(api, ...send(json, options)), 202);

  it('answers 202 with the operation, where to poll it, and one new event', async () => {
    const before = await countEvents(api);
    const answer = await ask(api, ...send(TEXT));
    const { uuid, created_at, ...rest } = dataOf(answer, 202);
    expect(rest).to.deep.equal({
      type: 'message.send',
      status: 'queued',
      result: null,
      error: null,
      started_at: null,
      completed_at: null,
    });
    expect(created_at).to.be.a('string');
    expect(answer.headers.location).to.equal(`/api/v1/operations/${String(uuid)}`);
    expect(answer.headers).to.not.have.property('idempotent-replayed');
    expect(await countEvents(api)).to.equal(before + 1);
    const polled = await ask(api, 'GET', `/operations/${String(uuid)}`, { key: world.key });
    expect(polled.body.data).to.deep.equal(answer.body.data);
  });

  it('answers a retry like the first time, whatever the order of its keys, and does nothing', async () => {
    const headers = { 'idempotency-key': 'retry' };
    const first = await ask(api, ...send(TEXT, { headers }));
    const before = await countEvents(api);
    const reordered = { content: TEXT.content, type: TEXT.type, recipient: TEXT.recipient };
    const second = await ask(api, ...send(reordered, { headers }));
    expect(second.status).to.equal(202);
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.location).to.equal(first.headers.location);
    expect(second.headers['idempotent-replayed']).to.equal('true');
    expect(await countEvents(api)).to.equal(before);
  });

  it('makes one operation of many requests at once, and answers all of them', async () => {
    const before = await countEvents(api);
    const headers = { 'idempotency-key': 'race' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(api, ...send(TEXT, { headers }))));
    expect(new Set(answers.map((answer) => answer.status))).to.deep.equal(new Set([202]));
    expect(new Set(answers.map((answer) => answer.headers.location)).size).to.equal(1);
    const replays = answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true');
    expect(replays).to.have.length(19);
    expect(await countEvents(api)).to.equal(before + 1);
  });

  it('refuses another request under a used key, and keeps keys of companies apart', async () => {
    const headers = { 'idempotency-key': 'reused' };
    await ask(api, ...send(TEXT, { headers }));
    const changed = { ...TEXT, content: { text: 'Outra coisa' } };
    await expectRefused(api, send(changed, { headers }), 409, 'idempotency_key_reused');
    await accepted(changed, { headers, key: other.key });
  });

  it('refuses another request under a used key also when that one would be refused for itself', async () => {
    const headers = { 'idempotency-key': 'reused-and-wrong' };
    const first = await ask(api, ...send(TEXT, { headers }));
    const unknown = { ...TEMPLATE, content: { ...TEMPLATE.content, name: 'nao_existe' } };
    await expectRefused(api, send(unknown, { headers }), 409, 'idempotency_key_reused');
    const again = await ask(api, ...send(TEXT, { headers }));
    expect(again.body).to.deep.equal(first.body);
  });

  it('does not remember a refusal: the same key works once the request is right', async () => {
    const headers = { 'idempotency-key': 'second-try' };
    await expectRefused(api, send({ ...TEXT, type: 'fax' }, { headers }), 422, 'validation_failed');
    await accepted(TEXT, { headers });
  });

  describe('names the wrong field, and only it', () => {
    const with_ = (patch: object): object => ({ ...TEXT, ...patch });
    const to = (recipient: unknown): object => ({ ...TEXT, recipient });
    const content = (patch: object): object => ({ ...TEMPLATE, content: { ...TEMPLATE.content, ...patch } });
    const cases: [string, unknown, string, string][] = [
      ['no recipient', { type: 'text', content: { text: 'x' } }, 'recipient', 'required'],
      ['no type', { recipient: TEXT.recipient, content: TEXT.content }, 'type', 'required'],
      ['no content', { recipient: TEXT.recipient, type: 'text' }, 'content', 'required'],
      ['no phone', to({}), 'recipient.phone', 'required'],
      ['phone as number', to({ phone: 5511987654321 }), 'recipient.phone', 'type'],
      ['phone null', to({ phone: null }), 'recipient.phone', 'type'],
      ['phone too long', to({ phone: '+' + '5'.repeat(40) }), 'recipient.phone', 'max_length'],
      ['phone without +', to({ phone: '5511987654321' }), 'recipient.phone', 'phone_invalid'],
      ['phone impossible', to({ phone: '+5599' }), 'recipient.phone', 'phone_invalid'],
      ['external id empty', to({ phone: PHONE, external_id: '' }), 'recipient.external_id', 'min_length'],
      [
        'external id of 129',
        to({ phone: PHONE, external_id: 'x'.repeat(129) }),
        'recipient.external_id',
        'max_length',
      ],
      ['recipient a string', to(PHONE), 'recipient', 'type'],
      ['unknown type', with_({ type: 'fax' }), 'type', 'enum'],
      ['type in capitals', with_({ type: 'TEXT' }), 'type', 'enum'],
      ['unknown field', with_({ mensagem: 'x' }), 'mensagem', 'unknown_field'],
      ['unknown field inside', with_({ content: { text: 'x', body: 'y' } }), 'content.body', 'unknown_field'],
      ['channel no uuid', with_({ channel_uuid: 'main' }), 'channel_uuid', 'format'],
      ['channel null', with_({ channel_uuid: null }), 'channel_uuid', 'type'],
      ['text empty', with_({ content: { text: '' } }), 'content.text', 'min_length'],
      ['text of spaces', with_({ content: { text: ' \n ' } }), 'content.text', 'text_empty'],
      ['text of 4097', with_({ content: { text: 'x'.repeat(4097) } }), 'content.text', 'max_length'],
      ['text a number', with_({ content: { text: 1 } }), 'content.text', 'type'],
      ['no text', with_({ content: {} }), 'content.text', 'required'],
      [
        'preview as string',
        with_({ content: { text: 'x', preview_url: 'yes' } }),
        'content.preview_url',
        'type',
      ],
      ['content a string', with_({ content: 'Olá' }), 'content', 'type'],
      ['content a list', with_({ content: [] }), 'content', 'type'],
      ['template without name', content({ name: undefined }), 'content.name', 'required'],
      ['template name of 513', content({ name: 'x'.repeat(513) }), 'content.name', 'max_length'],
      ['parameter a number', content({ parameters: ['Maria', 1234] }), 'content.parameters[1]', 'type'],
      ['parameters an object', content({ parameters: { 1: 'Maria' } }), 'content.parameters', 'type'],
      [
        'button index',
        content({ buttons: [{ index: 10, value: 'x' }] }),
        'content.buttons[0].index',
        'maximum',
      ],
      [
        'text content for a template',
        { ...TEMPLATE, content: { name: 'x', text: 'y' } },
        'content.text',
        'unknown_field',
      ],
      [
        'empty parameter',
        content({ parameters: ['', '1234'] }),
        'content.parameters',
        'template_parameters_invalid',
      ],
    ];
    for (const [what, json, path, code] of cases) {
      it(what, async () => {
        const expected = code === 'template_parameters_invalid' ? code : 'validation_failed';
        const answer = await expectRefused(api, send(json), 422, expected);
        expect(fieldsOf(answer).map((field) => field.code)).to.deep.equal([code]);
        expect(fieldsOf(answer)[0]?.path).to.match(
          new RegExp(`^${path.replaceAll(/[[\].]/g, '\\$&')}(\\[0\\])?$`),
        );
        expect(fieldsOf(answer)[0]?.message).to.match(/\.$/);
      });
    }

    it('several at once, each with its own entry', async () => {
      const json = { recipient: { phone: 1, fone: 'x' }, type: 'text', content: { text: '' } };
      const answer = await expectRefused(api, send(json), 422, 'validation_failed');
      expect(fieldsOf(answer).map((f) => `${f.path} ${f.code}`)).to.have.members([
        'recipient.phone type',
        'recipient.fone unknown_field',
        'content.text min_length',
      ]);
      expect(answer.body.error?.message).to.contain('recipient.phone must be string');
    });
  });

  describe('business rules', () => {
    const unknown = '0198a6f0-dead-4000-8000-000000000009';
    const through = (channel_uuid: string) => ({ ...TEXT, channel_uuid });
    const named = (name: string) => ({ ...TEMPLATE, content: { name } });
    const changed = (content: object) => ({ ...TEMPLATE, content: { ...TEMPLATE.content, ...content } });
    const cases: [string, () => object, number, string][] = [
      ['unknown channel', () => through(unknown), 404, 'channel_not_found'],
      ["another company's channel", () => through(other.channel), 404, 'channel_not_found'],
      ['unknown template', () => named('nao_ha'), 404, 'template_not_found'],
      ["another company's template", () => named('so_da_outra'), 404, 'template_not_found'],
      ['language', () => changed({ language: 'en_US' }), 422, 'template_language_invalid'],
      ['too few parameters', () => changed({ parameters: ['Maria'] }), 422, 'template_parameters_invalid'],
      [
        'too many parameters',
        () => changed({ parameters: ['a', 'b', 'c'] }),
        422,
        'template_parameters_invalid',
      ],
      ['not approved', () => changed({ name: 'em_analise' }), 422, 'template_not_approved'],
    ];
    for (const [what, json, status, code] of cases) {
      it(`${code}: ${what}`, () => expectRefused(api, send(json()), status, code));
    }

    it('channel_required with several channels unless one alone is connected, channel_not_connected with one', async () => {
      const single = await makeWorld(api.app, 'Uma');
      await disconnectChannel(api.app, single, single.channel);
      await expectRefused(api, send(TEXT, { key: single.key }), 422, 'channel_not_connected');
      const company = await makeWorld(api.app, 'Duas');
      const second = await addChannel(api.app, company.company, 'waba-2');
      const request = () => send(TEXT, { key: company.key });
      await expectRefused(api, request(), 422, 'channel_required');
      await disconnectChannel(api.app, company, second);
      await accepted(TEXT, { key: company.key });
      await expectRefused(api, send(through(second), { key: company.key }), 422, 'channel_not_connected');
      await disconnectChannel(api.app, company, company.channel);
      // Several channels, and none is the only connected one (spec §4).
      await expectRefused(api, request(), 422, 'channel_required');
    });

    it('channel_not_connected for what a restricted account may not send, and when that ends', async () => {
      const held = await makeWorld(api.app, 'Restrita');
      await addTemplate(api.app, held, { name: 'pedido_enviado' });
      const { key } = held;
      const until = new Date(clock.now() + 3_600_000).toISOString();
      await restrictAccount(api.app, held, 'RESTRICTED_BIZ_INITIATED_MESSAGING', until);
      const refused = await expectRefused(api, send(TEMPLATE, { key }), 422, 'channel_not_connected');
      const details = refused.body.error!.details as Record<string, unknown>;
      expect(details).to.deep.include({
        channel_uuid: held.channel,
        status: 'connected',
        capability: 'send_template',
        restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expires_at: until }],
        opens_at: until,
      });
      expect(details['retry_after_seconds']).to.equal(3_600);
      // The channel can still answer its customers.
      await accepted(TEXT, { key });
      await restrictAccount(api.app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', null);
      const text = await expectRefused(api, send(TEXT, { key }), 422, 'channel_not_connected');
      expect(text.body.error!.details)
        .to.include({ capability: 'send_text' })
        .and.not.have.property('opens_at');
      await accepted(TEMPLATE, { key });
      const ended = new Date(clock.now() - 1_000).toISOString();
      await restrictAccount(api.app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', ended);
      await accepted(TEXT, { key });
    });

    it('accepts a template that fits', () => accepted(TEMPLATE));
  });

  it('never failed in all of this', () => {
    expect(api.log.filter(({ level }) => level === 'error' || level === 'warn')).to.deep.equal([]);
  });
});
