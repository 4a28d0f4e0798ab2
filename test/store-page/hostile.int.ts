/** Requests of crawlers, broken browsers and attackers: the response is always a page, never a server error. */
import { request } from 'node:http';
import { expect } from 'chai';
import type { EventStore } from '../../ports/event-store.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { opened, openedForEach } from '../support/opened.js';
import { beingBuilt } from '../support/fakes/being-built.js';
import { openShop, toCheckout, type Visitor } from './shop.js';

const CART = '/loja/aurora/sacola';
const CHECKOUT = '/loja/aurora/finalizar';

/** Requests exactly this path: `fetch` would normalise it. */
const raw = (origin: string, path: string): Promise<{ status: number; type: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    request({ hostname, port, path }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        resolve({ status: answer.statusCode!, type: answer.headers['content-type'] ?? '' }),
      );
    })
      .once('error', reject)
      .end();
  });

describe('store page: bad input', () => {
  let visitor: Visitor;
  let away = false;

  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    read: (...args) => (away ? Promise.reject(new StoreUnavailable('away')) : store.read(...args)),
  });
  const shop = opened(() => openShop({}, { wrapStore }));
  beforeEach(() => {
    visitor = shop.visitor();
    away = false;
  });

  it('answers odd addresses with a page', async () => {
    const { slug } = await shop.product();
    const odd = [
      '/loja/aurora/p/%00',
      `/loja/aurora/p/${slug}%00`,
      '/loja/aurora/p/%E0%A4%A',
      '/loja/%ff%fe',
      '/loja/aurora/..%2f..%2fetc',
      '/loja/aurora/p/' + 'a'.repeat(5000),
      '/loja/aurora/c/%F0%9F%98%80',
      '/loja/__proto__',
      '/loja/aurora/c/constructor',
      '/loja/aurora/busca?q[]=1&q=2&after[x]=y&lang[]=en',
      '/loja/aurora?lang=%0d%0aX:%20y',
      '/loja/aurora/busca?q=%00%ff%F0%9F',
      '/loja/aurora/busca?q=' + 'a'.repeat(3000),
      '/loja/aurora/pedido/x/y',
      '/loja/aurora/nada',
      '/loja//aurora',
      '/loja/aurora/todos?after=%ff',
    ];
    for (const path of odd) {
      const { status, type } = await raw(shop.origin, path);
      expect(status, path).to.be.oneOf([200, 301, 308, 400, 404]);
      expect(type, path).to.match(/^text\/(html|plain)/);
    }
  });

  it('never leads to an address that was sent', async () => {
    await shop.change({ slug: 'aurora-dois' });
    for (const path of [
      '/loja/aurora//evil.example',
      '/loja/aurora/%0d%0aSet-Cookie:%20a=b',
      '/loja/aurora?x=%0d%0aLocation:%20https://evil.example',
      '/loja/aurora/@evil.example',
      '/loja/aurora/\\evil.example',
    ]) {
      const { location, headers, status } = await visitor.get(path);
      expect(status, path).to.equal(308);
      expect(location, path).to.match(/^\/loja\/aurora-dois($|[/?])/);
      expect(headers.has('set-cookie')).to.equal(false);
    }
    await shop.change({ slug: 'aurora' });
  });

  it('takes a cookie it did not write for none', async () => {
    const product = await shop.product();
    await visitor.add(product.uuid, '2');
    const good = visitor.cookies.get('recado_cart')!;
    const forged = good.replace(
      /\.([^.]+)\.([^.]+)$/,
      (_all, lines: string, mac: string) => `.${lines.replace(/!2!/, '!9!')}.${mac}`,
    );
    expect(forged).not.to.equal(good);
    const broken = [`${good}x`, good.slice(1), '%E0%A4%A', '1..', '1.a.b.c', '"', 'x'.repeat(4000)];
    for (const cookie of [forged, ...broken]) {
      const { status, html } = await visitor.get(CART, { cookie: `recado_cart=${cookie}` });
      expect(status, cookie.slice(0, 20)).to.equal(200);
      expect(html).to.include('Sua sacola está vazia');
    }
    expect((await visitor.get(CART)).html).not.to.include('Sua sacola está vazia');
  });

  it('refuses forms that are too large, or no forms at all', async () => {
    const FORM = 'application/x-www-form-urlencoded';
    const refused = async (headers: Readonly<Record<string, string>>) =>
      expect((await visitor.post(CART, 'a=b', headers)).status).to.equal(415);
    expect((await visitor.post(CART, `a=${'x'.repeat(1024 * 1024)}`)).status).to.equal(413);
    expect((await visitor.post(CHECKOUT, 'x=1&'.repeat(300))).status).to.equal(413);
    await refused({ 'content-type': FORM, 'content-encoding': 'gzip' });
    await refused({ 'content-type': `${FORM}; charset=utf-7` });
    for (const [body, type] of [
      ['{"action":"add"}', 'application/json'],
      ['%%%=%E0%A4%A&__proto__=1&constructor=2', FORM],
      ['', FORM],
    ] as const) {
      const { status } = await visitor.post(CHECKOUT, body, { 'content-type': type });
      expect(status, body).to.equal(303);
    }
    const unknown = shop.app.newId();
    for (const [uuid, quantity] of [
      ['x', '1'],
      ['', '1'],
      [unknown, '1'],
      [unknown, '-1'],
      [unknown, '0'],
      [unknown, 'NaN'],
    ] as const) {
      expect((await visitor.add(uuid, quantity)).status, `${uuid} ${quantity}`).to.be.oneOf([404, 422]);
    }
    const product = await shop.product({ price_cents: 1 });
    expect((await visitor.add(product.uuid, '1000000000')).status).to.equal(303);
    expect((await visitor.get(CART)).html).to.match(/value="999"/);
  });

  it('keeps a cart in what a cookie can hold', async () => {
    const seed = { variants: Array.from({ length: 41 }, (_, n) => ({ options: { Cor: `Cor ${n}` } })) };
    const product = await shop.product(seed);
    const locations = new Set<string | null>();
    for (const variant of product.variants) {
      locations.add((await visitor.add(product.uuid, '999', variant)).location);
    }
    expect([...locations]).to.deep.equal([CART, `${CART}?full=1`]);
    expect(visitor.cookies.get('recado_cart')!.length).to.be.lessThan(3500);
    expect((await visitor.get(`${CART}?full=1`)).html).to.include('A sacola está cheia');
  });

  it('slows down who sends the form again and again, kindly, and nobody else', async () => {
    const form = await toCheckout(visitor, await shop.product());
    let last = 0;
    for (let n = 0; n < 100 && last !== 429; n += 1)
      last = (await visitor.post(CHECKOUT, { ...form, name: '' })).status;
    expect(last).to.equal(429);
    const answer = await visitor.post(CHECKOUT, form);
    expect(answer.status).to.equal(429);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 3);
    expect(answer.html).to.include('Muitas tentativas').and.to.include('o que você escreveu ainda está lá');
    expect((await visitor.get('/loja/aurora')).status).to.equal(200);
    expect((await visitor.post(CART, { action: 'update' })).status).to.equal(303);
  });

  it('says so when the store of events is away, without a word about it', async () => {
    const { slug } = await shop.product();
    away = true;
    for (const path of ['/loja/aurora', `/loja/aurora/p/${slug}`, CART]) {
      const { status, html, headers } = await visitor.get(path);
      expect(status).to.equal(503);
      expect(html)
        .to.include('fora do ar')
        .and.not.to.match(/StoreUnavailable|away|at /);
      expect(headers.get('cache-control')).to.equal('private, no-store');
    }
    expect(shop.api.log.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});

describe('store page: beside read models that are being built', () => {
  const beside = (model: string) => openedForEach(() => openShop({}, {}, (app) => beingBuilt(app, [model])));

  describe('of products', () => {
    const shop = beside('products');

    it('asks visitors to come back, and does not say that the product has left', async () => {
      const { slug } = await shop.product();
      const { status, headers } = await shop.visitor().get(`/loja/aurora/p/${slug}`);
      expect(status).to.equal(503);
      expect(headers.get('retry-after')).to.equal('5');
    });
  });

  describe('of channels', () => {
    const shop = beside('channels');

    it('takes no order that would be told in no conversation', async () => {
      const visitor = shop.visitor();
      const form = await toCheckout(visitor, await shop.product());
      expect((await visitor.post('/loja/aurora/finalizar', form)).status).to.equal(503);
      expect(await shop.orders()).to.deep.equal([]);
    });
  });
});
