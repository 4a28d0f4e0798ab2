/**
 * `Idempotency-Key` on the creation of a product: a repeated request returns the product that the first one created.
 */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import type { KeyedRequest } from '../../../application/accept-once.js';
import { storeOf } from '../../../application/store/gate.js';
import { createProductOnce } from '../../../application/store/products/write.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { deriveSecretId } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { ask, dataOf, fieldsOf, outcomeOf, type Answer } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { addIntegration } from '../../support/api/world.js';
import { opened, openedForEach } from '../../support/opened.js';
import { eventsOf, openShop, productHistory, type ProductBody } from './products.js';

const mug = { name: 'Caneca', price: '10.00', import_handle: 'caneca', stock: 3 };
const REUSED = [409, 'idempotency_key_reused'];

describe('store products: Idempotency-Key', () => {
  const api = opened(makeApi);
  const shop = openedForEach(() => openShop(api));

  const create = (idempotencyKey: string | string[], json: object, key = shop.key): Promise<Answer> =>
    ask(api, 'POST', '/store/products', { key, headers: { 'idempotency-key': idempotencyKey }, json });
  const uuidOf = (answer: Answer): string => dataOf<ProductBody>(answer, 201).uuid;
  const names = (): Promise<readonly string[]> => shop.names('', 50);

  it('answers a retry like the first time, also with its keys in another order, and makes nothing', async () => {
    const first = await create('k', { ...mug, no_such_field: 1 });
    expect(first.headers).to.not.have.property('idempotent-replayed');
    let again: Answer | undefined;
    const events = await eventsOf(api.app, async () => {
      again = await create('k', { no_such_field: 1, ...Object.fromEntries(Object.entries(mug).reverse()) });
    });
    expect(events).to.deep.equal([]);
    expect(again!.status).to.equal(201);
    expect(again!.text).to.equal(first.text);
    expect(again!.headers).to.include({
      location: first.headers.location,
      'idempotent-replayed': 'true',
    });
    expect(first.text).to.include('no_such_field');
  });

  it('answers the product as it was made, also once it was changed and deleted', async () => {
    const first = await create('k', mug);
    const uuid = uuidOf(first);
    await shop.patch(uuid, { price: 12, import_handle: 'outra' });
    expect((await create('k', mug)).text).to.equal(first.text);
    await shop.send('DELETE', `/${uuid}`);
    expect((await create('k', mug)).text).to.equal(first.text);
    expect(await names()).to.deep.equal([]);
  });

  it('refuses the key for another product, and makes none', async () => {
    await create('k', mug);
    for (const other of [
      { ...mug, price: '11.00' },
      { name: 'Copo', price: 5 },
      { name: 'Copo', price: -5 },
    ])
      expect(outcomeOf(await create('k', other))).to.deep.equal(REUSED);
    expect(await names()).to.deep.equal(['Caneca']);
  });

  it('is each integration its own, and left out as ever', async () => {
    const plain = { name: 'Caneca', price: 10 };
    const other = await addIntegration(api.app, shop);
    const uuids = [
      uuidOf(await create('k', plain)),
      uuidOf(await create('k', plain, other.key)),
      (await shop.create(plain)).uuid,
      (await shop.create(plain)).uuid,
    ];
    expect(new Set(uuids).size).to.equal(4);
  });

  it('does not remember what was refused', async () => {
    const taken = await shop.create(mug);
    expect(outcomeOf(await create('k', { ...mug, price: -1 }))).to.deep.equal([422, 'price_invalid']);
    expect(outcomeOf(await create('k', mug))).to.deep.equal([422, 'import_handle_taken']);
    await shop.send('DELETE', `/${taken.uuid}`);
    const uuid = uuidOf(await create('k', mug));
    expect(await productHistory(api.app, uuid)).to.deep.equal(['ProductCreated']);
  });

  it('is one header of 1 to 128 characters', async () => {
    for (const [value, code] of [
      ['', 'min_length'],
      ['x'.repeat(129), 'max_length'],
      [['a', 'b'], 'repeated'],
    ] as const) {
      const answer = await create(value as string, mug);
      expect(fieldsOf(answer).map((field) => [field.path, field.code])).to.deep.equal([
        ['header.Idempotency-Key', code],
      ]);
    }
  });

  it('makes one product of requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create('k', { name: 'Caneca', price: 1 })),
    );
    expect(new Set(answers.map(uuidOf)).size).to.equal(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'])).to.have.length(4);
    expect(await names()).to.deep.equal(['Caneca']);
  });

  describe('in several processes', () => {
    /** Runs the request as another process would: concurrently with the others, not serialised behind them. */
    async function elsewhere(body: object): Promise<string> {
      const app = { ...api.app, executor: api.app.executor.over(api.app.store) };
      const request: KeyedRequest<unknown> = {
        companyUuid: shop.company,
        integrationUuid: shop.integration,
        keyId: 'k',
        keyOwner: shop.integration,
        actor: 'key:k',
        idempotencyKey: 'k',
        requestId: 'r',
        method: 'POST',
        route: '/store/products',
        body,
      };
      const context = directCommand(app, { company: shop.company, actor: 'test' });
      try {
        const { doc } = await createProductOnce(app, await storeOf(app, shop.company), request, context);
        return doc.uuid;
      } catch (error) {
        if (error instanceof Refusal) return error.code;
        throw error;
      }
    }

    for (const [title, body] of [
      ['with an import handle', mug],
      ['without one', { name: 'Caneca', price: 10 }],
    ] as const) {
      it(`makes one product of requests at once, ${title}`, async () => {
        const outcomes = await Promise.all(Array.from({ length: 6 }, () => elsewhere(body)));
        const uuids = new Set(outcomes.filter((outcome) => outcome !== 'concurrent_update'));
        expect([...uuids], outcomes.join()).to.have.length(1);
        expect(await names()).to.deep.equal(['Caneca']);
        expect(await elsewhere(body)).to.equal([...uuids][0]);
        expect(uuidOf(await create('k', body))).to.equal([...uuids][0]);
      });
    }

    it('makes one product where the requests differ', async () => {
      const bodies = ['a', 'b', 'c', 'd'].map((handle) => ({ ...mug, import_handle: handle }));
      const outcomes = await Promise.all([...bodies, { name: 'Caneca', price: 1 }].map(elsewhere));
      const made = outcomes.filter((outcome) => outcome.includes('-'));
      expect(made, outcomes.join()).to.have.length.at.most(1);
      expect(await names()).to.have.length(made.length);
      const refusals = outcomes.filter((outcome) => !outcome.includes('-'));
      expect(['idempotency_key_reused', 'concurrent_update']).to.include.members(refusals);
    });
  });

  describe('whose first request broke off after it had claimed the key', () => {
    async function breakOff(key: string): Promise<string> {
      const { app } = api;
      const owner = app.newId();
      const id = deriveSecretId(app.indexSecret, 'product_key', shop.integration, key);
      const context = directCommand(app, { company: shop.company, actor: 'test' });
      const claim = { type: 'ClaimIdentity', kind: 'product_key', owner } as const;
      await app.executor.execute(identityAggregate, id, claim, context);
      return owner;
    }

    it('makes the product that was meant', async () => {
      const uuid = await breakOff('k');
      expect(uuidOf(await create('k', { name: 'Caneca', price: 1 }))).to.equal(uuid);
    });

    it('makes another one under its import handle, and what was meant never comes about', async () => {
      const meant = await breakOff('k');
      const uuid = uuidOf(await create('k', mug));
      expect(uuid).to.not.equal(meant);
      expect(await productHistory(api.app, meant)).to.deep.equal(['ProductDeleted']);
      expect(uuidOf(await create('k', mug))).to.equal(uuid);
    });
  });
});
