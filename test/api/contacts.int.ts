/**
 * Contacts over real sockets: search, details, and the upsert by external id with concurrent calls (spec §2, §4, §8).
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { directCommand } from '../../application/app.js';
import { attribute, isOptedOut, optIn, optOut } from '../../application/contacts/marketing.js';
import { resolveContact } from '../../application/people/resolve-contact.js';
import { mergeContacts } from '../../application/people/primary-contact.js';
import { externalIdentity, personIdentity } from '../../application/people/subject.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { phoneKey } from '../../domain/policies/phone.js';
import {
  ask,
  countEvents,
  dataOf,
  fieldsOf,
  outcomeOf,
  pagesOf,
  type Answer,
} from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { addConversation, addIntegration, issueKey, makeWorld, type World } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { runs, SEED } from '../support/soak.js';

interface ContactBody {
  readonly uuid: string;
  readonly external_id: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly marketing_opted_out: boolean;
  readonly marketing_opt_out_at: string | null;
}

describe('contacts', () => {
  let world: World;
  let lines = 0;

  const api = opened(makeApi);
  beforeEach(async () => {
    world = await makeWorld(api.app);
  });

  /** A Brazilian mobile number that no other test uses. */
  const freshPhone = (): string => `+55119${String(80_000_000 + (lines += 1))}`;
  const put = (externalId: string, json: object, key = world.key): Promise<Answer> =>
    ask(api, 'PUT', `/contacts/external/${encodeURIComponent(externalId)}`, { key, json });
  const patch = (uuid: string, json: object, key = world.key): Promise<Answer> =>
    ask(api, 'PATCH', `/contacts/${uuid}`, { key, json });
  const get = (uuid: string, key = world.key): Promise<Answer> =>
    ask(api, 'GET', `/contacts/${uuid}`, { key });
  const contactOf = (answer: Answer): ContactBody => dataOf(answer);
  const page = (query: string, key = world.key): Promise<Answer> =>
    ask(api, 'GET', `/contacts?query=${query}`, { key });
  const found = async (query: string): Promise<readonly string[]> => {
    const contacts = dataOf<ContactBody[]>(await page(encodeURIComponent(query)));
    return contacts.map(({ name }) => name ?? '');
  };
  /** Returns the names of all pages with `limit` contacts each. */
  const listed = async (query: string, limit: number, key = world.key): Promise<readonly string[]> => {
    const pages = await pagesOf(async (after) => {
      const answer = await page(`${query}&limit=${limit}${after}`, key);
      return { data: dataOf<ContactBody[]>(answer), next: answer.body.meta!.next_cursor };
    });
    return pages.flat().map(({ name }) => name!);
  };
  const command = () => directCommand(api.app, { company: world.company, actor: 'test' });
  const person = (phone: string | null, waUserId: string | null) => ({
    phone,
    phoneKey: phone === null ? null : phoneKey(phone),
    waUserId,
    name: null,
  });

  describe('PUT /contacts/external/{external_id}', () => {
    it('makes the contact once, shows it at once and writes nothing for the same again', async () => {
      const body = {
        phone: freshPhone(),
        name: 'María José 🌸 مريم',
        email: 'maria@example.com',
        tags: ['vip', 'vip', 'novo'],
        custom_fields: { utm_source: 'google', nested: { a: [1, null] } },
      };
      const made = contactOf(await put('cliente 1/é', body));
      expect(made).to.deep.include({ ...body, tags: ['vip', 'novo'], external_id: 'cliente 1/é' });
      expect(contactOf(await get(made.uuid))).to.deep.equal(made);
      const before = await countEvents(api);
      expect(contactOf(await put('cliente 1/é', body))).to.deep.equal(made);
      expect(await countEvents(api)).to.equal(before);
    });

    it('knows a phone with and without the ninth digit, and keeps it as it was given first', async () => {
      const made = contactOf(await put('a', { phone: '+553188887777' }));
      const again = contactOf(await put('a', { phone: '+5531988887777', name: 'Bia' }));
      expect(again).to.include({ uuid: made.uuid, phone: '+553188887777', name: 'Bia' });
    });

    it('repoints an identifier: the old contact stays without it', async () => {
      const old = contactOf(await put('a', { phone: freshPhone(), name: 'Velha' }));
      const next = contactOf(await put('a', { phone: freshPhone() }));
      expect(next.uuid).to.not.equal(old.uuid);
      expect(next.external_id).to.equal('a');
      expect(contactOf(await get(old.uuid))).to.include({ external_id: null, name: 'Velha' });
      const back = contactOf(await put('a', { phone: old.phone }));
      expect(back).to.include({ uuid: old.uuid, external_id: 'a' });
      expect(contactOf(await get(next.uuid)).external_id).to.equal(null);
    });

    it('refuses a second identifier for one phone, and says which one is there', async () => {
      const made = contactOf(await put('a', { phone: freshPhone(), name: 'Ana' }));
      const before = await countEvents(api);
      const answer = await put('b', { phone: made.phone, name: 'Outra' });
      expect(answer.status).to.equal(409);
      expect(answer.body.error).to.deep.include({
        code: 'external_contact_conflict',
        details: { contact_uuid: made.uuid, external_id: 'a' },
      });
      expect(await countEvents(api), 'nothing was written').to.equal(before);
    });

    it('keeps integrations apart', async () => {
      const site = await addIntegration(api.app, world);
      const made = contactOf(await put('a', { phone: freshPhone() }));
      const theirs = contactOf(await put('x', { phone: made.phone }, site.key));
      expect(theirs).to.include({ uuid: made.uuid, external_id: 'x' });
      expect(contactOf(await get(made.uuid)).external_id).to.equal('a');
    });

    it('needs contacts:write', async () => {
      const { apiKey } = await issueKey(api.app, world.integration, ['contacts:read']);
      const answer = await put('a', { phone: freshPhone() }, apiKey);
      expect(outcomeOf(answer)).to.deep.equal([403, 'insufficient_scope']);
    });

    it('refuses what is no phone', async () => {
      for (const phone of ['11987654321', '+55', '+551187', 'maria', '+5500987654321', '+55 11 9876A4321']) {
        const answer = await put('a', { phone });
        expect([answer.status, fieldsOf(answer)[0]?.code], phone).to.deep.equal([422, 'phone_invalid']);
      }
    });

    for (const n of [1, 2, 3]) {
      it(`ends races in answers that agree with what is stored (${n})`, async () => {
        const phones = [freshPhone(), freshPhone()];
        const ids = ['a', 'b', 'c'];
        const moves = fc.sample(
          fc.record({ phone: fc.constantFrom(...phones), id: fc.constantFrom(...ids) }),
          { numRuns: 24, seed: SEED + n },
        );
        const answers = await Promise.all(moves.map(({ id, phone }) => put(id, { phone })));
        const uuids = new Set<string>();
        for (const [i, answer] of answers.entries()) {
          if (answer.status === 409) {
            const code = answer.body.error?.code;
            expect(code).to.be.oneOf(['external_contact_conflict', 'concurrent_update']);
            continue;
          }
          const contact = contactOf(answer);
          uuids.add(contact.uuid);
          expect(contact.phone).to.equal(moves[i]!.phone);
        }
        expect(uuids.size, 'one contact per phone').to.be.within(1, phones.length);
        const shown = new Map<string, string>();
        for (const uuid of uuids) {
          const { external_id: id } = contactOf(await get(uuid));
          if (id === null) continue;
          expect(shown.has(id), `${id} is shown by one contact`).to.equal(false);
          shown.set(id, uuid);
        }
        for (const [id, uuid] of shown) {
          const identity = externalIdentity(api.app.indexSecret, world.integration, id);
          const { state } = await api.app.executor.load(identityAggregate, identity);
          expect(state.owner, `${id} belongs to whom it is shown by`).to.equal(uuid);
        }
        expect(shown.size).to.be.greaterThan(0);
      });
    }

    it('shows an identifier that many phones race for on one contact only', async () => {
      for (let round = 0; round < 4; round += 1) {
        const id = `corrida${'abcd'.charAt(round)}`;
        const phones = Array.from({ length: 12 }, () => freshPhone());
        const answers = await Promise.all(phones.map((phone) => put(id, { phone })));
        const lost = answers.filter(({ status }) => status !== 200);
        for (const answer of lost) expect(answer.body.error?.code).to.equal('concurrent_update');
        expect(lost.length).to.be.below(answers.length);
        const holders = dataOf<ContactBody[]>(await page(id));
        expect(holders.map(({ external_id }) => external_id)).to.deep.equal([id]);
      }
    });

    it('lets one of two identifiers that race for a new phone have it', async () => {
      for (let round = 0; round < 10; round += 1) {
        const phone = freshPhone();
        const answers = await Promise.all(['p', 'q', 'r'].map((id) => put(`${id}${round}`, { phone })));
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
      }
    });
  });

  describe('PATCH /contacts/{contact_uuid}', () => {
    it('preserves what is left out, merges custom fields, replaces tags, clears with null', async () => {
      const made = contactOf(
        await put('a', {
          phone: freshPhone(),
          name: 'Ana',
          email: 'ana@example.com',
          tags: ['x'],
          custom_fields: { a: 1, b: 2 },
        }),
      );
      const first = contactOf(await patch(made.uuid, { custom_fields: { b: null, c: 'x' } }));
      expect(first).to.deep.include({ name: 'Ana', tags: ['x'], custom_fields: { a: 1, b: null, c: 'x' } });
      const second = contactOf(await patch(made.uuid, { name: null, email: null, tags: [] }));
      expect(second).to.deep.include({ name: null, email: null, tags: [] });
      expect(second.custom_fields).to.deep.equal({ a: 1, b: null, c: 'x' });
      const before = await countEvents(api);
      expect(contactOf(await patch(made.uuid, {}))).to.deep.equal(second);
      expect(await countEvents(api)).to.equal(before);
    });

    it('loses no key when many are written at once', async () => {
      const made = contactOf(await put('a', { phone: freshPhone() }));
      const write = async (n: number): Promise<void> => {
        for (;;) {
          const answer = await patch(made.uuid, { custom_fields: { [`k${n}`]: n } });
          if (answer.status === 200) return;
          expect(answer.body.error?.code).to.equal('concurrent_update');
        }
      };
      await Promise.all([...Array(12).keys()].map(write));
      const { custom_fields: fields } = contactOf(await get(made.uuid));
      expect(Object.keys(fields)).to.have.length(12);
    });

    it('holds to its bounds, exactly', async () => {
      const { uuid } = contactOf(await put('a', { phone: freshPhone() }));
      const tags = (n: number): string[] => [...Array(n).keys()].map(String);
      const keys = (n: number): object => Object.fromEntries(tags(n).map((key) => [`k${key}`, 1]));
      const nested = (n: number): unknown => (n === 0 ? 1 : { in: nested(n - 1) });
      const good: object[] = [
        { name: '🌸'.repeat(220) },
        { tags: tags(50) },
        { custom_fields: { deep: nested(5) } },
        { custom_fields: { long: 'x'.repeat(32_000) } },
      ];
      for (const body of good) expect((await patch(uuid, body)).status, JSON.stringify(body)).to.equal(200);
      const bad: [object, string][] = [
        [{ name: 'x'.repeat(221) }, 'name'],
        [{ tags: tags(51) }, 'tags'],
        [{ tags: ['  '] }, 'tags[0]'],
        [{ email: 'not an address' }, 'email'],
        [{ custom_fields: { deep: nested(6) } }, 'custom_fields.deep'],
        [{ custom_fields: { long2: 'x'.repeat(1_000) } }, 'custom_fields'],
        [{ custom_fields: keys(201) }, 'custom_fields'],
        [{ custom_fields: { many: Array.from({ length: 60_000 }, () => 0) } }, 'custom_fields'],
        [{ custom_fields: { ['k'.repeat(129)]: 1 } }, 'custom_fields'],
        [{ phone: '+5511987654321' }, 'phone'],
      ];
      for (const [body, path] of bad) {
        const answer = await patch(uuid, body);
        expect(outcomeOf(answer), path).to.deep.equal([422, 'validation_failed']);
        expect(fieldsOf(answer)[0]?.path).to.equal(path);
      }
      // More values than a request body may contain.
      const many = Array.from({ length: 125_000 }, () => 0);
      const tooMany = await patch(uuid, { custom_fields: { many } });
      expect(outcomeOf(tooMany)).to.deep.equal([413, 'payload_too_large']);
    });

    it('takes names that every object inherits for what they are', async () => {
      const { uuid } = contactOf(await put('a', { phone: freshPhone() }));
      const raw = '{"custom_fields":{"__proto__":{"admin":true},"constructor":"x","toString":1}}';
      const answer = await ask(api, 'PATCH', `/contacts/${uuid}`, {
        key: world.key,
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status, answer.text).to.be.oneOf([200, 422]);
      expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
      const fields = contactOf(await get(uuid)).custom_fields;
      if (answer.status === 200) expect(fields['constructor']).to.equal('x');
      expect(fields['admin']).to.equal(undefined);
    });

    it("answers 404 for another company's contact", async () => {
      const { uuid } = contactOf(await put('a', { phone: freshPhone() }));
      const other = await makeWorld(api.app, 'Outra');
      for (const answer of [await get(uuid, other.key), await patch(uuid, { name: 'x' }, other.key)]) {
        expect(outcomeOf(answer)).to.deep.equal([404, 'not_found']);
      }
      expect(contactOf(await get(uuid)).name).to.equal(null);
    });
  });

  describe('GET /contacts', () => {
    it('finds by any word and any spelling', async () => {
      await put('cliente-42', {
        phone: '+5511987654321',
        name: 'João da Silva Ávila',
        email: 'joao.silva@loja.example',
        tags: ['VIP Ouro'],
      });
      await put('123.456.789-00', { phone: '+553188887777', name: 'Bia' });
      await put('us-1', { phone: '+12025550123', name: 'Sam' });
      const joao = ['joao', 'JOÃO sil', 'avi da', 'silva@loja', 'cliente-42', '42', 'vip', 'ouro joao'];
      joao.push('+55 (11) 98765-4321', '5511987654321', '11 98765-4321', '011 98765-4321', '98765-4321');
      joao.push('987654321', '87654321', '+55 11 8765-4321', '1187654321', '4321', '98765-43', '(11) 98');
      for (const query of joao) expect(await found(query), query).to.deep.equal(['João da Silva Ávila']);
      for (const query of ['123.456.789-00', '12345678900', '123.456', '+55 31 98888-7777', '3188887777']) {
        expect(await found(query), query).to.deep.equal(['Bia']);
      }
      for (const query of ['+1 202-555-0123', '(202) 555-0123', '2025550123']) {
        expect(await found(query), query).to.deep.equal(['Sam']);
      }
      for (const query of ['joao souza', 'ilva', '%', '.*', 'maria', '!!!', '🌸']) {
        expect(await found(query), query).to.deep.equal([]);
      }
      expect(await found('  ')).to.deep.equal(['Sam', 'Bia', 'João da Silva Ávila']);
    });

    it('finds by the external id of the integration that asks, never by those of others', async () => {
      const site = await addIntegration(api.app, world);
      for (let n = 0; n < 5; n += 1) {
        const phone = freshPhone();
        await put(`erp-${n}`, { phone, name: `Ana ${n}` });
        await put(`site-${n}`, { phone }, site.key);
      }
      await put('erp-zz', { phone: freshPhone(), name: 'Site 9' });
      const all = ['Ana 4', 'Ana 3', 'Ana 2', 'Ana 1', 'Ana 0'];
      expect(await listed('site', 2)).to.deep.equal(['Site 9']);
      expect(await listed('site', 2, site.key)).to.deep.equal(['Site 9', ...all]);
      expect(await listed('erp', 2, site.key)).to.deep.equal([]);
      expect(await listed('ana', 2, site.key)).to.deep.equal(all);
      expect(await listed('erp-3', 2)).to.deep.equal(['Ana 3']);
    });

    it('follows changes, and keeps to the company', async () => {
      const made = contactOf(await put('a', { phone: freshPhone(), name: 'Antiga' }));
      await patch(made.uuid, { name: 'Novíssima', tags: ['promo'] });
      expect(await found('antiga')).to.deep.equal([]);
      expect(await found('novis promo')).to.deep.equal(['Novíssima']);
      await patch(made.uuid, { tags: ['resto'] });
      expect(await found('promo'), 'a tag that was taken away').to.deep.equal([]);
      expect(await found('resto')).to.deep.equal(['Novíssima']);
      world = await makeWorld(api.app, 'Outra');
      expect(await found('novis')).to.deep.equal([]);
    });

    it('pages newest first, each contact once, with cursors bound to the query', async () => {
      for (let n = 0; n < 7; n += 1) await put(`c${n}`, { phone: freshPhone(), name: `Ana ${n}` });
      const seen = await pagesOf(async (after) => {
        const { body } = await page(`ana&limit=3${after}`);
        const next = body.meta!.next_cursor;
        if (next !== null) {
          const other = await page(`an&limit=3&after=${next}`);
          expect(outcomeOf(other)).to.deep.equal([422, 'invalid_cursor']);
        }
        return { data: (body.data as ContactBody[]).map(({ name }) => name!), next };
      });
      expect(seen.flat()).to.deep.equal(['Ana 6', 'Ana 5', 'Ana 4', 'Ana 3', 'Ana 2', 'Ana 1', 'Ana 0']);
    });

    it('takes 120 characters and no more', async () => {
      expect((await page('a'.repeat(120))).status).to.equal(200);
      expect((await page('a'.repeat(121))).status).to.equal(422);
    });
  });

  describe('twins', () => {
    const inbound = (phone: string | null, userId: string | null) =>
      resolveContact(api.app, world.company, person(phone, userId), 'inbound', command());

    it('become one contact when a message proves them the same: both uuids answer it', async () => {
      const phone = freshPhone();
      const byPhone = contactOf(await put('a', { phone, name: 'Ana', tags: ['x'] }));
      const byUser = await inbound(null, 'BR.123');
      await patch(byUser.uuid, { email: 'ana@example.com', tags: ['y'], custom_fields: { k: 1 } });
      const theirs = await addConversation(api.app, world, byUser.uuid);
      const merged = await inbound(phone, 'BR.123');
      expect(merged.uuid, 'the older one goes on').to.equal(byPhone.uuid);
      const one = contactOf(await get(byPhone.uuid));
      expect(one).to.deep.include({
        uuid: byPhone.uuid,
        external_id: 'a',
        name: 'Ana',
        email: 'ana@example.com',
        tags: ['x', 'y'],
        custom_fields: { k: 1 },
      });
      expect(contactOf(await get(byUser.uuid))).to.deep.equal(one);
      expect(contactOf(await patch(byUser.uuid, { name: 'Ana B' })).uuid).to.equal(byPhone.uuid);
      const conversation = await ask(api, 'GET', `/conversations/${theirs}`, { key: world.key });
      expect((conversation.body.data as { contact: ContactBody }).contact.uuid).to.equal(byPhone.uuid);
      expect(await found('ana')).to.deep.equal(['Ana B']);
      expect((await inbound(null, 'BR.123')).uuid).to.equal(byPhone.uuid);
      for (const who of [phoneKey(phone), 'BR.123']) {
        const identity = personIdentity(api.app.indexSecret, world.company, who);
        const { state } = await api.app.executor.load(identityAggregate, identity);
        expect(state.owner, 'handed over').to.equal(byPhone.uuid);
      }
    });

    it('give a contact without phone the one that becomes known', async () => {
      const byUser = await inbound(null, 'BR.7');
      const phone = freshPhone();
      expect((await inbound(phone, 'BR.7')).uuid).to.equal(byUser.uuid);
      expect(contactOf(await get(byUser.uuid)).phone).to.equal(phone);
      expect(contactOf(await put('a', { phone })).uuid).to.equal(byUser.uuid);
    });

    it('are merged once by many at a time, from either side, and keep the latest wish', async () => {
      const contacts = [];
      for (let n = 0; n < 4; n += 1) contacts.push(await inbound(freshPhone(), null));
      const wish = { source: 'keyword', at: '2026-01-02T00:00:00.000Z', messageUuid: null } as const;
      await optOut(api.app, { companyUuid: world.company, uuid: contacts[3]!.uuid }, wish, command());
      const uuids = contacts.map(({ uuid }) => uuid);
      const pairs = uuids.flatMap((a) => uuids.filter((b) => b !== a).map((b) => [a, b] as const));
      let tries = 0;
      const merge = async (pair: readonly [string, string]): Promise<void> => {
        for (; tries < 200; tries += 1) {
          try {
            await mergeContacts(api.app, world.company, pair, 'manual', command());
            return;
          } catch (error) {
            if ((error as { code?: string }).code !== 'concurrent_update') throw error;
          }
        }
      };
      await Promise.all(pairs.map(merge));
      for (const uuid of uuids) {
        const contact = contactOf(await get(uuid));
        expect(contact).to.include({ uuid: uuids[0], marketing_opted_out: true });
        expect((await isOptedOut(api.app, uuid)).optedOut).to.equal(true);
      }
      const all = await ask(api, 'GET', '/contacts', { key: world.key });
      expect(all.body.data).to.have.length(1);
      for (const { contact } of contacts) {
        expect((await inbound(contact.phone, null)).uuid, 'identities lead to the one').to.equal(uuids[0]);
      }
    });

    it('are finished by whoever comes next when a merge was broken off after its decision', async () => {
      const phone = freshPhone();
      const older = contactOf(await put('a', { phone: freshPhone(), name: 'Ana' }));
      const younger = contactOf(await put('b', { phone, tags: ['y'] }));
      const { contactAggregate } = await import('../../domain/contact/decide.js');
      await api.app.executor.execute(
        contactAggregate,
        younger.uuid,
        { type: 'MergeInto', contactUuid: older.uuid, reason: 'manual' },
        { ...command(), subject: api.app.newId() },
      );
      const after = contactOf(await put('b', { phone, email: 'ana@example.com' }));
      expect(after).to.deep.include({
        uuid: older.uuid,
        tags: ['y'],
        email: 'ana@example.com',
        external_id: 'b',
      });
      expect(contactOf(await put('a', { phone: older.phone })).external_id).to.equal('a');
    });
  });

  describe('marketing', () => {
    const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

    it('holds the wish uttered last, whatever order wishes come in', async () => {
      const wishes = fc.array(fc.record({ out: fc.boolean(), second: fc.nat(20) }), {
        minLength: 1,
        maxLength: 5,
      });
      await fc.assert(
        fc.asyncProperty(wishes, async (list) => {
          const { uuid } = contactOf(await put(`w${(lines += 1)}`, { phone: freshPhone() }));
          for (const { out, second } of list) {
            const wish = { source: 'keyword', at: at(second), messageUuid: null } as const;
            await (out ? optOut : optIn)(api.app, { companyUuid: world.company, uuid }, wish, command());
          }
          const last = Math.max(...list.map(({ second }) => second));
          const expected = list.some(({ out, second }) => out && second === last);
          expect(contactOf(await get(uuid)).marketing_opted_out).to.equal(expected);
          expect((await isOptedOut(api.app, uuid)).optedOut).to.equal(expected);
        }),
        { numRuns: runs(20) },
      );
    });

    it('records the ad of the first touch, once, and over nothing that is there', async () => {
      const { uuid } = contactOf(
        await put('a', { phone: freshPhone(), custom_fields: { ad_id: 'by hand' } }),
      );
      const contact = { companyUuid: world.company, uuid };
      const referral = { ctwa_clid: 'Aff1', source_id: '120', source_type: 'ad', headline: 'Oferta' };
      await attribute(api.app, contact, {}, command());
      await attribute(api.app, contact, referral, command());
      await attribute(api.app, contact, { ...referral, ctwa_clid: 'Aff2' }, command());
      expect(contactOf(await get(uuid)).custom_fields).to.deep.equal({
        ad_id: 'by hand',
        ctwa_clid: 'Aff1',
        referral_source: 'ad',
      });
    });
  });
});
