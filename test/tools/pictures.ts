/**
 * The pictures of the documentation: `npm run pictures`. Starts a product with the demo, lets something happen in it, and
 * writes docs/pictures/: pages of the console, pages of the shop, and the architecture. Needs Chromium, as the tests do.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser, openPage } from '../support/browser.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { projectFile } from '../support/root.js';
import { architecture } from './architecture-picture.js';

const FOLDER = projectFile('docs/pictures/');
const MOST_BYTES = 150_000;
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 780 } };

interface Row {
  readonly uuid: string;
}
interface Shown {
  readonly conversation: string;
  readonly message: string;
  readonly flow: string;
}

const CUSTOMERS = [
  ['Marina Alves', '5511987650011', 'Oi! Vocês têm a caneca em azul?'],
  ['Rafael Souza', '5521987650012', 'Meu pedido chega hoje?'],
  ['Dona Cida', '5531987650013', 'Obrigada, chegou tudo certinho!'],
  ['Téo Martins', '5541987650014', 'Dá para trocar o tamanho?'],
] as const;

/** A morning in a small shop. */
async function live(product: Product): Promise<Shown> {
  const products = await product.get<readonly (Row & { readonly stock: number | null })[]>('/store/products');
  const inStock = products.filter(({ stock }) => stock !== null && stock > 2);
  const ends = [[], ['confirmado'], ['confirmado', 'pago'], ['confirmado', 'pago', 'entregue']];
  for (const [at, [name, phone, text]] of CUSTOMERS.entries()) {
    const order = await product.admin<Row>('POST', `/companies/${product.company}/store/orders`, {
      items: [{ product_uuid: inStock[at % inStock.length]!.uuid, quantity: (at % 2) + 1 }],
      customer: { name, phone: `+${phone}` },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
    });
    for (const status of ends[at]!)
      await product.admin('POST', `/companies/${product.company}/store/orders/${order.uuid}/status`, {
        status,
      });
    product.reply(phone, text, name);
  }
  const [, first] = CUSTOMERS[0];
  const conversation = await product.conversationWith(`+${first}`);
  const sent = await product.sent(`+${first}`, {
    body: {
      recipient: { phone: `+${first}` },
      type: 'template',
      content: { name: 'order_confirmation', language: 'pt_BR', parameters: ['Marina', '1001'] },
    },
  });
  await product.messageStatus(sent, 'read');
  await product.sent(`+${first}`, {
    body: {
      recipient: { phone: `+${first}` },
      type: 'text',
      content: { text: 'Temos sim, Marina! Separei uma para você.' },
    },
  });
  product.reply(first, 'Que ótimo! Passo aí às 15h.', 'Marina Alves');
  await product.quiet();
  const [flow] = await product.admin<readonly Row[]>('GET', `/companies/${product.company}/flows`);
  if (flow === undefined || sent.result === null)
    throw new Error('the demo has a flow, and the message went');
  return { conversation, message: sent.result.message_uuid, flow: flow.uuid };
}

async function save(page: Page, name: string): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
  // 256 colours are enough for pages, and a third of the bytes.
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
  writeFileSync(join(FOLDER, `${name}.png`), picture);
}

async function ofConsole(product: Product, browser: Browser, shown: Shown): Promise<void> {
  const page = await openPage(browser, { ...DESK, locale: 'en-GB', reducedMotion: 'reduce' });
  const { url } = product.running;
  const { token } = await product.admin<{ readonly token: string }>('POST', '/session/links');
  await page.goto(`${url}/console#token=${token}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await save(page, 'console-overview');
  for (const [name, place, text] of [
    ['inbox', `inbox/${shown.conversation}`, 'Passo aí às 15h.'],
    ['orders', 'orders', 'Marina Alves'],
    ['message', `messages/${shown.message}`, 'Accepted'],
    ['flow', `flows/${shown.flow}`, ''],
  ] as const) {
    await page.goto(`${url}/console/${product.company}/${place}`);
    await (text === '' ? page.locator('svg').first() : page.getByText(text).first()).waitFor();
    // So that more of the graph is in the picture.
    if (name === 'flow')
      for (let step = 0; step < 2; step += 1) await page.getByRole('button', { name: 'Smaller' }).click();
    await save(page, `console-${name}`);
  }
  await page.context().close();
}

async function ofShop(product: Product, browser: Browser): Promise<void> {
  const page = await openPage(browser, { ...PHONE, locale: 'pt-BR', reducedMotion: 'reduce' });
  const shop = `${product.running.url}/loja/loja-demo`;
  const at = async (name: string, path: string): Promise<void> => {
    await page.goto(shop + path);
    await save(page, `shop-${name}`);
  };
  const category = /\/c\/[a-z0-9-]+/;
  await at('home', '');
  const [path] = category.exec(await page.content()) ?? ['/todos'];
  await at('all', '/todos');
  await at('category', path);
  await at('search', '/busca?q=caneca');
  await page
    .getByRole('link', { name: /Caneca esmaltada/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Adicionar à sacola' }).waitFor();
  await save(page, 'shop-product');
  await page.getByRole('button', { name: 'Adicionar à sacola' }).click();
  await page.waitForURL('**/sacola');
  await save(page, 'shop-bag');
  await page.getByRole('link', { name: 'Finalizar compra' }).click();
  await page.getByLabel('Nome completo').fill('Bia Rocha');
  await page.getByLabel('WhatsApp com DDD').fill('11987650019');
  await page.getByRole('radio', { name: /Retirar|Retirada/ }).check();
  await page.getByRole('radio', { name: 'Pix' }).check();
  await save(page, 'shop-checkout');
  await page.getByRole('button', { name: 'Fazer pedido' }).click();
  await page.waitForURL('**/pedido/**');
  await save(page, 'shop-order');
  await page.context().close();
}

mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'architecture.svg'), architecture());
const product = await startProduct({ CONSOLE: 'on' });
const browser = await launchBrowser();
try {
  await ofConsole(product, browser, await live(product));
  await ofShop(product, browser);
} finally {
  await browser.close();
  await product.close();
}
for (const name of [
  'architecture.svg',
  ...['overview', 'inbox', 'orders', 'message', 'flow'].map((one) => `console-${one}.png`),
  ...['home', 'all', 'category', 'search', 'product', 'bag', 'checkout', 'order'].map(
    (one) => `shop-${one}.png`,
  ),
]) {
  const { size } = statSync(join(FOLDER, name));
  console.log(`${name}: ${Math.ceil(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${name} has more than ${MOST_BYTES} bytes`);
}
