/** Orders in the console, as a shop's owner works with them. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';
import type { Product } from '../support/e2e/product.js';

interface Row {
  readonly uuid: string;
  readonly code: string;
  readonly status: string;
  readonly total: string;
}

const HOSTILE = '<img src=x onerror="document.title=1">';

const storePath = (product: Product): string => `/companies/${product.company}/store`;

async function makeProduct(product: Product, name: string, stock: number): Promise<string> {
  const { uuid } = await product.admin<Row>('POST', `${storePath(product)}/products`, {
    name,
    price: '49.90',
    stock,
  });
  return uuid;
}

function placeOrder(product: Product, item: string, name: string, more: object = {}): Promise<Row> {
  return product.admin<Row>('POST', `${storePath(product)}/orders`, {
    items: [{ product_uuid: item, quantity: 2, note: HOSTILE }],
    customer: { name, phone: '+5511987654321' },
    fulfillment: { type: 'pickup' },
    payment: { method: 'pix' },
    ...more,
  });
}

describe('console: orders', function () {
  this.timeout(240_000);
  let item = '';
  let first: Row;
  const suite = consoleSuite(async (product) => {
    item = await makeProduct(product, `Caneca ${HOSTILE}`, 500);
    first = await placeOrder(product, item, 'Maria Souza', { note: 'Embrulhe para presente' });
    await placeOrder(product, item, `Ana ${HOSTILE}`);
  });
  const statusOf = async ({ uuid }: Row): Promise<string> =>
    (await suite.product.admin<Row>('GET', `${storePath(suite.product)}/orders/${uuid}`)).status;
  /** What one answer shows, another one may not show yet. */
  const comesTo = (order: Row, status: string): Promise<string> =>
    eventually(async () => (await statusOf(order)) === status && status, { what: `${order.code} ${status}` });
  const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });

  it('shows what is to be done: customer, items, age and total, on a desk and on a phone', async () => {
    const { page, look } = await suite.open('orders');
    const card = column(page, 'New').getByRole('listitem').filter({ hasText: first.code });
    await card.waitFor();
    const told = await card.innerText();
    expect(told).to.include('Maria Souza').and.to.include(`2× Caneca ${HOSTILE}`).and.to.include('just now');
    expect(told).to.match(/R\$\s?99\.80/);
    expect(await page.locator('main img[src="x"]').count(), 'hostile text is text').to.equal(0);
    await look('orders-desk');
    const phone = await suite.open('orders', { size: 'phone', language: 'pt' });
    await column(phone.page, 'Novos').getByText('Maria Souza').waitFor();
    await phone.look('orders-phone');
  });

  it('moves an order by its button and by dragging, only where the table allows it', async () => {
    const order = await placeOrder(suite.product, item, 'Bruno');
    const { page } = await suite.open('orders');
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(`/orders/${order.uuid}/status`))
        asked.push(request.postDataJSON());
    });
    await page.getByRole('button', { name: `Confirm ${order.code}` }).click();
    await column(page, 'Confirmed').getByText('Bruno').waitFor();
    await comesTo(order, 'confirmado');
    const card = page.getByRole('listitem').filter({ hasText: order.code });
    await card.dragTo(column(page, 'Delivered'), { sourcePosition: { x: 20, y: 40 } });
    await card.dragTo(column(page, 'Paid'), { sourcePosition: { x: 20, y: 40 } });
    await column(page, 'Paid').getByText('Bruno').waitFor();
    await comesTo(order, 'pago');
    expect(asked, 'not by leaving out a step').to.deep.equal([{ status: 'confirmado' }, { status: 'pago' }]);
  });

  it('asks before it cancels', async () => {
    const order = await placeOrder(suite.product, item, 'Carla');
    const { page, look } = await suite.open('orders');
    await page.getByRole('button', { name: `Cancel ${order.code}` }).click();
    await look('orders-cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await statusOf(order)).to.equal('novo');
    await page.getByRole('button', { name: `Cancel ${order.code}` }).click();
    await page.getByLabel('Reason').fill('Sem estoque');
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await column(page, 'Cancelled').getByText('Carla').waitFor();
    await comesTo(order, 'cancelado');
  });

  it('marks an order that arrives, and counts it in the title until it is opened', async () => {
    const { page } = await suite.open('orders');
    await column(page, 'New').getByText('Maria Souza').waitFor();
    expect(await page.title()).not.to.match(/^\(/);
    await page.getByRole('button', { name: 'Sound is off' }).click();
    await page.getByRole('button', { name: 'Sound is on', pressed: true }).waitFor();
    const order = await placeOrder(suite.product, item, 'Davi');
    const card = column(page, 'New').getByRole('listitem').filter({ hasText: order.code });
    await card.locator('.badge', { hasText: 'new' }).waitFor();
    await eventually(async () => (await page.title()).startsWith('(1) ') || undefined);
    await card.getByRole('link', { name: order.code }).click();
    await page.getByRole('heading', { name: `Order ${order.code}` }).waitFor();
    await eventually(async () => !(await page.title()).startsWith('('));
  });

  it('marks an order also where the board shows it first', async () => {
    const { page } = await suite.open('orders');
    const watched = '/store/orders?limit=20';
    const entries = `performance.getEntriesByType('resource')`;
    const answered = `${entries}.some(({ name, responseEnd }) => name.endsWith('${watched}') && responseEnd > 0)`;
    await eventually(() => page.evaluate<boolean>(answered));
    let release = (): void => undefined;
    const shown = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**${watched.replace('?', '\\?')}`, async (route) => {
      await shown;
      await route.continue();
    });
    const order = await placeOrder(suite.product, item, 'Elis');
    const card = column(page, 'New').getByRole('listitem').filter({ hasText: order.code });
    await card.waitFor();
    release();
    await card.locator('.badge', { hasText: 'new' }).waitFor();
  });

  it('shows an order with who moved it, and answers its customer beside it', async () => {
    const { product } = suite;
    product.reply('5511987654321', 'Já saiu?', 'Maria');
    const { page, look } = await suite.open(`orders/${first.uuid}`);
    await page.getByRole('heading', { name: `Order ${first.code}` }).waitFor();
    await page.getByText('Embrulhe para presente').waitFor();
    await page.getByText('by: team').waitFor();
    await page.getByRole('log').getByText('Já saiu?').waitFor();
    const address = await page.getByRole('link', { name: 'Open WhatsApp' }).getAttribute('href');
    expect(address).to.match(/^https:\/\/wa\.me\/5511987654321\?text=Hello/);
    await page.getByPlaceholder('Your answer').fill('Sai hoje!');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('log').getByText('Sai hoje!').waitFor();
    await look('order-desk');
    const phone = await suite.open(`orders/${first.uuid}`, { size: 'phone', language: 'pt' });
    await phone.page.getByRole('log').getByText('Sai hoje!').waitFor();
    await phone.look('order-phone');
  });

  it('prints a sheet for each order, and one list to pick them by', async () => {
    const { page, look } = await suite.open('orders');
    for (const name of ['Maria Souza', 'Ana'])
      await column(page, 'New')
        .getByRole('listitem')
        .filter({ hasText: name })
        .first()
        .getByRole('checkbox')
        .check();
    await page.getByRole('link', { name: 'Print 2' }).click();
    const picks = page.getByRole('region', { name: 'Pick list' });
    await picks.getByText('4 ×').waitFor();
    expect(await page.getByRole('article').count()).to.equal(2);
    await look('orders-print');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible(), 'the header on paper').to.equal(false);
    expect(await page.getByRole('button', { name: 'Print now' }).isVisible()).to.equal(false);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.pdf({ path: `${folder}/orders-print.pdf`, format: 'A4' });
  });

  it('takes an order by hand, and says why one is refused', async () => {
    const scarce = await makeProduct(suite.product, 'Bolsa rara', 1);
    expect(scarce).to.be.a('string');
    const { page, look } = await suite.open('orders/new', { language: 'pt' });
    await page.getByLabel('Buscar um produto').fill('bolsa');
    await page.getByRole('button', { name: 'Adicionar Bolsa rara' }).click();
    await page.getByLabel('Quantidade de Bolsa rara').fill('2');
    await page.getByLabel('Nome').fill('Elis');
    await page.getByRole('textbox', { name: 'WhatsApp' }).fill('(11) 98765-4321');
    await page.getByLabel('Como o cliente recebe').selectOption('pickup');
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Registrar o pedido' }).click();
      await page.getByRole('alert').waitFor();
    });
    await look('order-new');
    await page.getByLabel('Quantidade de Bolsa rara').fill('1');
    await page.getByRole('button', { name: 'Registrar o pedido' }).click();
    await page.getByRole('heading', { name: /^Pedido #/ }).waitFor();
    await page.getByText('Elis').first().waitFor();
  });
});
