/** Edge cases of the specification's contacts and paged lists, over sockets (spec §2, §4, §8). */
import { expect } from 'chai';
import { ask, countEvents, dataOf, fieldsOf, type Answer } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectInvalid } from '../support/api/refused.js';
import {
  addContact,
  addConversation,
  addInboundMessage,
  addTemplate,
  issueKey,
  makeWorld,
  type World,
} from '../support/api/world.js';
import { opened } from '../support/opened.js';

type Row = Record<string, unknown>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('contacts by the specification', () => {
  let world: World;
  let lines = 0;

  const api = opened(makeApi);
  beforeEach(async () => {
    world = await makeWorld(api.app);
  });

  const freshPhone = (): string => `+55219${String(80_000_000 + (lines += 1))}`;
  const put = (externalId: string, json: object, key = world.key): Promise<Answer> =>
    ask(api, 'PUT', `/contacts/external/${encodeURIComponent(externalId)}`, { key, json });
  const patch = (uuid: unknown, json: unknown): Promise<Answer> =>
    ask(api, 'PATCH', `/contacts/${String(uuid)}`, { key: world.key, json });

  it('a contact has exactly the fields of the specification, none left out when it is empty', async () => {
    const answer = await put('ext-1', { phone: freshPhone() });
    expect(Object.keys(answer.body)).to.deep.equal(['data']);
    const contact = dataOf(answer);
    expect(contact).to.have.all.keys(
      'uuid',
      'external_id',
      'phone',
      'name',
      'email',
      'tags',
      'custom_fields',
      'marketing_opted_out',
      'marketing_opt_out_at',
      'last_interaction_at',
      'created_at',
      'updated_at',
    );
    expect(contact).to.deep.include({
      name: null,
      email: null,
      tags: [],
      custom_fields: {},
      marketing_opted_out: false,
      marketing_opt_out_at: null,
      last_interaction_at: null,
    });
    expect(contact['uuid']).to.match(UUID);
    for (const field of ['created_at', 'updated_at']) expect(contact[field], field).to.match(INSTANT);
    const listed = await ask(api, 'GET', '/contacts', { key: world.key });
    expect(listed.body).to.deep.equal({ data: [contact], meta: { next_cursor: null } });
  });

  it('PUT needs a body with a phone, and takes every other field or none', async () => {
    const cases: [unknown, string, string][] = [
      [undefined, 'body', 'required'],
      [{}, 'phone', 'required'],
      [{ phone: null }, 'phone', 'type'],
      [{ phone: '' }, 'phone', 'min_length'],
      [{ phone: freshPhone(), external_id: 'x' }, 'external_id', 'unknown_field'],
      [{ phone: freshPhone(), name: 'x'.repeat(221) }, 'name', 'max_length'],
      [{ phone: freshPhone(), tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags', 'max_items'],
      [{ phone: freshPhone(), email: 'nobody' }, 'email', 'format'],
    ];
    for (const [json, path, code] of cases) {
      const request = ['PUT', '/contacts/external/a', { key: world.key, json }] as const;
      await expectInvalid(api, request, [path, code]);
    }
    expect((await put('a', { phone: freshPhone() })).status).to.equal(200);
  });

  it('PUT preserves what is left out, and merges custom fields at their first level only', async () => {
    const phone = freshPhone();
    const first = dataOf(
      await put('a', {
        phone,
        name: 'Ana',
        email: 'ana@example.com',
        tags: ['x'],
        custom_fields: { kept: 1, nested: { old: true, both: 1 } },
      }),
    );
    expect(dataOf(await put('a', { phone }))).to.deep.equal(first);
    const second = dataOf(await put('a', { phone, custom_fields: { nested: { both: 2 }, added: [] } }));
    expect(second).to.deep.include({
      uuid: first['uuid'],
      name: 'Ana',
      email: 'ana@example.com',
      tags: ['x'],
      custom_fields: { kept: 1, nested: { both: 2 }, added: [] },
    });
    expect(dataOf(await put('a', { phone, name: null }))['name']).to.equal(null);
  });

  it('PUT says nothing about fields that are not its own: uuid and times are the service’s', async () => {
    for (const field of ['uuid', 'created_at', 'marketing_opted_out', 'last_interaction_at']) {
      const answer = await put('a', { phone: freshPhone(), [field]: null });
      expect([answer.status, fieldsOf(answer)[0]?.path]).to.deep.equal([422, field]);
    }
  });

  it('an external_id has 1 to 128 characters, whatever they are', async () => {
    const good = ['x'.repeat(128), '🌸'.repeat(128), 'a/b?c#d%e', '..', '0', 'External', 'external'];
    const uuids = new Set<unknown>();
    for (const id of good) {
      const contact = dataOf(await put(id, { phone: freshPhone() }));
      expect(contact['external_id']).to.equal(id);
      uuids.add(contact['uuid']);
    }
    expect(uuids.size, 'each is an identifier of its own').to.equal(good.length);
    for (const id of ['x'.repeat(129), '🌸'.repeat(129)]) {
      const request = ['PUT', `/contacts/external/${encodeURIComponent(id)}`] as const;
      const options = { key: world.key, json: { phone: freshPhone() } };
      await expectInvalid(api, [...request, options], ['path.external_id', 'max_length']);
    }
  });

  it('repointing needs contacts:write, and without it nothing moves', async () => {
    const old = dataOf(await put('a', { phone: freshPhone() }));
    const { apiKey } = await issueKey(api.app, world.integration, ['contacts:read', 'messages:send']);
    const before = await countEvents(api);
    const refused = await put('a', { phone: freshPhone() }, apiKey);
    expect([refused.status, refused.body.error?.details['required_scope']]).to.deep.equal([
      403,
      'contacts:write',
    ]);
    expect(await countEvents(api)).to.equal(before);
    const { apiKey: writer } = await issueKey(api.app, world.integration, ['contacts:write']);
    const next = dataOf(await put('a', { phone: freshPhone() }, writer));
    expect(next['uuid']).to.not.equal(old['uuid']);
  });

  it('PATCH wants an object, and null only where the specification has it', async () => {
    const { uuid } = dataOf(await put('a', { phone: freshPhone(), tags: ['x'], custom_fields: { a: 1 } }));
    for (const [json, path] of [
      [undefined, 'body'],
      [null, 'body'],
      [[], 'body'],
      [{ tags: null }, 'tags'],
      [{ tags: ['ok', null] }, 'tags[1]'],
      [{ tags: 'x' }, 'tags'],
      [{ custom_fields: null }, 'custom_fields'],
      [{ custom_fields: [] }, 'custom_fields'],
      [{ name: 5 }, 'name'],
    ] as const) {
      const answer = await patch(uuid, json);
      expect([answer.status, fieldsOf(answer)[0]?.path], JSON.stringify(json)).to.deep.equal([422, path]);
    }
    const kept = dataOf(await ask(api, 'GET', `/contacts/${String(uuid)}`, { key: world.key }));
    expect(kept).to.deep.include({ tags: ['x'], custom_fields: { a: 1 } });
  });

  it('PATCH moves updated_at when something changed, and created_at never', async () => {
    const made = dataOf(await put('a', { phone: freshPhone(), name: 'Ana' }));
    const same = dataOf(await patch(made['uuid'], { name: 'Ana' }));
    expect(same['updated_at']).to.equal(made['updated_at']);
    const changed = dataOf(await patch(made['uuid'], { name: 'Bia' }));
    expect(changed['created_at']).to.equal(made['created_at']);
    expect(String(changed['updated_at']) > String(made['updated_at'])).to.equal(true);
  });

  describe('paged lists', () => {
    let paths: string[];
    const ROWS = 51;

    before(async () => {
      world = await makeWorld(api.app, 'Listas');
      const people: string[] = [];
      for (let n = 0; n < ROWS; n += 1) {
        people.push(await addContact(api.app, world, { phone: freshPhone() }));
        await addConversation(api.app, world, people[n]!);
        await addTemplate(api.app, world, { name: `modelo_${n}` });
      }
      const conversation = await addConversation(api.app, world, people[0]!);
      for (let n = 0; n < ROWS; n += 1) {
        await addInboundMessage(api.app, world, { contact: people[0]!, conversation }, `m${n}`);
      }
      paths = ['/contacts', '/conversations', '/templates', `/conversations/${conversation}/messages`];
      listed = world;
    });
    let listed: World;
    const page = async (path: string, query: Readonly<Record<string, string>>): Promise<Answer> => {
      const asked = new URLSearchParams(query).toString();
      const answer = await ask(api, 'GET', `${path}?${asked}`, { key: listed.key });
      expect(answer.status, answer.text).to.equal(200);
      return answer;
    };
    const uuids = (answer: Answer): unknown[] => (answer.body.data as Row[]).map(({ uuid }) => uuid);

    it('show 50 unless told otherwise, and what is left behind the cursor', async () => {
      for (const path of paths) {
        const first = await page(path, {});
        expect(uuids(first), path).to.have.length(50);
        const cursor = first.body.meta!.next_cursor!;
        expect(cursor).to.match(/^[\w-]+$/);
        const rest = await page(path, { after: cursor });
        expect(uuids(rest), path).to.have.length(1);
        expect(Object.keys(rest.body).sort()).to.deep.equal(['data', 'meta']);
        expect(rest.body.meta).to.deep.equal({ next_cursor: null });
        const whole = await page(path, { limit: '100' });
        expect(uuids(whole), path).to.deep.equal([...uuids(first), ...uuids(rest)]);
        expect(whole.body.meta).to.deep.equal({ next_cursor: null });
      }
    });

    it('take a limit of 1 to 100, and know when a full page is the last one', async () => {
      for (const path of paths) {
        expect(uuids(await page(path, { limit: '1' })), path).to.have.length(1);
        expect((await page(path, { limit: String(ROWS) })).body.meta, path).to.deep.equal({
          next_cursor: null,
        });
        for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) {
          const answer = await ask(api, 'GET', `${path}?limit=${limit}`, { key: listed.key });
          const found = [answer.status, fieldsOf(answer)[0]?.path];
          expect(found, `${path} ${limit}`).to.deep.equal([422, 'query.limit']);
        }
      }
    });

    it('do not show again, after a cursor, what was written behind it', async () => {
      const first = await page('/contacts', { limit: '10' });
      await addContact(api.app, listed, { phone: freshPhone() });
      const second = await page('/contacts', { limit: '100', after: first.body.meta!.next_cursor! });
      expect(uuids(second)).to.have.length(ROWS - 10);
      expect(uuids(first).filter((uuid) => uuids(second).includes(uuid))).to.deep.equal([]);
    });

    it('an unfinished page keeps its place under another limit', async () => {
      for (const path of paths) {
        const whole = uuids(await page(path, { limit: '100' }));
        const { next_cursor: cursor } = (await page(path, { limit: '7' })).body.meta!;
        expect(uuids(await page(path, { limit: '3', after: cursor! })), path).to.deep.equal(
          whole.slice(7, 10),
        );
      }
    });
  });
});
