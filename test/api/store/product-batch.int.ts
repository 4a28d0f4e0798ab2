/**
 * Batches over real sockets: per-item results, repeated and concurrent imports, the limit of 5,000 products per store
 * (spec §4, §8).
 */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { batchProducts } from '../../../application/store/products/write.js';
import { storeOf } from '../../../application/store/gate.js';
import { productQuotaAggregate } from '../../../domain/product-quota/decide.js';
import { ask, dataOf, outcomeOf } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { fakeImages } from '../../support/fakes/images.js';
import { eventsOf, openShop, type BatchItemBody } from './products.js';
import { opened, openedForEach } from '../../support/opened.js';

const item = (handle: string, more: object = {}) => ({
  name: `Produto ${handle}`,
  price: '10.00',
  import_handle: handle,
  ...more,
});
const many = (count: number, prefix = 'h') => Array.from({ length: count }, (_, n) => item(`${prefix}-${n}`));
const outcomes = (items: readonly BatchItemBody[]) => items.map(({ status, error }) => error?.code ?? status);

const JSON_BODY = { 'content-type': 'application/json' };

describe('batches of store products', () => {
  const api = opened(makeApi);
  const shop = openedForEach(() => openShop(api));

  const changes = (work: () => Promise<unknown>) => eventsOf(api.app, work);
  const command = () => directCommand(api.app, { company: shop.company, actor: 'test' });

  it('gives each item its own outcome, in order, with where it is wrong', async () => {
    await shop.create(item('known'));
    const answer = await shop.send('POST', '/batch', {
      products: [
        item('known', { price: 12, extra: 1 }),
        item('bad', { variants: [{ options: { Cor: 'A' }, price: '1,5' }] }),
        'no object',
        { import_handle: 'known', stock: 3 },
        { import_handle: 'unknown', stock: 3 },
        { name: 'without handle', price: 1 },
        item('known', { price: '12.00', stock: 3 }),
      ],
    });
    const items = dataOf<BatchItemBody[]>(answer);
    expect(items.map(({ index }) => index)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(outcomes(items)).to.deep.equal([
      'updated',
      'price_invalid',
      'validation_failed',
      'updated',
      'validation_failed',
      'created',
      'unchanged',
    ]);
    expect(answer.body.meta).to.deep.equal({ total: 7, created: 1, updated: 2, unchanged: 1, failed: 3 });
    expect(items[1]).to.deep.include({ import_handle: 'bad', product: null, product_uuid: null });
    expect(items[1]!.error!.details).to.deep.include({
      field: 'variants[0].price',
      pointer: '/variants/0/price',
    });
    expect(items[4]!.error!.details).to.deep.include({ field: 'name', rule: 'required' });
    expect(items.map(({ warnings }) => warnings.map(({ code }) => code))).to.deep.equal([
      ['unknown_field'],
      [],
      [],
      ['duplicate_handle_in_batch'],
      [],
      [],
      ['duplicate_handle_in_batch'],
    ]);
    expect(items[6]!.product).to.deep.include({ price: '12.00', stock: 3 });
  });

  it('warns of a SKU that two products of the call have', async () => {
    const item = (import_handle: string, sku: string, more = {}) => ({
      import_handle,
      name: 'A',
      price: '1.00',
      sku,
      ...more,
    });
    const products = [
      item('one', 'S-1'),
      item('two', 'S-2', { variants: [{ options: { Cor: 'Azul' }, sku: 'S-1' }] }),
      item('three', 'S-3'),
      item('three', 'S-3'),
    ];
    const items = await shop.batch(products);
    expect(items.map(({ warnings }) => warnings.map(({ code, field }) => [code, field]))).to.deep.equal([
      [['sku_shared', 'sku']],
      [['sku_shared', 'variants[0].sku']],
      [],
      [['duplicate_handle_in_batch', 'import_handle']],
    ]);
  });

  describe('with an item that can not be kept', () => {
    const faults: readonly (readonly [what: string, fields: string, field: string, rule: string])[] = [
      ['half a character', '"name":"\\ud83d"', 'name', 'text_invalid'],
      ['a NUL character', '"name":"a","description":"b\\u0000"', 'description', 'text_invalid'],
      [
        'a number of 30 digits',
        '"name":"a","stock":123456789012345678901234567890',
        'stock',
        'number_not_exact',
      ],
      ['a name of the language', '"name":"a","__proto__":{}', '__proto__', 'name_not_allowed'],
      [
        'too many levels',
        `"name":"a","variants":${'['.repeat(40)}${']'.repeat(40)}`,
        `variants${'[0]'.repeat(31)}`,
        'too_deep',
      ],
      [
        'a handle of half a character',
        '"name":"a","import_handle":"\\ud83d"',
        'import_handle',
        'text_invalid',
      ],
    ];
    for (const [what, fields, field, rule] of faults) {
      it(`fails that item alone: ${what}`, async () => {
        const text = `{"products":[{"name":"one","price":1},{${fields}},{"name":"two","price":2}]}`;
        const answer = await ask(api, 'POST', '/store/products/batch', {
          key: shop.key,
          raw: text,
          headers: JSON_BODY,
        });
        expect(answer.status, answer.text).to.equal(200);
        const items = answer.body.data as BatchItemBody[];
        expect(outcomes(items)).to.deep.equal(['created', 'validation_failed', 'created']);
        expect(items[1]!.error!.details).to.deep.include({ field, rule });
        expect(items[1]!.import_handle).to.equal(null);
      });
    }

    it('refuses the call where the fault lies outside the items', async () => {
      for (const rest of ['"\\ud83d":1', '"extra":1e999', '"__proto__":{}']) {
        const text = `{"products":[{"name":"one","price":1}],${rest}}`;
        const answer = await ask(api, 'POST', '/store/products/batch', {
          key: shop.key,
          raw: text,
          headers: JSON_BODY,
        });
        expect(answer.status, answer.text).to.equal(422);
        expect(answer.body.error!.code).to.equal('validation_failed');
      }
      expect(await shop.search('one')).to.deep.equal([]);
    });
  });

  it('takes 100 products as large as they may be, and no more than 8 MiB', async () => {
    const products = many(100).map((one) => ({
      ...one,
      // Characters of four bytes each.
      description: '\u{1f600}'.repeat(5_000),
      variants: Array.from({ length: 100 }, (_, n) => ({ options: { Cor: `Azul ${n}` }, sku: `SKU-${n}` })),
    }));
    const items = await shop.batch(products);
    expect(new Set(outcomes(items))).to.deep.equal(new Set(['created']));
    const padded = { products, padding: 'x'.repeat(8 * 1024 * 1024) };
    const answer = await shop.send('POST', '/batch', padded);
    expect(answer.status).to.equal(413);
    expect(answer.body.error!.details).to.deep.include({ limit_bytes: 8_388_608 });
  });

  it('refuses 0 and 101 items as a whole', async () => {
    for (const products of [[], many(101)]) {
      const answer = await shop.send('POST', '/batch', { products });
      expect(outcomeOf(answer)).to.deep.equal([422, 'validation_failed']);
    }
  });

  it('writes no event and fetches no picture for items that are as they were', async () => {
    const images = fakeImages(() => 'picture');
    const app = { ...api.app, images: images.images };
    const store = await storeOf(app, shop.company);
    const items = many(20).map((one, n) => ({
      ...one,
      stock: n,
      image_urls: [`https://cdn.example/${n}.jpg`],
    }));
    const run = () => batchProducts(app, store, items, command());
    expect((await run()).meta).to.deep.include({ created: 20 });
    expect(images.asked.length).to.equal(20);
    const added = await changes(async () => {
      const again = await run();
      expect(again.meta).to.deep.include({ unchanged: 20 });
      expect(again.data[7]!.product!.images[0]!.source_url).to.equal('https://cdn.example/7.jpg');
    });
    expect(added).to.deep.equal([]);
    expect(images.asked.length).to.equal(20);
  });

  it('takes the places of all new products with one event', async () => {
    const added = await changes(() => shop.batch(many(30)));
    expect(added.filter((type) => type === 'ShelfPlacesTaken').length).to.equal(1);
    expect(added.filter((type) => type === 'ProductCreated').length).to.equal(30);
  });

  it('makes one product of each handle when batches race; who comes second changes it', async () => {
    const racers = await Promise.all(
      [1, 2, 3].map((price) => shop.batch(many(10).map((one) => ({ ...one, price })))),
    );
    for (let n = 0; n < 10; n += 1) {
      const same = racers.map((items) => items[n]!);
      expect(new Set(same.map((one) => one.product_uuid)).size, `${n}`).to.equal(1);
      expect(same.map((one) => one.status).toSorted()).to.deep.equal(['created', 'updated', 'updated']);
    }
    expect((await shop.search('produto')).length).to.equal(10);
  });

  it('makes one product when batches race for a handle that a deleted product had', async () => {
    const first = await shop.create(item('again'));
    await shop.send('DELETE', `/${first.uuid}`);
    const racers = await Promise.all([1, 2, 3].map((price) => shop.batch([item('again', { price })])));
    const uuids = new Set(racers.map(([one]) => one!.product_uuid));
    expect(uuids.size).to.equal(1);
    expect(uuids).to.not.include(first.uuid);
  });

  it('goes on where an import broke off between claim, place and product', async () => {
    const broken = { ...api.app, executor: { ...api.app.executor } };
    broken.executor.execute = (aggregate, id, command, context) => {
      if ((command as { type: string }).type === 'CreateProduct') throw new Error('the process ends here');
      return api.app.executor.execute(aggregate, id, command, context);
    };
    const store = await storeOf(api.app, shop.company);
    const { meta } = await batchProducts(broken, store, [item('half')], command());
    expect(meta.failed).to.equal(1);
    expect(outcomes(await shop.batch([item('half')]))).to.deep.equal(['created']);
    expect((await api.app.executor.load(productQuotaAggregate, shop.store)).state.count).to.equal(1);
  });

  describe('at the limit', () => {
    const fill = (count: number) =>
      api.app.executor.execute(
        productQuotaAggregate,
        shop.store,
        {
          type: 'TakePlaces',
          storeUuid: shop.store,
          productUuids: Array.from({ length: count }, () => api.app.newId()),
        },
        command(),
      );
    const taken = async () => (await api.app.executor.load(productQuotaAggregate, shop.store)).state.count;

    it('lets exactly as many in as there are places, whoever asks at once; updates pass', async () => {
      await shop.batch([item('known')]);
      await fill(4_979);
      const racers = await Promise.all(['a', 'b', 'c'].map((prefix) => shop.batch(many(15, prefix))));
      const all = racers.flat();
      expect(all.filter(({ status }) => status === 'created').length).to.equal(20);
      const refused = all.filter(({ status }) => status === 'failed');
      expect(new Set(refused.map(({ error }) => error!.code))).to.deep.equal(
        new Set(['product_limit_reached']),
      );
      expect(refused[0]!.error!.details).to.deep.include({ limit: 5_000, current: 5_000 });
      expect(await taken()).to.equal(5_000);
      expect(outcomes(await shop.batch([item('known', { price: 3 })]))).to.deep.equal(['updated']);
      const single = await shop.send('POST', '', { name: 'one more', price: 1 });
      expect(single.body.error!.code).to.equal('product_limit_reached');
    });

    it('gives back, a while later, places whose products never came about; those never will', async () => {
      await fill(5_000);
      expect(outcomes(await shop.batch([item('new')]))).to.deep.equal(['product_limit_reached']);
      const later = {
        ...api.app,
        clock: { ...api.app.clock, now: () => api.app.clock.now() + 120_000 },
      };
      const store = await storeOf(api.app, shop.company);
      const added = await changes(async () => {
        const { meta } = await batchProducts(later, store, [item('new')], command());
        expect(meta.created).to.equal(1);
      });
      // At most 500 stale reservations per run. Each product gets an event that prevents its creation later.
      expect(added.filter((type) => type === 'ProductDeleted').length).to.equal(500);
      expect(added.filter((type) => type === 'ShelfPlacesReturned').length).to.equal(1);
      expect(await taken()).to.equal(4_501);
    });
  });
});
