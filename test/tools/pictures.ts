/**
 * `npm run pictures`: the pictures of docs/pictures, taken of a started product with a made-up shop. They are made
 * again when a screen changes; no test compares them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { launchBrowser, openPage } from '../support/browser.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { order } from '../support/e2e/templates.js';
import { projectFile } from '../support/root.js';

const MOST_BYTES = 150 * 1024;
const SIZE = { width: 1280, height: 800 };

interface Row {
  readonly uuid: string;
}

const GOODS = [
  ['Caneca de louça azul', '49.90', 12],
  ['Prato raso esmaltado', '69.00', 8],
  ['Bule de chá pequeno', '129.00', 3],
  ['Jogo de xícaras', '189.90', 5],
] as const;

const BUYERS = [
  ['Maria Souza', '+5511987654321', 'Oi! Vocês entregam em Pinheiros?', 0, []],
  ['João Pereira', '+5511976543210', 'A caneca azul ainda tem?', 1, []],
  ['Ana Lima', '+5511965432109', 'Perfeito, pode confirmar', 2, ['confirmado']],
  ['Carlos Dias', '+5511954321098', 'Paguei agora no Pix', 3, ['confirmado', 'pago']],
  [
    'Beatriz Alves',
    '+5511943210987',
    'Chegou tudo certinho, obrigada!',
    0,
    ['confirmado', 'pago', 'entregue'],
  ],
] as const;

async function fill(product: Product): Promise<void> {
  const store = `/companies/${product.company}/store`;
  const made: string[] = [];
  for (const [name, price, stock] of GOODS)
    made.push((await product.admin<Row>('POST', `${store}/products`, { name, price, stock })).uuid);
  for (const [name, phone, text, good, steps] of BUYERS) {
    product.reply(phone.slice(1), text, name);
    await product.conversationWith(phone);
    const { uuid } = await product.admin<Row>('POST', `${store}/orders`, {
      items: [{ product_uuid: made[good], quantity: 1 + (good % 2) }],
      customer: { name, phone },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
    });
    for (const status of steps) await product.admin('POST', `${store}/orders/${uuid}/status`, { status });
  }
  await product.sent('+5511987654321', { body: order('1042') });
  await product.quiet();
}

const product = await startProduct({ CONSOLE: 'on' });
const browser = await launchBrowser();
try {
  await fill(product);
  const talk = await product.conversationWith('+5511987654321');
  const [flow] = await product.admin<readonly Row[]>('GET', `/companies/${product.company}/flows`);
  const [sent] = await product.admin<readonly { readonly message: Row }[]>(
    'GET',
    `/companies/${product.company}/messages`,
  );
  const page = await openPage(browser, { viewport: SIZE, locale: 'en-GB', reducedMotion: 'reduce' });
  const { token } = await product.admin<{ readonly token: string }>('POST', '/session/links');
  const root = `${product.running.url}/console`;
  await page.goto(`${root}#token=${token}`);
  await page.getByRole('navigation').waitFor();
  await mkdir(projectFile('docs/pictures'), { recursive: true });
  for (const [name, place, shown] of [
    ['overview', 'overview', '.numbers'],
    ['inbox', `inbox/${talk}`, '.bubble'],
    ['orders', 'orders', '.card'],
    ['flow', `flows/${flow!.uuid}`, '.node'],
    ['message', `messages/${sent!.message.uuid}`, '.timeline li'],
  ] as const) {
    await page.goto(`${root}/${product.company}/${place}`);
    await page.locator(shown).first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const taken = await page.screenshot();
    const small = await sharp(taken).png({ palette: true, compressionLevel: 9, effort: 10 }).toBuffer();
    const file = join('docs/pictures', `console-${name}.png`);
    if (small.length > MOST_BYTES) throw new Error(`${file} would have ${small.length} bytes`);
    await writeFile(projectFile(file), small);
    console.log(`${file}: ${small.length} bytes`);
  }
} finally {
  await browser.close();
  await product.close();
}
