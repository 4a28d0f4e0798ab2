/** Products over real sockets: requests, the stored result, and the events behind it (spec §2–§5, §7, §8). */
import { expect } from 'chai';
import { createCategory, removeCategory } from '../../../application/store/categories.js';
import { changeStorePlan } from '../../../application/store/settings.js';
import { dataOf, outcomeOf, type Answer } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { issueKey } from '../../support/api/world.js';
import { eventsOf, openShop, productHistory } from './products.js';
import { opened, openedForEach } from '../../support/opened.js';

const NOBODY = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c9999';

const shirt = {
  name: '  Camiseta Azul ',
  price: '49.90',
  description: '<p>Algodão <b>orgânico</b>.</p>',
  promo_price: 39.9,
  promo_ends_at: '2099-11-30T23:59:59-03:00',
  import_handle: 'camiseta-azul',
  gtin: '7891000315507',
  ncm: '6109.10.00',
  unit: 'UN',
  brand: '',
  weight_grams: 180,
  variants: [
    { options: { Tamanho: 'P', Cor: 'Azul' }, sku: 'CAM-P', stock: 12 },
    { options: { Cor: 'Azul', Tamanho: 'M' }, sku: 'CAM-M', price: 59.9 },
  ],
};

describe('store products', () => {
  const api = opened(makeApi);
  const shop = openedForEach(() => openShop(api));

  const changes = (work: () => Promise<unknown>) => eventsOf(api.app, work);

  describe('POST', () => {
    it('answers the whole product with prices that hold, and shows it at once', async () => {
      const answer = await shop.send('POST', '', shirt);
      const made = dataOf(answer, 201);
      expect(answer.headers.location).to.equal(`/api/v1/store/products/${String(made['uuid'])}`);
      expect(answer.body).to.not.have.property('meta');
      expect(made).to.deep.include({
        name: 'Camiseta Azul',
        description: 'Algodão orgânico.',
        price: '49.90',
        promo_price: '39.90',
        promo_active: true,
        effective_price: '39.90',
        price_range: { min: '39.90', max: '59.90' },
        promo_ends_at: '2099-12-01T02:59:59.000Z',
        ncm: '61091000',
        brand: null,
        stock_tracked: true,
        in_stock: true,
        active: true,
        version: 1,
        images: [],
      });
      expect(made['slug']).to.match(/^camiseta-azul-[0-9a-z]{6}$/);
      const [small, medium] = made['variants'] as Record<string, unknown>[];
      expect(small).to.deep.include({
        name: 'P / Azul',
        price: '49.90',
        effective_price: '39.90',
        stock: 12,
      });
      // The axes follow the order of the first variant. The promotion does not apply to a variant with a price of its
      // own.
      expect(medium).to.deep.include({
        name: 'M / Azul',
        promo_price: null,
        effective_price: '59.90',
        stock: null,
      });
      expect(await shop.get(made['uuid'] as string)).to.deep.equal(made);
      expect(await productHistory(api.app, made['uuid'] as string)).to.deep.equal(['ProductCreated']);
    });

    it('ignores unknown fields and says so', async () => {
      const answer = await shop.send('POST', '', {
        name: 'Caneca',
        price: 10,
        cor: 'azul',
        variants: [{ options: { Cor: 'Azul' }, preco: 1 }],
      });
      expect(answer.status, answer.text).to.equal(201);
      const { warnings } = answer.body.meta as unknown as { warnings: { code: string; field: string }[] };
      expect(warnings.map(({ code, field }) => [code, field])).to.deep.equal([
        ['unknown_field', 'cor'],
        ['unknown_field', 'variants[0].preco'],
      ]);
    });

    const variant = (size: string, more: object = {}) => ({ options: { Tamanho: size }, ...more });
    const refusals: readonly (readonly [string, object, string, object])[] = [
      ['no name', { price: 1 }, 'validation_failed', { field: 'name', pointer: '/name', rule: 'required' }],
      ['a blank name', { name: ' ', price: 1 }, 'validation_failed', { field: 'name', rule: 'min_length' }],
      ['no price', { name: 'A' }, 'price_invalid', { field: 'price', rule: 'required', max: '9999999.99' }],
      ['a comma', { name: 'A', price: '1,99' }, 'price_invalid', { pointer: '/price', rule: 'format' }],
      ['an exponent', { name: 'A', price: '1e3' }, 'price_invalid', { rule: 'format' }],
      ['three decimals', { name: 'A', price: 1.999 }, 'price_invalid', { rule: 'decimals' }],
      ['a negative price', { name: 'A', price: -1 }, 'price_invalid', { rule: 'minimum' }],
      ['too high a price', { name: 'A', price: '10000000.00' }, 'price_invalid', { rule: 'maximum' }],
      [
        'a promotion that is none',
        { name: 'A', price: 10, promo_price: '10.00' },
        'promo_price_invalid',
        { field: 'promo_price', price: '10.00', promo_price: '10.00', rule: 'must_be_lower_than_price' },
      ],
      ['a promotion for nothing', { name: 'A', price: 10, promo_price: 0 }, 'promo_price_invalid', {}],
      ['a promotion below zero', { name: 'A', price: 10, promo_price: '-1' }, 'promo_price_invalid', {}],
      [
        'a promotion that ends before it starts',
        {
          name: 'A',
          price: 10,
          promo_starts_at: '2026-02-01T00:00:00Z',
          promo_ends_at: '2026-01-01T00:00:00Z',
        },
        'promo_price_invalid',
        { field: 'promo_ends_at', rule: 'window' },
      ],
      [
        "a variant's promotion above the product's price",
        { name: 'A', price: 10, variants: [variant('P'), variant('M', { promo_price: 11 })] },
        'promo_price_invalid',
        { field: 'variants[1].promo_price', pointer: '/variants/1/promo_price', price: '10.00' },
      ],
      [
        'the same options twice',
        { name: 'A', price: 10, variants: [variant('Médio'), variant('P'), variant('medio ')] },
        'variant_duplicated',
        { by: 'options', indexes: [0, 2], value: 'medio' },
      ],
      [
        'the same sku twice',
        { name: 'A', price: 10, variants: [variant('P', { sku: 'X' }), variant('M', { sku: 'X' })] },
        'variant_duplicated',
        { by: 'sku', indexes: [0, 1], value: 'X', field: 'variants[1].sku' },
      ],
      [
        'other axes',
        { name: 'A', price: 10, variants: [variant('P'), { options: { Cor: 'Azul' } }] },
        'variant_options_mismatch',
        { indexes: [1], expected_axes: ['Tamanho'] },
      ],
      [
        'no axis',
        { name: 'A', price: 10, variants: [{ options: {} }] },
        'variant_options_mismatch',
        { indexes: [0], expected_axes: [] },
      ],
      [
        'a bad check digit',
        { name: 'A', price: 1, gtin: '7891000315508' },
        'gtin_invalid',
        { field: 'gtin', rule: 'check_digit' },
      ],
      ['a short gtin', { name: 'A', price: 1, gtin: '789' }, 'gtin_invalid', { rule: 'length' }],
      [
        'a short ncm',
        { name: 'A', price: 1, ncm: '6109.10' },
        'ncm_invalid',
        { field: 'ncm', rule: 'length' },
      ],
      [
        'no such category',
        { name: 'A', price: 1, category_uuid: NOBODY },
        'category_not_found',
        { field: 'category_uuid', pointer: '/category_uuid', category_uuid: NOBODY },
      ],
      [
        'half a unit',
        { name: 'A', price: 1, stock: 0.5 },
        'validation_failed',
        { field: 'stock', rule: 'type' },
      ],
      [
        'too many pictures',
        { name: 'A', price: 1, image_urls: Array(11).fill('https://x.example/a.jpg') },
        'validation_failed',
        { field: 'image_urls', rule: 'max_items' },
      ],
      [
        'a picture that is none',
        { name: 'A', price: 1, variants: [variant('P', { image_url: 'https://x.example/none.jpg' })] },
        'product_image_invalid',
        { field: 'variants[0].image_url', pointer: '/variants/0/image_url' },
      ],
    ];
    for (const [what, body, code, details] of refusals) {
      it(`refuses ${what} with ${code}, and writes nothing`, async () => {
        const added = await changes(async () => {
          const answer = await shop.send('POST', '', body);
          expect(outcomeOf(answer), answer.text).to.deep.equal([422, code]);
          expect(answer.body.error!.details).to.deep.include(details);
        });
        expect(added).to.deep.equal([]);
      });
    }

    it('names every wrong field', async () => {
      const answer = await shop.send('POST', '', { name: 7, price: 'x', stock: -1, active: null });
      const fields = answer.body.error!.details['fields'] as { path: string; code: string }[];
      expect(fields.map(({ path, code }) => [path, code])).to.deep.equal([
        ['name', 'type'],
        ['price', 'format'],
        ['stock', 'minimum'],
        ['active', 'type'],
      ]);
    });

    it("refuses a handle that another product has, and another company's store has its own", async () => {
      const { uuid } = await shop.create(shirt);
      const again = await shop.send('POST', '', shirt);
      expect(outcomeOf(again)).to.deep.equal([422, 'import_handle_taken']);
      expect(again.body.error!.details).to.deep.include({
        import_handle: 'camiseta-azul',
        product_uuid: uuid,
      });
      expect((await (await openShop(api)).create(shirt)).uuid).to.not.equal(uuid);
    });

    it('needs the plan and the scope, in this order before anything is looked at', async () => {
      const { apiKey } = await issueKey(api.app, shop.integration, ['store:read']);
      const scope = await shop.send('POST', '', { nonsense: true }, apiKey);
      expect(outcomeOf(scope)).to.deep.equal([403, 'insufficient_scope']);
      await changeStorePlan(api.app, { companyUuid: shop.company, allowed: false }, { actor: 'admin' });
      const plan = await shop.send('POST', '', { nonsense: true });
      expect(outcomeOf(plan)).to.deep.equal([403, 'storefront_not_allowed']);
      expect((await shop.send('GET', `/${NOBODY}`)).body.error!.code).to.equal('storefront_not_allowed');
    });
  });

  describe('PATCH', () => {
    it('keeps what is left out, clears with null, and writes what differs and nothing else', async () => {
      const made = await shop.create(shirt);
      const added = await changes(async () => {
        const patched = await shop.patch(made.uuid, { brand: 'Aurora', unit: null });
        expect(patched).to.deep.equal({
          ...made,
          brand: 'Aurora',
          unit: null,
          version: 2,
          updated_at: patched['updated_at'],
        });
      });
      expect(added).to.deep.equal(['ProductChanged']);
      expect(await changes(() => shop.patch(made.uuid, { brand: 'Aurora', price: 49.9 }))).to.deep.equal([]);
      expect(await changes(() => shop.patch(made.uuid, {}))).to.deep.equal([]);
    });

    it('replaces the list of variants: those matched by uuid, sku or options keep uuid and stock', async () => {
      const { uuid, variants } = await shop.create({
        ...shirt,
        variants: ['P', 'M', 'G', 'GG'].map((size, i) => ({
          options: { Tamanho: size },
          sku: `S-${size}`,
          stock: i + 1,
        })),
      });
      const [p, m, g, gg] = variants;
      const added = await changes(async () => {
        const after = await shop.patch(uuid, {
          variants: [
            { options: { Tamanho: 'Único' } },
            { options: { Tamanho: 'g' }, stock: 30 },
            { options: { Tamanho: 'Médio' }, sku: 'S-M' },
            { uuid: p!.uuid, options: { Tamanho: 'Pequeno' }, sku: null },
          ],
        });
        expect(after.variants.map(({ uuid: id, sku, stock }) => [id, sku, stock])).to.deep.equal([
          [after.variants[0]!.uuid, null, null],
          [g!.uuid, 'S-G', 30],
          [m!.uuid, 'S-M', 2],
          [p!.uuid, null, 1],
        ]);
        expect(variants.map((one) => one.uuid)).to.not.include(after.variants[0]!.uuid);
        expect(after.variants.map((one) => one.uuid)).to.not.include(gg!.uuid);
      });
      expect(added).to.deep.equal(['ProductVariantsReplaced', 'StockSet']);
    });

    it('says when a variant was called by a uuid it does not have', async () => {
      const { uuid } = await shop.create(shirt);
      const answer = await shop.send('PATCH', `/${uuid}`, {
        variants: [{ uuid: NOBODY, options: { Tamanho: 'P', Cor: 'Azul' } }],
      });
      expect(answer.status, answer.text).to.equal(200);
      const { warnings } = answer.body.meta as unknown as { warnings: { code: string; field: string }[] };
      expect(warnings.map(({ code, field }) => [code, field])).to.deep.equal([
        ['variant_unknown', 'variants[0].uuid'],
      ]);
    });

    it('warns of a SKU that another product of the store has, when it is written, and not again', async () => {
      const other = await shop.create({ name: 'A', price: 5, sku: 'S-PAR' });
      const warningsOf = (answer: Answer): unknown =>
        (answer.body.meta as unknown as { warnings: unknown[] } | undefined)?.warnings ?? [];
      const shared = (field: string) => [
        {
          code: 'sku_shared',
          message:
            'Another product of the store has the SKU S-PAR, too; a WhatsApp cart with it becomes no order.',
          field,
        },
      ];
      const variants = [{ options: { Cor: 'Azul' }, sku: 'S-PAR' }];
      const created = await shop.send('POST', '', { name: 'B', price: 5, variants });
      expect(created.status, created.text).to.equal(201);
      expect(warningsOf(created)).to.deep.equal(shared('variants[0].sku'));
      const { uuid } = created.body.data as { uuid: string };
      expect(warningsOf(await shop.send('PATCH', `/${uuid}`, { variants }))).to.deep.equal([]);
      const again = await shop.send('PATCH', `/${uuid}`, { sku: 'S-PAR-2' });
      expect(warningsOf(again)).to.deep.equal([]);
      expect(
        warningsOf(await shop.send('PATCH', `/${other.uuid}`, { sku: 'S-PAR', stock: 1 })),
      ).to.deep.equal([]);
    });

    it('of the price alone refuses one that the promotion is not below, the product keeping its price', async () => {
      const { uuid } = await shop.create({ name: 'A', price: 50, promo_price: 40, variants: [] });
      const answer = await shop.send('PATCH', `/${uuid}`, { price: '40.00' });
      expect(outcomeOf(answer)).to.deep.equal([422, 'promo_price_invalid']);
      expect((await shop.get(uuid)).price).to.equal('50.00');
      const both = await shop.patch(uuid, { price: '40.00', promo_price: null });
      expect([both.price, both.promo_price]).to.deep.equal(['40.00', null]);
    });

    it('moves a handle: the new one must be free, the old one is afterwards', async () => {
      const a = await shop.create({ name: 'A', price: 1, import_handle: 'a' });
      const b = await shop.create({ name: 'B', price: 1, import_handle: 'b' });
      const taken = await shop.send('PATCH', `/${a.uuid}`, { import_handle: 'b' });
      expect(taken.body.error!.details).to.deep.include({ product_uuid: b.uuid });
      await shop.patch(a.uuid, { import_handle: 'c' });
      expect((await shop.patch(b.uuid, { import_handle: 'a' })).import_handle).to.equal('a');
      const again = await shop.batch([
        { import_handle: 'a', price: 2 },
        { import_handle: 'c', price: 3 },
      ]);
      expect(again.map((one) => [one.status, one.product_uuid])).to.deep.equal([
        ['updated', b.uuid],
        ['updated', a.uuid],
      ]);
    });

    it('renames the address, whose end stays', async () => {
      const { uuid, slug } = await shop.create({ name: 'Caneca', price: 1 });
      const renamed = await shop.patch(uuid, { name: 'Xícara de Chá' });
      expect(renamed.slug).to.equal(`xicara-de-cha-${slug.split('-').at(-1)}`);
    });

    it("answers 404 for nobody's, another company's and a deleted product", async () => {
      const theirs = await (await openShop(api)).create({ name: 'A', price: 1 });
      const gone = await shop.create({ name: 'A', price: 1 });
      expect((await shop.send('DELETE', `/${gone.uuid}`)).status).to.equal(204);
      for (const uuid of [NOBODY, theirs.uuid, gone.uuid]) {
        for (const [method, body] of [['GET'], ['PATCH', { price: 2 }], ['DELETE']] as const) {
          const answer = await shop.send(method, `/${uuid}`, body);
          expect(answer.status, `${method} ${answer.text}`).to.equal(404);
          expect(answer.body.error!.details).to.deep.equal({ resource: 'product', uuid });
        }
      }
    });
  });

  describe('DELETE', () => {
    it('needs store:write', async () => {
      const { uuid } = await shop.create({ name: 'A', price: 1 });
      const { apiKey } = await issueKey(api.app, shop.integration, ['store:read']);
      const answer = await shop.send('DELETE', `/${uuid}`, undefined, apiKey);
      expect(answer.status).to.equal(403);
      expect(answer.body.error!.details).to.deep.include({ required_scope: 'store:write' });
      expect((await shop.get(uuid)).uuid).to.equal(uuid);
    });

    it('frees handle and place; the next import of the handle is another product', async () => {
      const made = await shop.create(shirt);
      const added = await changes(async () => {
        expect((await shop.send('DELETE', `/${made.uuid}`)).status).to.equal(204);
      });
      expect(added).to.deep.equal(['ProductDeleted', 'IdentityReleased', 'ShelfPlacesReturned']);
      expect(await shop.search('camiseta')).to.deep.equal([]);
      const [item] = await shop.batch([shirt]);
      expect(item!.status).to.equal('created');
      expect(item!.product_uuid).to.not.equal(made.uuid);
    });
  });

  describe('GET', () => {
    it('lists newest first, page by page', async () => {
      for (const n of [1, 2, 3, 4, 5]) await shop.create({ name: `P${n}`, price: n });
      const names = await shop.names('', 2);
      expect(names).to.deep.equal(['P5', 'P4', 'P3', 'P2', 'P1']);
    });

    it('finds by beginnings of words, without accents, in every field; all words must be there', async () => {
      await shop.create({ name: 'Cílios Postiços', description: 'Ação e emoção', price: 1, sku: 'CIL-001' });
      await shop.create({ name: 'Cola para cilios', price: 1, gtin: '7891000315507' });
      await shop.create({
        name: 'Camiseta',
        price: 1,
        import_handle: 'erp/4711',
        variants: [{ options: { Cor: 'Azul' }, sku: 'CAM-AZ' }],
      });
      expect(await shop.search('CILIOS')).to.have.members(['Cílios Postiços', 'Cola para cilios']);
      expect(await shop.search('cíl post')).to.deep.equal(['Cílios Postiços']);
      expect(await shop.search('acao')).to.deep.equal(['Cílios Postiços']);
      expect(await shop.search('78910')).to.deep.equal(['Cola para cilios']);
      expect(await shop.search('4711')).to.deep.equal(['Camiseta']);
      expect(await shop.search('cam-az')).to.deep.equal(['Camiseta']);
      expect(await shop.search('cilios camiseta')).to.deep.equal([]);
      expect(await shop.search('!?')).to.deep.equal([]);
    });

    it('shows exact hits of a code first, each product once over all pages', async () => {
      await shop.create({
        name: 'exact by variant',
        price: 1,
        variants: [{ options: { Cor: 'A' }, sku: 'AB-1' }],
      });
      await shop.create({ name: 'exact', price: 1, sku: 'ab-1' });
      for (const n of [1, 2, 3]) await shop.create({ name: `AB 1 longer ${n}`, price: 1, sku: `AB-1${n}` });
      const expected = ['exact', 'exact by variant', 'AB 1 longer 3', 'AB 1 longer 2', 'AB 1 longer 1'];
      for (const limit of [1, 2, 3, 5])
        expect(await shop.search('AB-1', limit), `${limit}`).to.deep.equal(expected);
    });

    it('refuses a cursor of another search', async () => {
      for (const n of [1, 2]) await shop.create({ name: `Caneca ${n}`, price: 1 });
      const first = await shop.send('GET', '?query=caneca&limit=1');
      const other = await shop.send('GET', `?query=can&limit=1&after=${first.body.meta!.next_cursor}`);
      expect(other.body.error!.code).to.equal('invalid_cursor');
    });

    it('names the category, and none once that is removed', async () => {
      const admin = { actor: 'admin' };
      const fields = { name: 'Camisetas' };
      const { categoryUuid } = await createCategory(api.app, shop.company, fields, admin);
      const made = await shop.create({ name: 'A', price: 1, category_uuid: categoryUuid });
      expect(made['category']).to.deep.equal({ uuid: categoryUuid, name: 'Camisetas' });
      await removeCategory(api.app, shop.company, categoryUuid, admin);
      expect(await shop.get(made.uuid)).to.deep.include({ category_uuid: null, category: null });
    });
  });
});
