import { expect } from 'chai';
import { ask, dataOf, outcomeOf, pagesOf, type Answer } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectInvalid, expectRefused } from '../support/api/refused.js';
import {
  addChannel,
  addContact,
  addConversation,
  addInboundMessage,
  addIntegration,
  addTemplate,
  disconnectChannel,
  makeWorld,
  resolveConversation,
  type World,
} from '../support/api/world.js';
import { opened } from '../support/opened.js';

type Row = Record<string, unknown>;
const rows = (answer: Answer): Row[] => answer.body.data as Row[];

describe('reads', () => {
  let world: World;
  let other: World;

  const api = opened(makeApi);
  before(async () => {
    world = await makeWorld(api.app);
    other = await makeWorld(api.app, 'Outra');
  });

  const get = async (path: string, key = world.key): Promise<Answer> => {
    const answer = await ask(api, 'GET', path, { key });
    expect(answer.status, answer.text).to.equal(200);
    return answer;
  };

  const read = async (path: string, key = world.key): Promise<Row> => dataOf(await get(path, key));
  const pages = (path: string, limit: number, key = world.key): Promise<readonly Row[][]> =>
    pagesOf(async (after) => {
      const answer = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${after}`, key);
      return { data: rows(answer), next: answer.body.meta!.next_cursor };
    });

  describe('GET /channels', () => {
    it("lists the company's channels, and what each can do now", async () => {
      const company = await makeWorld(api.app, 'Canais');
      const second = await addChannel(api.app, company.company, 'waba-2');
      await disconnectChannel(api.app, company, second);
      const { body } = await get('/channels', company.key);
      const can = { send_text: true, send_template: true, start_flow: true };
      const cannot = { send_text: false, send_template: false, start_flow: false };
      const unknown = { quality: null, messaging_limit: null, throughput: null, name_status: null };
      const common = {
        provider: 'whatsapp',
        display_name: 'Loja',
        phone_number: '+551140028922',
        health: unknown,
      };
      expect(body).to.deep.equal({
        data: [
          { uuid: company.channel, ...common, status: 'connected', capabilities: can },
          { uuid: second, ...common, status: 'disconnected', capabilities: cannot },
        ],
      });
    });
  });

  describe('GET /templates', () => {
    const names = (answer: Answer): unknown[] => rows(answer).map((row) => row['name']);
    const list = (query: string): Promise<Answer> => get(`/templates${query}`, shop.key);

    const shop = opened(() => makeWorld(api.app, 'Modelos'));
    before(async () => {
      for (const name of ['promocao_verao', 'confirmação_pedido', 'aviso', 'cupom+extra']) {
        await addTemplate(api.app, shop, { name });
      }
      await addTemplate(api.app, shop, { name: 'rascunho', status: 'PENDING' });
      await addTemplate(api.app, shop, { name: 'outra_conta', wabaId: 'waba-2' });
    });

    it('gives the approved ones by name unless a status is asked for', async () => {
      const all = await list('');
      expect(names(all)).to.deep.equal([
        'aviso',
        'confirmação_pedido',
        'cupom+extra',
        'outra_conta',
        'promocao_verao',
      ]);
      expect(all.body.meta).to.deep.equal({ next_cursor: null });
      expect(rows(all)[0]!['variables']).to.deep.equal({
        body_parameter_count: 2,
        body_named_parameters: [],
        header: null,
        has_dynamic_buttons: false,
        buttons: [],
        example: {},
      });
      expect(names(await list('?status=PENDING'))).to.deep.equal(['rascunho']);
    });

    it('finds names without regard to case and accents, however the query is encoded', async () => {
      expect(names(await list('?query=CONFIRMACAO'))).to.deep.equal(['confirmação_pedido']);
      expect(names(await list('?query=promo%C3%A7%C3%A3o'))).to.deep.equal(['promocao_verao']);
      expect(names(await list('?query=cupom%2Bextra'))).to.deep.equal(['cupom+extra']);
      expect(names(await list('?query='))).to.have.length(5);
      expect(names(await list("?query=a,b(c)*'!"))).to.deep.equal([]);
      expect(names(await list('?query=black+friday'))).to.deep.equal([]);
    });

    it('keeps to the account of a channel; an unknown or foreign channel has none', async () => {
      const own = await list(`?channel_uuid=${shop.channel.toUpperCase()}`);
      expect(names(own)).to.deep.equal(['aviso', 'confirmação_pedido', 'cupom+extra', 'promocao_verao']);
      expect(names(await list(`?channel_uuid=${other.channel}`))).to.deep.equal([]);
      expect(names(await list('?channel_uuid=0198a6f0-dead-4000-8000-000000000009'))).to.deep.equal([]);
    });

    it('pages through a search without repeating or leaving out', async () => {
      const company = await makeWorld(api.app, 'Muitos');
      for (let i = 0; i < 23; i += 1) {
        const name = `${i % 2 === 0 ? 'par' : 'impar'}_${String(i).padStart(2, '0')}`;
        await addTemplate(api.app, company, { name });
      }
      for (const [path, count] of [
        ['/templates', 23],
        ['/templates?query=impar', 11],
      ] as const) {
        const found = await pages(path, 5, company.key);
        expect(found.flat()).to.have.length(count);
        expect(new Set(found.flat().map((row) => row['uuid'])).size).to.equal(count);
        for (const page of found.slice(0, -1)) expect(page).to.have.length(5);
      }
    });

    it('GET /templates/{name} prefers the approved version, then the newest', async () => {
      await addTemplate(api.app, shop, { name: 'versões/2 x', language: 'pt_BR', status: 'REJECTED' });
      const path = `/templates/${encodeURIComponent('versões/2 x')}`;
      expect((await read(path, shop.key))['language']).to.equal('pt_BR');
      await addTemplate(api.app, shop, { name: 'versões/2 x', language: 'en_US' });
      await addTemplate(api.app, shop, { name: 'versões/2 x', language: 'es_ES', status: 'PAUSED' });
      const best = await read(path, shop.key);
      expect([best['language'], best['status']]).to.deep.equal(['en_US', 'APPROVED']);
      await expectRefused(api, ['GET', '/templates/nao_ha', { key: shop.key }], 404, 'template_not_found');
      await expectRefused(api, ['GET', '/templates/aviso', { key: other.key }], 404, 'template_not_found');
      const long = ['GET', `/templates/${'x'.repeat(513)}`, { key: shop.key }] as const;
      await expectInvalid(api, long, ['path.name', 'max_length']);
    });
  });

  describe('contacts, conversations and messages', () => {
    let contact: string;
    let conversation: string;
    let texts: string[];

    before(async () => {
      contact = await addContact(api.app, world, {
        phone: '+5511987654321',
        name: 'Maria Souza',
        externalIds: { [world.integration]: 'cliente-42' },
      });
      conversation = await addConversation(api.app, world, contact);
      texts = Array.from({ length: 7 }, (_, i) => `mensagem ${i}`);
      for (const text of texts) await addInboundMessage(api.app, world, { contact, conversation }, text);
    });

    it('shows a contact with the external id of the integration that asks', async () => {
      const answer = await read(`/contacts/${contact.toUpperCase()}`);
      expect(answer).to.include({
        uuid: contact,
        external_id: 'cliente-42',
        phone: '+5511987654321',
        name: 'Maria Souza',
      });
      const second = await addIntegration(api.app, world);
      const seen = await read(`/contacts/${contact}`, second.key);
      expect(seen).to.deep.equal({ ...answer, external_id: null });
    });

    it('shows a conversation with contact, channel and counters, and its messages on request', async () => {
      const detail = await read(`/conversations/${conversation}`);
      expect(detail).to.include({
        uuid: conversation,
        status: 'open',
        channel_uuid: world.channel,
        unread_count: 7,
      });
      expect(detail['counters']).to.deep.equal({ messages: 7, inbound: 7, outbound: 0, notes: 0 });
      expect(detail).to.include({ assigned_agent: null, assigned_group: null });
      expect((detail['contact'] as Row)['external_id']).to.equal('cliente-42');
      expect((detail['channel'] as Row)['uuid']).to.equal(world.channel);
      expect(detail).to.not.have.property('messages');
      const full = await read(`/conversations/${conversation}?include=messages`);
      const first = await get(`/conversations/${conversation}/messages`);
      expect(full['messages']).to.deep.equal(first.body);
    });

    it('pages through messages, newest first', async () => {
      const found = await pages(`/conversations/${conversation}/messages`, 3);
      expect(found.map((page) => page.length)).to.deep.equal([3, 3, 1]);
      expect(found.flat().map((row) => (row['content'] as Row)['text'])).to.have.members(texts);
      const times = found.flat().map((row) => row['created_at'] as string);
      expect(times).to.deep.equal([...times].sort().reverse());
      expect(found[0]![0]).to.include({
        direction: 'inbound',
        type: 'text',
        status: 'received',
        transcript: null,
      });
    });

    it('lists conversations, most recently active first, by status', async () => {
      const company = await makeWorld(api.app, 'Conversas');
      const made: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        const person = await addContact(api.app, company, { phone: `+55119876543${i}0` });
        made.push(await addConversation(api.app, company, person));
        const at = { contact: person, conversation: made[i]! };
        await addInboundMessage(api.app, company, at, 'oi');
      }
      await resolveConversation(api.app, company, made[1]!);
      const list = async (query: string) => rows(await get(`/conversations${query}`, company.key));
      const all = await list('');
      expect(all.map((row) => row['uuid'])).to.have.members(made);
      const times = all.map((row) => row['last_message_at'] as string);
      expect(times).to.deep.equal([...times].sort().reverse());
      expect(all.map((row) => (row['contact'] as Row)['phone'])).to.include('+5511987654310');
      expect((await list('?status=resolved')).map((row) => row['uuid'])).to.deep.equal([made[1]]);
      expect(await list('?status=pending')).to.deep.equal([]);
    });

    it('hides what belongs to another company, and what never was, behind the same 404', async () => {
      const unknown = '0198a6f0-dead-4000-8000-000000000009';
      const operation = await ask(api, 'POST', '/messages', {
        key: world.key,
        headers: { 'idempotency-key': 'tenancy' },
        json: { recipient: { phone: '+5511987654321' }, type: 'text', content: { text: 'x' } },
      });
      const { uuid } = dataOf<{ uuid: string }>(operation, 202);
      const owned: [string, string][] = [
        [`/contacts/`, contact],
        [`/conversations/`, conversation],
        [`/operations/`, uuid],
      ];
      const hidden = (path: string) =>
        expectRefused(api, ['GET', path, { key: other.key }], 404, 'not_found');
      for (const [path, id] of owned) {
        await get(path + id);
        const foreign = await hidden(path + id);
        const absent = await hidden(path + unknown);
        expect(foreign.body.error?.message).to.equal(absent.body.error?.message);
        for (const malformed of ['nope', '123', `${id}0`, `{${id}}`, `urn:uuid:${id}`, '%00', "' OR 1=1"]) {
          await hidden(path + encodeURIComponent(malformed));
        }
      }
      await hidden(`/conversations/${conversation}/messages`);
    });
  });

  describe('paging parameters', () => {
    const cases: [string, string, string][] = [
      ['limit=0', 'query.limit', 'minimum'],
      ['limit=101', 'query.limit', 'maximum'],
      ['limit=-1', 'query.limit', 'minimum'],
      ['limit=ten', 'query.limit', 'type'],
      ['limit=1.5', 'query.limit', 'type'],
      ['limit=', 'query.limit', 'empty'],
      ['limit=1&limit=2', 'query.limit', 'type'],
      ['limit[x]=1', 'query.limit', 'type'],
      ['offset=5', 'query.offset', 'unknown_parameter'],
      ['__proto__[x]=1', 'query.__proto__', 'unknown_parameter'],
      ['status=APROVADO', 'query.status', 'enum'],
      [`query=${'x'.repeat(121)}`, 'query.query', 'max_length'],
      ['channel_uuid=main', 'query.channel_uuid', 'format'],
      ['after=', 'query.after', 'empty'],
    ];
    for (const [query, path, code] of cases) {
      it(`422 for ?${query.slice(0, 40)}`, async () => {
        await expectInvalid(api, ['GET', `/templates?${query}`, { key: world.key }], [path, code]);
      });
    }

    it('refuses a cursor that was altered, or comes from another list, filter, conversation or company', async () => {
      const company = await makeWorld(api.app, 'Cursores');
      const conversations: string[] = [];
      for (let i = 0; i < 2; i += 1) {
        const contact = await addContact(api.app, company, { phone: `+55119876543${i}1` });
        conversations.push(await addConversation(api.app, company, contact));
        for (let m = 0; m < 2; m += 1) {
          await addInboundMessage(api.app, company, { contact, conversation: conversations[i]! }, 'oi');
        }
      }
      const page = await get('/conversations?limit=1', company.key);
      const cursor = page.body.meta!.next_cursor!;
      await get(`/conversations?limit=100&after=${cursor}`, company.key);
      const [a, b] = conversations as [string, string];
      const inner = (await get(`/conversations/${a}/messages?limit=1`, company.key)).body.meta!.next_cursor!;
      await get(`/conversations/${a}/messages?after=${inner}`, company.key);
      const flip = (at: number) =>
        cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      const altered = Array.from(cursor, (_, at) => flip(at));
      const wrong: [string, string, string][] = [
        ...altered.map((after): [string, string, string] => ['/conversations', after, company.key]),
        ['/conversations', cursor.slice(0, -1), company.key],
        ['/conversations', `${cursor}A`, company.key],
        ['/conversations', `${cursor}%3D`, company.key],
        ['/conversations', 'x', company.key],
        ['/conversations', inner, company.key],
        ['/conversations', cursor, other.key],
        ['/conversations?status=open', cursor, company.key],
        ['/templates', cursor, company.key],
        [`/conversations/${b}/messages`, inner, company.key],
      ];
      for (const [path, after, key] of wrong) {
        const url = `${path}${path.includes('?') ? '&' : '?'}after=${after}`;
        const answer = await ask(api, 'GET', url, { key });
        expect(outcomeOf(answer), url).to.deep.equal([422, 'invalid_cursor']);
      }
    });
  });

  it('never failed in all of this', () => {
    expect(api.log.filter(({ level }) => level === 'error' || level === 'warn')).to.deep.equal([]);
  });
});
