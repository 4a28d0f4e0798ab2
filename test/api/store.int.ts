import { expect } from 'chai';
import { createCategory, removeCategory } from '../../application/store/categories.js';
import { changeStore, changeStorePlan, openStore, storeBySlug } from '../../application/store/settings.js';
import { batchProducts, deleteProduct } from '../../application/store/products/write.js';
import { storeOf } from '../../application/store/gate.js';
import { moveOrder } from '../../application/store/orders/move.js';
import { placeOrder } from '../../application/store/orders/place.js';
import { loadContract, operationsOf } from '../../api/contract.js';
import { directCommand } from '../../application/app.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import { ask, dataOf } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectRefused } from '../support/api/refused.js';
import { issueKey, makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';

const ADMIN = { actor: 'admin' };
const UNKNOWN = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c9999';
type Row = Readonly<Record<string, unknown>>;

describe('the store', () => {
  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app, 'Loja Aurora'));

  const get = async <T = Row>(path: string, key = world.key): Promise<T> =>
    dataOf(await ask(api, 'GET', path, { key }));
  const by = (companyUuid: string) => directCommand(api.app, { company: companyUuid, actor: 'test' });
  const storeOperations = operationsOf(loadContract().document).filter(({ path }) =>
    path.startsWith('/store'),
  );
  const concrete = (path: string): string => path.replaceAll(/\{\w+\}/g, UNKNOWN);

  describe('storefront_not_allowed', () => {
    it('is the answer of every store route where the plan has no storefront, before 404 and 422', async () => {
      expect(storeOperations).to.have.length(11);
      for (const { method, path } of storeOperations) {
        // A body that no operation accepts: validation alone would answer 422.
        const options = { key: world.key, ...(method === 'GET' ? {} : { json: { status: 7, products: 7 } }) };
        const request = [method, concrete(path), options] as const;
        const answer = await expectRefused(api, request, 403, 'storefront_not_allowed');
        expect(answer.body.error?.details, path).to.deep.equal({ feature: 'storefront' });
      }
    });

    it('comes after the credential and the scope', async () => {
      const { apiKey: key } = await issueKey(api.app, world.integration, ['store:read']);
      for (const [method, path, options, status, code] of [
        ['GET', '/store', {}, 401, 'unauthenticated'],
        ['POST', '/store/products', { key, json: {} }, 403, 'insufficient_scope'],
        ['DELETE', `/store/products/${UNKNOWN}`, { key }, 403, 'insufficient_scope'],
        ['GET', '/store', { key }, 403, 'storefront_not_allowed'],
      ] as const) {
        await expectRefused(api, [method, path, options], status, code);
      }
    });

    it('ends when the plan gets the storefront, and comes back with all kept when it loses it', async () => {
      const mine = await makeWorld(api.app, 'Loja do Plano');
      const input = { companyUuid: mine.company };
      await changeStorePlan(api.app, { ...input, allowed: true }, ADMIN);
      const first = await get('/store', mine.key);
      expect(first).to.deep.include({ name: 'Loja do Plano', status: 'setup', public_url: null });
      await changeStorePlan(api.app, { ...input, allowed: false }, ADMIN);
      await expectRefused(api, ['GET', '/store', { key: mine.key }], 403, 'storefront_not_allowed');
      await changeStorePlan(api.app, { ...input, allowed: true }, ADMIN);
      expect(await get('/store', mine.key)).to.deep.include({ uuid: first['uuid'] });
    });
  });

  describe('GET /store', () => {
    before(() =>
      openStore(
        api.app,
        {
          companyUuid: world.company,
          settings: {
            status: 'active',
            whatsappPhone: '+5511987654321',
            pickup: { location: 'Rua das Flores, 10' },
            delivery: { feeCents: 1_000, freeFromCents: null, zipPrefixes: [] },
          },
        },
        ADMIN,
      ),
    );

    it('shows an empty store', async () => {
      const { body } = await ask(api, 'GET', '/store', { key: world.key });
      const { uuid: _uuid, updated_at: _at, ...rest } = body.data as Row;
      expect(rest).to.deep.equal({
        name: 'Loja Aurora',
        status: 'active',
        public_url: 'https://recado.example/loja/loja-aurora',
        whatsapp_url: 'https://wa.me/5511987654321',
        currency: 'BRL',
        timezone: 'America/Sao_Paulo',
        product_count: 0,
        active_product_count: 0,
        product_limit: 5000,
        order_count: 0,
        orders_by_status: { novo: 0, confirmado: 0, pago: 0, entregue: 0, cancelado: 0 },
      });
      expect(body).to.not.have.property('meta');
    });

    it('counts what there is: products shown, hidden and deleted, orders by their status', async () => {
      const { app } = api;
      const store = await storeOf(app, world.company);
      const command = () => by(world.company);
      const items = [1, 2, 3, 4].map((n) => ({
        import_handle: `p${n}`,
        name: `Produto ${n}`,
        price: '10.00',
        active: n !== 3,
      }));
      const { data } = await batchProducts(app, store, items, command());
      const uuids = data.map(({ product_uuid: uuid }) => uuid!);
      await deleteProduct(app, store, uuids[3]!, command());
      const place = async () =>
        (
          await placeOrder(
            app,
            store,
            {
              orderUuid: app.newId(),
              source: 'api',
              lines: [{ productUuid: uuids[0]!, variantUuid: null, quantity: 1 }],
              customer: { name: 'Ana', phone: '+5511987650001', email: null, document: null },
              fulfillment: 'pickup',
              address: null,
              payment: { method: 'cash' },
              note: null,
              tracking: {},
            },
            command(),
          )
        ).uuid;
      const [first] = [await place(), await place(), await place()];
      await moveOrder(app, world.company, first, 'confirmado', null, command());

      expect(await get('/store')).to.deep.include({
        product_count: 3,
        active_product_count: 2,
        order_count: 3,
        orders_by_status: { novo: 2, confirmado: 1, pago: 0, entregue: 0, cancelado: 0 },
      });
    });

    it('is paused and renamed at once, and its address goes with its slug', async () => {
      const settings = { name: 'Aurora', slug: 'aurora', status: 'paused' } as const;
      await changeStore(api.app, { companyUuid: world.company, settings }, ADMIN);
      expect(await get('/store')).to.deep.include({
        name: 'Aurora',
        status: 'paused',
        public_url: 'https://recado.example/loja/aurora',
      });
    });
  });

  describe('slugs', () => {
    it('of two stores that want the same one at once one gets it, and the other is told', async () => {
      const companies = [await makeWorld(api.app, 'Corrida A'), await makeWorld(api.app, 'Corrida B')];
      const settings = { slug: 'corrida' };
      const outcomes = await Promise.allSettled(
        companies.map(({ company }) => openStore(api.app, { companyUuid: company, settings }, ADMIN)),
      );
      const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []));
      expect(refusals.map(({ code }) => code)).to.deep.equal(['store_slug_taken']);
      const winner = companies[outcomes.findIndex(({ status }) => status === 'fulfilled')]!;
      expect((await storeBySlug(api.app, 'corrida'))?.state.companyUuid).to.equal(winner.company);
      await changeStore(api.app, { companyUuid: winner.company, settings: { slug: 'chegada' } }, ADMIN);
      expect((await storeBySlug(api.app, 'corrida'))?.state.slug, 'leads to the present one').to.equal(
        'chegada',
      );
      expect(await storeBySlug(api.app, 'ninguem')).to.equal(null);
    });

    it('that are made from one name differ', async () => {
      const companies = [await makeWorld(api.app, 'Ótica 1'), await makeWorld(api.app, 'ótica 1!')];
      const opened = await Promise.all(
        companies.map(({ company }) => openStore(api.app, { companyUuid: company, settings: {} }, ADMIN)),
      );
      expect(opened.map(({ state }) => state.slug)).to.have.members(['otica-1', 'otica-1-2']);
    });
  });

  describe('GET /store/categories', () => {
    const mine = opened(() => makeWorld(api.app, 'Loja das Categorias'));
    before(async () => {
      await changeStorePlan(api.app, { companyUuid: mine.company, allowed: true }, ADMIN);
    });

    it('lists the tree from the top, with the products that each holds', async () => {
      const { app } = api;
      const all = () => ask(api, 'GET', '/store/categories', { key: mine.key });
      expect((await all()).body).to.deep.equal({ data: [] });
      const make = async (name: string, parentUuid: string | null = null, position?: number) =>
        (await createCategory(app, mine.company, { name, parentUuid, position }, ADMIN)).categoryUuid;
      const clothes = await make('Roupas');
      const promo = await make('Promoções', null, 0);
      const shirts = await make('Camisetas', clothes);
      const gone = await make('Antiga');
      const store = await storeOf(app, mine.company);
      const item = (handle: string, category_uuid: string, active = true) => ({
        import_handle: handle,
        name: handle,
        price: 1,
        category_uuid,
        active,
      });
      const items = [
        item('a', shirts),
        item('b', shirts, false),
        item('c', clothes),
        item('d', gone),
        item('e', shirts),
      ];
      const { data } = await batchProducts(app, store, items, by(mine.company));
      expect(data.map(({ status }) => status)).to.deep.equal(Array(5).fill('created'));
      await deleteProduct(app, store, data[4]!.product_uuid!, by(mine.company));
      await removeCategory(app, mine.company, gone, ADMIN);

      const { body } = await all();
      expect(body).to.not.have.property('meta');
      const shown = (body.data as Row[]).map(
        ({ uuid, slug, parent_uuid, position, product_count, active }) => [
          uuid,
          slug,
          parent_uuid,
          position,
          product_count,
          active,
        ],
      );
      expect(shown).to.deep.equal([
        [promo, 'promocoes', null, 0, 0, true],
        [clothes, 'roupas', null, 1, 1, true],
        [shirts, 'camisetas', clothes, 0, 2, true],
      ]);
    });

    it("shows no other company's", async () => {
      const other = await makeWorld(api.app, 'Outra');
      await changeStorePlan(api.app, { companyUuid: other.company, allowed: true }, ADMIN);
      expect(await get('/store/categories', other.key)).to.deep.equal([]);
    });
  });
});
