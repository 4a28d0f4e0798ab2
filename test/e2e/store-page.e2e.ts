/**
 * A customer on a phone, from the store's page to the order that the shop receives. With SCREENSHOTS=<folder> every
 * page is also saved as an image.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { directCommand } from '../../application/app.js';
import { createCategory } from '../../application/store/categories.js';
import { storeOf } from '../../application/store/gate.js';
import { createProduct } from '../../application/store/products/write.js';
import { changeStore, openStore } from '../../application/store/settings.js';
import { launchBrowser, openPage, skipWithoutBrowser } from '../support/browser.js';
import { eventually } from '../support/e2e/eventually.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';
import { serve, type Serving } from '../support/servers.js';
import { SETTINGS } from '../store-page/shop.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ADMIN = { actor: 'test' };
const SLUG = 'aurora-e2e';
const SHAPES: Readonly<Record<string, string>> = {
  shirt: '<path d="M280 200l-140 80 50 120 60-25v245h300V375l60 25 50-120-140-80c-30 60-210 60-240 0Z"/>',
  mug: '<path d="M210 250h300v290a70 70 0 0 1-70 70H280a70 70 0 0 1-70-70Z"/><path d="M510 310h50a60 60 0 0 1 60 60v60a60 60 0 0 1-60 60h-50" fill="none" stroke="#fff" stroke-width="36"/>',
  bag: '<path d="M190 300h420l-40 340H230Z"/><path d="M310 300v-40a90 90 0 0 1 180 0v40" fill="none" stroke="#fff" stroke-width="28"/>',
};
const GOODS = [
  ['Camiseta de algodão orgânico', 'shirt', 'c96f4a', '79.90', '59.90', 'Roupas'],
  ['Caneca de cerâmica 350 ml', 'mug', '4a7fa5', '45.00', null, 'Casa'],
  ['Bolsa de lona com bolso interno', 'bag', '6b8f5e', '129.00', '99.00', 'Acessórios'],
  ['Camiseta infantil listrada', 'shirt', 'd4a24c', '49.90', null, 'Roupas'],
  ['Caneca de ágata azul', 'mug', '7d6b9e', '39.90', null, 'Casa'],
  ['Ecobag dobrável', 'bag', 'b0586a', '35.00', null, 'Acessórios'],
] as const;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

describe('the store page in a browser', function () {
  this.timeout(180_000);
  let product: Product;
  let receiver: WebhookReceiver;
  let pictures: Serving;
  let browser: Browser | undefined;
  let home: string;

  before(async function () {
    skipWithoutBrowser(this);
    pictures = await serve((req, res) => {
      void draw(req.url!).then((bytes) => res.setHeader('content-type', 'image/png').end(bytes));
    });
    receiver = await startWebhookReceiver();
    product = await startProduct();
    await product.subscribe(receiver.url);
    await fillShop(product, pictures.origin);
    home = `${product.running.url}/loja/${SLUG}`;
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await product?.close();
    await receiver?.close();
    await pictures?.close();
  });

  it('sells to a customer with a phone, and the shop hears of it', async () => {
    const visit = await openPhone(browser!, { javaScriptEnabled: true });
    const { page } = visit;
    await page.goto(home);
    await visit.look('1-home');
    await page
      .getByRole('link', { name: /Camiseta de algodão orgânico/ })
      .first()
      .click();
    await visit.look('2-product');
    await page.getByRole('radio', { name: /M \/ Areia/ }).check();
    await page.getByRole('button', { name: 'Aumentar a quantidade' }).click();
    await page.getByRole('button', { name: 'Adicionar à sacola' }).click();
    await page.waitForURL('**/sacola');
    expect(await page.locator('[data-cart-count]').textContent()).to.equal('2');
    await visit.look('3-cart');
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      page.getByRole('button', { name: /^Aumentar a quantidade: Camiseta/ }).click(),
    ]);
    await page.getByText('R$\u00a0179,70').first().waitFor();
    await page.getByRole('link', { name: 'Finalizar compra' }).click();
    await page.getByRole('button', { name: 'Fazer pedido' }).click();
    await page.getByRole('alert').getByText('Corrija').waitFor();
    await visit.look('4-errors');
    await page.getByLabel('Nome completo').fill('Maria Souza');
    await page.getByLabel('WhatsApp com DDD').fill('11987654321');
    await page.getByLabel('CEP').fill('01310100');
    await page.getByLabel('Rua ou avenida').fill('Avenida Paulista');
    expect(await page.getByLabel('CEP').inputValue(), 'the mask').to.equal('01310-100');
    expect(await page.getByLabel('WhatsApp com DDD').inputValue()).to.equal('(11) 98765-4321');
    await page.getByLabel('Número').fill('1000');
    await page.getByLabel('Bairro').fill('Bela Vista');
    await page.getByLabel('Cidade').fill('São Paulo');
    await page.getByLabel('Estado').selectOption('SP');
    await page.getByRole('radio', { name: 'Pix' }).check();
    await visit.look('5-checkout');
    await page.getByRole('button', { name: 'Fazer pedido' }).click();
    await page.waitForURL('**/pedido/**');
    await visit.look('6-order');
    await page.getByRole('button', { name: 'Copiar código' }).click();
    await page.getByRole('status').getByText('Código copiado').waitFor({ state: 'attached' });
    const code = await page.getByLabel('Pix copia e cola').inputValue();
    await visit.end();

    const [order] = await product.get<readonly StoreOrder[]>('/store/orders');
    expect(order).to.deep.include({ code: '#1001', status: 'novo', source: 'storefront', total: '179.70' });
    expect(order!.customer).to.deep.include({ name: 'Maria Souza', phone: '+5511987654321' });
    expect(order!.payment.pix.copy_paste).to.equal(code);
    const [delivery] = await eventually(() =>
      receiver.of('order.created').length > 0 ? receiver.of('order.created') : null,
    );
    const { 'service-timestamp': at, 'service-signature': signature } = delivery!.headers;
    const secret = product.running.credentials['webhook_secret']!;
    const expected = createHmac('sha256', secret)
      .update(`${String(at)}.`)
      .update(delivery!.raw)
      .digest('hex');
    expect(String(signature)).to.include(expected);
    expect((delivery!.event.data as { order?: StoreOrder }).order).to.deep.include({
      uuid: order!.uuid,
      code: '#1001',
    });
    expect(product.errors).to.deep.equal([]);
  });

  it('sells without JavaScript, in English, to who picks it up', async () => {
    const visit = await openPhone(browser!, { javaScriptEnabled: false });
    const { page } = visit;
    await page.goto(`${home}?lang=en`);
    await page.getByRole('searchbox').fill('agata');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /Caneca de ágata azul/ }).click();
    await page.getByLabel('Quantity').fill('3');
    await page.getByRole('button', { name: 'Add to bag' }).click();
    await page.getByLabel('Quantity of Caneca de ágata azul').fill('2');
    await page.getByRole('button', { name: 'Update bag' }).click();
    await page.getByText('R$79.80').first().waitFor();
    await page.getByRole('link', { name: 'Check out' }).click();
    await page.getByLabel('Full name').fill('John Smith');
    await page.getByLabel('WhatsApp number').fill('+1 415 555 2671');
    await page.getByRole('radio', { name: /^Pickup/ }).check();
    await page.getByRole('radio', { name: /^Cash/ }).check();
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByText('Order placed, John').waitFor();
    await page.goBack();
    await page.getByText('Your bag is empty').waitFor();
    await visit.end();
    const orders = await product.get<readonly StoreOrder[]>('/store/orders');
    expect(orders.map(({ code, total }) => [code, total])).to.deep.equal([
      ['#1002', '79.80'],
      ['#1001', '179.70'],
    ]);
  });
});

interface StoreOrder {
  readonly uuid: string;
  readonly code: string;
  readonly total: string;
  readonly customer: Readonly<Record<string, unknown>>;
  readonly payment: { readonly pix: { readonly copy_paste: string } };
}

/**
 * Opens a page at phone size. It records violated policies, errors, requests to foreign origins and accessibility
 * faults.
 */
async function openPhone(
  browser: Browser,
  { javaScriptEnabled }: { readonly javaScriptEnabled: boolean },
): Promise<{ page: Page; look: (name: string) => Promise<void>; end: () => Promise<void> }> {
  const page = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    javaScriptEnabled,
    permissions: ['clipboard-write'],
  });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A form with invalid fields is answered with 422, which Chromium logs as a load error.
    if (message.type() === 'error' && !message.text().includes('422')) faults.push(message.text());
  });
  // Who leaves a page cancels its pictures that are still on their way. A server that refuses or cuts one shows otherwise.
  let pagesLeft = 0;
  const leftBefore = new WeakMap<Request, number>();
  const cancelled: Request[] = [];
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) pagesLeft += 1;
  });
  page.on('request', (request) => leftBefore.set(request, pagesLeft));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'no reason';
    if (reason === 'net::ERR_ABORTED' && request.resourceType() === 'image') cancelled.push(request);
    else faults.push(`not loaded: ${request.url()} (${reason})`);
  });
  return {
    page,
    async look(name) {
      await page.waitForLoadState('networkidle');
      const folder = process.env['SCREENSHOTS'];
      if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      const { violations, overflow, shift } = await page.evaluate<{
        violations: readonly Violation[];
        overflow: number;
        shift: number;
      }>(`(async () => {
        ${AXE};
        const { violations } = await axe.run(document);
        const shifts = performance.getEntriesByType('layout-shift');
        return {
          violations,
          overflow: document.documentElement.scrollWidth - window.innerWidth,
          shift: shifts.reduce((sum, { value }) => sum + value, 0),
        };
      })()`);
      const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(
        bad.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
        name,
      ).to.deep.equal([]);
      expect(overflow, `${name} scrolls sideways`).to.be.at.most(0);
      expect(shift, `${name} jumps`).to.be.lessThan(0.1);
    },
    async end() {
      for (const request of cancelled)
        if (leftBefore.get(request) === pagesLeft)
          faults.push(`cancelled, yet nobody left: ${request.url()}`);
      await page.context().close();
      expect(faults).to.deep.equal([]);
    },
  };
}

async function fillShop({ app, company: companyUuid }: Product, pictureUrl: string): Promise<void> {
  const settings = { ...SETTINGS, slug: SLUG };
  const { opened } = await openStore(app, { companyUuid, settings }, ADMIN);
  if (!opened) await changeStore(app, { companyUuid, settings }, ADMIN);
  const categories = new Map<string, string>();
  for (const name of new Set(GOODS.map((each) => each[5]))) {
    const { categoryUuid } = await createCategory(app, companyUuid, { name }, ADMIN);
    categories.set(name, categoryUuid);
  }
  const store = await storeOf(app, companyUuid);
  for (const [name, shape, color, price, promo, category] of GOODS.toReversed()) {
    const body = {
      name,
      price,
      promo_price: promo,
      category_uuid: categories.get(category),
      description:
        'Feita à mão em pequenos lotes.\n\nCada peça é única: cor e acabamento podem variar um pouco.',
      brand: 'Aurora',
      image_urls: [`${pictureUrl}/${shape}/${color}`, `${pictureUrl}/${shape}/8a8580`],
      ...(promo === '59.90' && {
        variants: ['P', 'M', 'G'].flatMap((size) =>
          ['Terra', 'Areia'].map((tone) => ({
            options: { Tamanho: size, Cor: tone },
            stock: size === 'G' && tone === 'Terra' ? 0 : size === 'M' ? 3 : 10,
          })),
        ),
      }),
    };
    await createProduct(app, store, body, directCommand(app, { company: companyUuid, actor: 'test' }));
  }
}

function draw(path: string): Promise<Buffer> {
  const [, shape = '', color = ''] = path.split('/');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#${color}" stop-opacity=".55"/><stop offset="1" stop-color="#${color}"/></linearGradient></defs><rect width="800" height="800" fill="#f3eee8"/><rect width="800" height="800" fill="url(#g)"/><g fill="#fff" fill-opacity=".92" transform="translate(0 -10)">${SHAPES[shape] ?? ''}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
