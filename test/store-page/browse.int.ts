import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { openShop } from './shop.js';
import { opened, openedForEach } from '../support/opened.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const image = (name: string) => ({
  uuid: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3008',
  source_url: `https://cdn.example.com/${name}.jpg`,
  hash: hash(name),
  source_hash: hash(name),
  content_type: 'image/webp',
  width: 1024,
  height: 768,
  renditions: [{ hash: hash(`${name}320`), content_type: 'image/webp', width: 320, height: 240 }],
  etag: null,
  last_modified: null,
});
const EVIL = `"><script>alert('x')</script>`;

describe('store page: looking around', () => {
  const shop = opened(openShop);

  it('shows on the home page what is for sale, offers first, and says who it is', async () => {
    await shop.product({ name: 'Caneca em oferta', price_cents: 5000, promo_price_cents: 4000 });
    await shop.product({ name: 'Vela comum', price_cents: 2500 });
    await shop.product({ name: 'Fora de linha', active: false });
    const { status, html, headers } = await shop.visitor().get('/loja/aurora');
    expect(status).to.equal(200);
    expect(html).to.match(/<html lang="pt-BR">/);
    expect(html).to.match(/Ofertas[\s\S]*Caneca em oferta[\s\S]*Novidades[\s\S]*Vela comum/);
    expect(html).to.include('R$\u00a040,00').and.to.include('-20%');
    expect(html).not.to.include('Fora de linha');
    expect(headers.get('content-security-policy')).to.match(
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(html).not.to.match(/<script(?! src| type="application\/ld\+json")|style=|\son[a-z]+=/);
  });

  it('speaks English where the address says so, in all its links, and the store language otherwise', async () => {
    const visitor = shop.visitor();
    const english = await visitor.get('/loja/aurora?lang=en', { 'accept-language': 'pt-BR' });
    expect(english.html).to.include('<html lang="en">').and.to.include('R$40.00');
    expect(english.html).to.match(/href="\/loja\/aurora\/sacola\?lang&#61;en"/);
    expect(english.html).to.include('name="lang" value="en"');
    const plain = await visitor.get('/loja/aurora', { 'accept-language': 'en' });
    expect(plain.html).to.include('<html lang="pt-BR">');
  });

  it('lets everybody keep what is the same for everybody, and answers 304 for it', async () => {
    const visitor = shop.visitor();
    const first = await visitor.get('/loja/aurora');
    expect(first.headers.get('cache-control')).to.equal('public, max-age=30');
    expect(first.headers.has('set-cookie')).to.equal(false);
    const tag = first.headers.get('etag')!;
    expect((await visitor.get('/loja/aurora', { 'if-none-match': tag })).status).to.equal(304);
    expect((await visitor.get('/loja/aurora', { 'if-none-match': '"other"' })).status).to.equal(200);
  });

  it('lists a category with what is below it, in pages that repeat and lose nothing', async () => {
    const top = await shop.category('Casa');
    const below = await shop.category('Cozinha', top);
    const names = Array.from({ length: 30 }, (_, n) => `Peça ${String(n).padStart(2, '0')}`);
    for (const [n, name] of names.entries())
      await shop.product({ name, category_uuid: n % 2 === 0 ? top : below });
    const visitor = shop.visitor();
    const first = await visitor.get('/loja/aurora/c/casa');
    const next = /rel="next" href="([^"]+)"/
      .exec(first.html)![1]!
      .replace(/&#61;/g, '=')
      .replace(/&#38;/g, '&');
    const second = await visitor.get(next);
    const seen = [first, second].map(({ html }) =>
      [...html.matchAll(/card-name">(Peça \d\d)</g)].map((match) => match[1]!),
    );
    expect(seen.map(({ length }) => length)).to.deep.equal([24, 6]);
    expect(seen.flat()).to.deep.equal(names.toReversed());
    const third = await visitor.get('/loja/aurora/c/cozinha');
    expect([...third.html.matchAll(/card-name/g)]).to.have.length(15);
    expect((await visitor.get('/loja/aurora/c/nenhuma')).status).to.equal(404);
    expect((await visitor.get(`${next.split('?')[0]}?after=AAAA`)).status, 'a broken cursor').to.equal(200);
  });

  it('finds without accents, says so when there is nothing, and escapes what was typed', async () => {
    await shop.product({ name: 'Cílios postiços' });
    const visitor = shop.visitor();
    expect((await visitor.get('/loja/aurora/busca?q=cilios')).html).to.include('Cílios postiços');
    const nothing = await visitor.get(`/loja/aurora/busca?q=${encodeURIComponent(EVIL)}`);
    expect(nothing.status).to.equal(200);
    expect(nothing.html).to.include('Nada encontrado').and.not.to.include('<script>alert');
    expect(nothing.html).to.include('noindex');
  });

  it('shows a product with its options, pictures in sizes, and schema.org facts', async () => {
    const category = await shop.category('Camisetas');
    const product = await shop.product({
      name: 'Camiseta Órbita',
      description: 'Malha leve.\n\nLave a frio.',
      category_uuid: category,
      gtin: '7891000315507',
      images: [image('frente'), image('verso')],
      variants: [
        { options: { Tamanho: 'P', Cor: 'Azul' }, stock: 2 },
        { options: { Tamanho: 'M', Cor: 'Azul' }, stock: 0 },
        { options: { Tamanho: 'G', Cor: 'Azul' }, stock: null, price_cents: 5990 },
        { options: { Tamanho: 'GG', Cor: 'Azul' }, stock: 9, active: false },
      ],
    });
    const { status, html } = await shop.visitor().get(`/loja/aurora/p/${product.slug}`);
    expect(status).to.equal(200);
    expect(html).to.match(/P \/ Azul[\s\S]*Últimas 2 unidades/);
    expect(html).to.match(new RegExp(`value="${product.variants[1]!}"\\s+required\\s+disabled`));
    expect(html).not.to.include('GG / Azul');
    expect(html).to.include(`/store-images/${hash('frente')}/320.webp 320w`);
    expect(html).to.match(
      /width="1024"\s+height="768"\s+alt="Camiseta Órbita, foto 1"\s+fetchpriority="high"/,
    );
    expect(html).to.match(/alt="Camiseta Órbita, foto 2"\s+loading="lazy"/);
    const [facts, crumbs] = [...html.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)].map(
      (match) => JSON.parse(match[1]!) as Record<string, unknown>,
    );
    expect(facts).to.deep.include({ '@type': 'Product', name: 'Camiseta Órbita', gtin: '7891000315507' });
    expect(facts!['offers']).to.deep.include({
      '@type': 'AggregateOffer',
      lowPrice: '49.90',
      highPrice: '59.90',
      priceCurrency: 'BRL',
      availability: 'https://schema.org/InStock',
    });
    expect(crumbs!['itemListElement']).to.have.length(3);
    const canonical = `https://recado.example/loja/aurora/p/${product.slug}`;
    expect(html).to.include(`<link rel="canonical" href="${canonical}" />`);
    expect(html).to.include(`og:image" content="https://recado.example/store-images/${hash('frente')}.webp"`);
  });

  it('leads from a slug of before to the one of now', async () => {
    const product = await shop.product({ name: 'Nome antigo' });
    await shop.changeProduct(product.uuid, { details: { name: 'Nome novo' } });
    const { status, location } = await shop.visitor().get(`/loja/aurora/p/${product.slug}?lang=en`);
    expect(status).to.equal(301);
    expect(location).to.match(/^\/loja\/aurora\/p\/nome-novo-[a-z0-9]{6}\?lang=en$/);
  });

  it('never lets a name out of its place', async () => {
    const name = `Camisa ${EVIL} </script><!-- \u2028`;
    const product = await shop.product({
      name,
      description: EVIL,
      brand: EVIL,
      sku: EVIL,
      variants: [{ options: { [EVIL]: EVIL } }],
    });
    const { html } = await shop.visitor().get(`/loja/aurora/p/${product.slug}`);
    expect(html).not.to.include('<script>alert').and.not.to.include('</script><!--');
    const [facts] = [...html.matchAll(/<script type="application\/ld\+json">([^]*?)<\/script>/g)];
    expect((JSON.parse(facts![1]!) as { name: string }).name).to.equal(name);
    await shop.deleteProduct(product.uuid);
    expect((await shop.visitor().get(`/loja/aurora/p/${product.slug}`)).status).to.equal(404);
  });

  it('tells search engines what there is', async () => {
    const visitor = shop.visitor();
    const map = await visitor.get('/loja/aurora/sitemap.xml');
    expect(map.headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    expect(map.html).to.include('<loc>https://recado.example/loja/aurora</loc>');
    expect(map.html).to.match(
      /<loc>https:\/\/recado\.example\/loja\/aurora\/p\/vela-comum-[a-z0-9]{6}<\/loc><lastmod>/,
    );
    expect(map.html).not.to.include('fora-de-linha');
    const robots = await visitor.get('/robots.txt');
    expect(robots.html).to.include('Disallow: /loja/*/finalizar').and.to.include('Disallow: /api/');
  });

  it('gives style and script names that change with their content, to be kept for ever', async () => {
    const visitor = shop.visitor();
    const { html } = await visitor.get('/loja/aurora');
    let bytes = 0;
    for (const path of html.match(/\/loja\/_\/store-page\.[0-9a-f]{12}\.(css|js|svg)/g)!) {
      const asset = await visitor.get(path);
      expect(asset.status).to.equal(200);
      expect(asset.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      bytes += Buffer.byteLength(asset.html);
    }
    expect(bytes).to.be.greaterThan(5_000).and.lessThan(30_000);
    expect((await visitor.get('/loja/_/store-page.000000000000.css')).status).to.equal(404);
  });
});

describe('store page: a large shop', () => {
  it('shows an offer however many newer products there are', async () => {
    const shop = await openShop();
    await shop.product({ name: 'Caneca em oferta', price_cents: 5000, promo_price_cents: 4000 });
    for (let n = 0; n < 110; n += 1) await shop.product({ name: `Vela ${n}`, price_cents: 1000 });
    const { html } = await shop.visitor().get('/loja/aurora');
    await shop.close();
    expect(html).to.match(/Ofertas[\s\S]*Caneca em oferta/);
  });
});

describe('store page: where there is no store, or not now', () => {
  const shop = openedForEach(openShop);

  it('is not there for unknown slugs, while it is set up, and without the plan', async () => {
    const visitor = shop.visitor();
    for (const path of ['/loja/outra', '/loja/OUTRA', '/loja/', '/loja', '/loja/outra/p/x', '/loja/a%00b']) {
      const { status, html, headers } = await visitor.get(path);
      expect(status, path).to.equal(404);
      expect(html, path).to.include('Não há uma loja neste endereço');
      expect(headers.get('content-type')).to.match(/^text\/html/);
    }
    await shop.change({ status: 'setup' });
    expect((await visitor.get('/loja/aurora')).status).to.equal(404);
    await shop.change({ status: 'active' });
    expect((await visitor.get('/loja/aurora')).status).to.equal(200);
    await shop.changePlan(false);
    expect((await visitor.get('/loja/aurora')).status).to.equal(404);
    expect((await visitor.get('/loja/aurora/sacola')).status).to.equal(404);
  });

  it('goes to the present address from one of before, with all that was asked', async () => {
    await shop.change({ slug: 'aurora-nova' });
    const { status, location } = await shop.visitor().get('/loja/aurora/busca?q=a%20b&lang=en');
    expect(status).to.equal(308);
    expect(location).to.equal('/loja/aurora-nova/busca?q=a%20b&lang=en');
    expect((await shop.visitor().get('/loja/aurora')).location).to.equal('/loja/aurora-nova');
  });

  it('goes to its address from one in capitals', async () => {
    const { status, location } = await shop.visitor().get('/loja/AURORA/busca?q=A');
    expect(status).to.equal(308);
    expect(location).to.equal('/loja/aurora/busca?q=A');
  });

  it('shows and does not sell while it is paused', async () => {
    const product = await shop.product();
    await shop.change({ status: 'paused' });
    const visitor = shop.visitor();
    const page = await visitor.get(`/loja/aurora/p/${product.slug}`);
    expect(page.status).to.equal(200);
    expect(page.html).to.include('A loja está em pausa').and.not.to.include('Adicionar à sacola');
    expect((await visitor.add(product.uuid)).status).to.equal(409);
    expect((await visitor.get('/loja/aurora/finalizar')).location).to.equal('/loja/aurora/sacola');
  });
});
