import { expect } from 'chai';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { directCommand } from '../../application/app.js';
import { moveOrder } from '../../application/store/orders/move.js';
import { BUYER, fieldOf, openShop, toCheckout, type Page, type Visitor } from './shop.js';
import { openedForEach } from '../support/opened.js';

const CART = '/loja/aurora/sacola';
const CHECKOUT = '/loja/aurora/finalizar';

const errorsOf = ({ html }: Page): readonly string[] =>
  [...html.matchAll(/<a href="#([a-z]+)">/g)].map((match) => match[1]!);

describe('store page: buying', () => {
  let visitor: Visitor;

  const shop = openedForEach(openShop);
  beforeEach(async () => {
    visitor = shop.visitor();
  });

  it('tells the shop where the buyer came from, and nothing else that the cookie says', async () => {
    const product = await shop.product({ price_cents: 4990 });
    const form = await toCheckout(visitor, product, '1');
    const from = encodeURIComponent(
      'utm_source=instagram&utm_campaign=maio%20%26%20junho&admin=1&__proto__=x',
    );
    visitor.cookies.set('recado_from', from);
    await visitor.post(CHECKOUT, form);
    const [order] = await shop.orders();
    expect(order!.tracking).to.deep.equal({ utm_source: 'instagram', utm_campaign: 'maio & junho' });
  });

  it('goes from the product to an order that the shop sees, with a Pix code that scans', async () => {
    const product = await shop.product({
      price_cents: 4990,
      variants: [{ options: { Tamanho: 'P' }, stock: 5 }],
    });
    const form = await toCheckout(visitor, product, '2');
    const placed = await visitor.post(CHECKOUT, form);
    expect(placed.status).to.equal(303);
    expect(placed.location).to.match(/^\/loja\/aurora\/pedido\/[0-9a-f-]{36}\/[A-Za-z0-9_-]{22}$/);
    const page = await visitor.get(placed.location!);
    expect(page.status).to.equal(200);
    expect(page.html).to.include('Pedido feito, Maria').and.to.include('Pedido #1001');
    expect(page.html).to.include('R$\u00a0111,80').and.to.include('Recebido');
    expect(page.headers.get('cache-control')).to.equal('private, no-store');
    expect(page.html).to.include(`https://wa.me/5511940028922?text&#61;Ol%C3%A1`);
    expect(page.html).not.to.match(/98765-?4321|Paulista|Souza|Entregar/);

    const [order] = await shop.orders();
    expect(order).to.deep.include({
      number: 1001,
      status: 'novo',
      source: 'storefront',
      total_cents: 11_180,
      delivery_fee_cents: 1200,
      fulfillment: 'delivery',
      payment_method: 'pix',
      note: 'Entregar à tarde.',
    });
    expect(order!.customer).to.deep.include({ name: 'Maria Souza', phone: '+5511987654321' });
    expect(order!.address).to.deep.include({
      zipcode: '01310100',
      number: '1000',
      complement: null,
      state: 'SP',
    });
    expect(order!.items).to.have.length(1);
    expect(await scan(page.html)).to.equal(order!.pix!.copy_paste);
    expect(page.html).to.include(`>${order!.pix!.copy_paste}</textarea>`);
    // The cart is empty, and the cookie reports that to the page's script.
    expect(visitor.cookies.get('recado_units')).to.equal('0');
    expect((await visitor.get(CART)).html).to.include('Sua sacola está vazia');
  });

  it('shows nobody else the order', async () => {
    const form = await toCheckout(visitor, await shop.product());
    const { location } = await visitor.post(CHECKOUT, form);
    const other = await shop.visitor().get(location!);
    expect(other.status, 'the address alone opens it').to.equal(200);
    const key = location!.split('/').at(-1)!;
    for (const path of [
      location!.slice(0, -1),
      location!.replace(key, 'A'.repeat(22)),
      location!.replace(/pedido\/[^/]+/, `pedido/${shop.app.newId()}`),
    ]) {
      const { status, html } = await visitor.get(path);
      expect(status, path).to.equal(404);
      expect(html).not.to.include('#1001');
    }
  });

  it('is one order however often the form is sent, at once or after going back', async () => {
    const product = await shop.product({ stock: 5 });
    const form = await toCheckout(visitor, product);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = await Promise.all([1, 2, 3].map(() => visitor.post(CHECKOUT, form, { cookie })));
    const again = await visitor.post(CHECKOUT, form);
    const changedMind = await visitor.post(CHECKOUT, { ...form, name: '', payment: 'card' });
    const places = new Set(
      [...sent, again, changedMind].map(({ status, location }) => `${status} ${location}`),
    );
    expect([...places]).to.have.length(1);
    expect([...places][0]).to.match(/^303 .*\/pedido\//);
    expect(await shop.orders()).to.have.length(1);
    const form2 = await toCheckout(visitor, product);
    expect((await visitor.post(CHECKOUT, form2)).location).not.to.equal(again.location);
    expect(await shop.orders()).to.have.length(2);
  });

  it('refuses what was not filled in, keeps what was typed, and says what to do', async () => {
    const form = await toCheckout(visitor, await shop.product());
    const evil = `"><script>alert(1)</script>`;
    const answer = await visitor.post(CHECKOUT, {
      ...form,
      name: ' ',
      phone: '12',
      zipcode: '013',
      street: evil,
      number: '',
      district: '',
      city: '',
      state: 'XX',
      payment: 'gold',
    });
    expect(answer.status).to.equal(422);
    expect(errorsOf(answer)).to.deep.equal([
      'name',
      'phone',
      'zipcode',
      'number',
      'district',
      'city',
      'state',
      'payment',
    ]);
    expect(answer.html).to.include('Corrija 8 campos').and.not.to.include(evil);
    expect(answer.html).to.match(/name="street"[^>]*value="&#34;&#62;&#60;script&#62;/);
    expect(answer.html).to.match(
      /id="phone"[^>]*value="12"[^>]*aria-describedby="phone-hint phone-error" aria-invalid="true"/,
    );
    expect(await shop.orders()).to.have.length(0);
    const again = { ...form, token: fieldOf(answer.html, 'token'), seen: fieldOf(answer.html, 'seen') };
    expect((await visitor.post(CHECKOUT, again)).status).to.equal(303);
  });

  it('delivers only where the store does, and asks no address of who picks it up', async () => {
    const product = await shop.product();
    const form = await toCheckout(visitor, product);
    const outside = await visitor.post(CHECKOUT, { ...form, zipcode: '90010-000' });
    expect([outside.status, ...errorsOf(outside)]).to.deep.equal([422, 'zipcode']);
    const { name, phone } = BUYER;
    const { token, seen } = form;
    const own = { token: token!, seen: seen!, name, phone };
    const pickup = { ...own, fulfillment: 'pickup', payment: 'cash' };
    const placed = await visitor.post(CHECKOUT, pickup);
    const page = await visitor.get(placed.location!);
    expect(page.html).to.include('Retire em: Rua Augusta, 1000').and.to.include('R$\u00a049,90');
    expect(page.html).not.to.include('Pix copia e cola');
    const [order] = await shop.orders();
    expect(order).to.deep.include({
      fulfillment: 'pickup',
      delivery_fee_cents: 0,
      pix: null,
      payment_method: 'cash',
    });
  });

  it('says in the cart what changed meanwhile, and buys nothing before it was accepted', async () => {
    const dearer = await shop.product({ name: 'Caneca', price_cents: 3000, stock: 9 });
    const scarce = await shop.product({ name: 'Vela', price_cents: 2000, stock: 9 });
    const gone = await shop.product({ name: 'Bolsa', price_cents: 9000 });
    for (const { uuid } of [dearer, scarce]) await visitor.add(uuid, '3');
    const form = await toCheckout(visitor, gone);
    await shop.changeProduct(dearer.uuid, { details: { price_cents: 3500 } });
    await shop.changeProduct(scarce.uuid, { details: {}, stock: 2 });
    await shop.deleteProduct(gone.uuid);

    expect((await visitor.post(CHECKOUT, form)).location).to.equal(CART);
    expect(await shop.orders()).to.have.length(0);
    const cart = await visitor.get(CART);
    expect(cart.html).to.include('O preço mudou de R$\u00a030,00 para R$\u00a035,00.');
    expect(cart.html).to.include('Restam só 2 unidades.');
    expect(cart.html).to.match(/<b>Bolsa<\/b>: Este produto não está mais disponível\./);
    expect(cart.html).not.to.include('href="/loja/aurora/finalizar"');
    expect((await visitor.get(CHECKOUT)).location).to.equal(CART);

    await visitor.post(CART, { action: 'accept' });
    const accepted = await visitor.get(CART);
    expect(accepted.html).not.to.include('Algo mudou').and.not.to.include('Bolsa');
    expect(accepted.html).to.include('R$\u00a0145,00').and.to.include('href="/loja/aurora/finalizar"');
    const { html } = await visitor.get(CHECKOUT);
    const second = { ...form, token: fieldOf(html, 'token'), seen: fieldOf(html, 'seen') };
    expect((await visitor.post(CHECKOUT, second)).status).to.equal(303);
    expect((await shop.orders())[0]).to.deep.include({ subtotal_cents: 14_500 });
  });

  it('shows a new delivery fee before it is charged', async () => {
    const form = await toCheckout(visitor, await shop.product());
    await shop.change({ delivery: { feeCents: 2500, freeFromCents: null, zipPrefixes: [] } });
    const answer = await visitor.post(CHECKOUT, form);
    expect(answer.status).to.equal(422);
    expect(answer.html).to.include('O valor da entrega mudou').and.to.include('R$\u00a074,90');
    expect(answer.html).to.match(/name="name"[^>]*value="Maria Souza"/);
    expect(await shop.orders()).to.have.length(0);
  });

  it('says in both languages which limit of the store an order is beyond, and keeps cart and form', async () => {
    await shop.change({ maxProductUnitsPerOrder: 2 });
    const product = await shop.product({ name: 'Caneca', stock: 9 });
    const form = await toCheckout(visitor, product, '3');
    const refused = async (lang: string) => {
      const answer = await visitor.post(`${CHECKOUT}?lang=${lang}`, form);
      expect(answer.status).to.equal(422);
      expect(answer.html).to.match(/name="name"[^>]*value="Maria Souza"/);
      expect(answer.html).to.include('role="alert"').and.to.include('3 × Caneca');
      return answer.html;
    };
    expect(await refused('pt')).to.include('Cada pedido pode ter até 2 unidades de cada produto');
    expect(await refused('en')).to.include('An order can have up to 2 units of each product');
    expect(await shop.orders()).to.have.length(0);
    await visitor.post(CART, { action: 'update', [`q.${product.uuid}`]: '2' });
    const { html } = await visitor.get(CHECKOUT);
    const fewer = { ...form, token: fieldOf(html, 'token'), seen: fieldOf(html, 'seen') };
    expect((await visitor.post(CHECKOUT, fewer)).location).to.include('/pedido/');

    await shop.change({ maxProductUnitsPerOrder: null, maxUnpaidOrdersPerContact: 1 });
    const second = await toCheckout(visitor, product, '3');
    Object.assign(form, second);
    expect(await refused('pt')).to.include('já tem o máximo de pedidos aguardando pagamento nesta loja (1)');
    expect(await refused('en')).to.include('as many orders waiting for payment as this store takes (1)');
    expect(await shop.orders()).to.have.length(1);
    expect((await visitor.post(CHECKOUT, { ...second, phone: '(11) 91234-5678' })).status).to.equal(303);
  });

  it('takes only forms that this visitor was given', async () => {
    const product = await shop.product();
    const form = await toCheckout(visitor, product);
    const stranger = shop.visitor();
    await toCheckout(stranger, product);
    for (const token of ['', 'x', form['token']!, `${form['token']}x`, 'a.b.c']) {
      const answer = await stranger.post(CHECKOUT, { ...form, token });
      expect(answer.status, token).to.equal(422);
      expect(answer.html).to.include('ficou aberta por muito tempo');
    }
    const bare = await shop.visitor().post(CHECKOUT, form);
    expect(bare.location, 'without the cookie there is no cart').to.equal(CART);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      expect((await visitor.post(CHECKOUT, form, headers)).status).to.equal(403);
      expect((await visitor.post(CART, { action: 'add', product: product.uuid }, headers)).status).to.equal(
        403,
      );
    }
    expect(await shop.orders()).to.have.length(0);
    const own = { origin: shop.origin, 'sec-fetch-site': 'same-origin' };
    expect((await visitor.post(CHECKOUT, form, own)).status).to.equal(303);
  });

  it('shows the Pix code, and until when the goods are held, until it is paid', async () => {
    const { location } = await visitor.post(
      CHECKOUT,
      await toCheckout(visitor, await shop.product({ stock: 5 })),
    );
    const [order] = await shop.orders();
    const { company } = shop.world;
    for (const [to, said, pix] of [
      ['confirmado', 'Confirmado pela loja', true],
      ['pago', 'Pago', false],
    ] as const) {
      const command = directCommand(shop.app, { company, actor: 'test' });
      await moveOrder(shop.app, company, order!.uuid, to, null, command);
      const { html } = await visitor.get(location!);
      expect(html).to.include(said);
      expect(html.includes('Pix copia e cola'), to).to.equal(pix);
      expect(html.includes('Reservado até '), to).to.equal(pix);
    }
  });

  it('changes and empties the cart without a script, and keeps it through nonsense', async () => {
    const product = await shop.product({ name: 'Caneca', price_cents: 1000 });
    await visitor.add(product.uuid, '2');
    await visitor.add(product.uuid, '3');
    expect((await visitor.get(CART)).html).to.include('R$\u00a050,00');
    for (const quantity of ['-1', 'x', '1.5', '']) {
      await visitor.post(CART, { action: 'update', [`q.${product.uuid}`]: quantity });
      expect((await visitor.get(CART)).html, quantity).to.include('R$\u00a050,00');
    }
    await visitor.post(CART, { action: 'update', [`q.${product.uuid}`]: '1000000000' });
    expect((await visitor.get(CART)).html).to.include('R$\u00a09.990,00');
    await visitor.post(CART, { [`q.${product.uuid}`]: '7', remove: product.uuid });
    expect((await visitor.get(CART)).html).to.include('Sua sacola está vazia');
  });

  it('asks for an option where there are some', async () => {
    const product = await shop.product({
      variants: [{ options: { Cor: 'Azul' } }, { options: { Cor: 'Preta' } }],
    });
    const answer = await visitor.add(product.uuid);
    expect(answer.status).to.equal(422);
    expect(answer.html).to.include('Escolha uma opção antes de adicionar à sacola.');
    expect(visitor.cookies.has('recado_cart')).to.equal(false);
    expect((await visitor.add(product.uuid, '1', shop.app.newId())).status).to.equal(404);
  });
});

/** The text that a bank's app would read from the QR code. */
async function scan(html: string): Promise<string | undefined> {
  const svg = /<svg viewBox="[^"]+" width="240"[^]*?<\/svg>/
    .exec(html)![0]
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');
  const { data, info } = await sharp(Buffer.from(svg), { density: 144 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const read = jsQR as unknown as typeof jsQR.default;
  return read(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
