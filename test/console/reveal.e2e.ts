/** A viewer shows the customer of one thing, in a browser: where the company allows it, and the audit has it. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { REVEALS_AN_HOUR } from '../../domain/account/reveals.js';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '+5511987654321';
const TEXT = 'Quero a camiseta azul';
const MASKED = /^\+•+21$/;

interface Row {
  readonly uuid: string;
}

describe('console: revealing', function () {
  this.timeout(240_000);
  const at = { contact: '', conversation: '', message: '', order: '' };
  const suite = consoleSuite(async (product) => {
    const company = `/companies/${product.company}`;
    const one = async (path: string): Promise<string> =>
      (await product.admin<readonly Row[]>('GET', `${company}/${path}`))[0]?.uuid ?? '';
    product.reply(PHONE.slice(1), TEXT, 'Maria');
    await product.conversationWith(PHONE);
    await product.sent(PHONE);
    const item = await product.admin<Row>('POST', `${company}/store/products`, {
      name: 'Camiseta',
      price: '49.90',
      stock: 3,
    });
    const order = await product.admin<Row>('POST', `${company}/store/orders`, {
      items: [{ product_uuid: item.uuid, quantity: 1 }],
      customer: { name: 'Maria', phone: PHONE },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
    });
    await product.quiet();
    at.contact = await one('contacts');
    at.conversation = await one('conversations');
    const sent = await product.admin<readonly { readonly message: Row }[]>('GET', `${company}/messages`);
    at.message = sent[0]?.message.uuid ?? '';
    at.order = order.uuid;
  });
  const allow = (viewers_may_reveal: boolean) =>
    suite.product.admin('PATCH', `/companies/${suite.product.company}/privacy`, { viewers_may_reveal });

  async function reveal(page: Page, button: string, reason = 'A problem with an order'): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: button });
    await dialog.getByLabel('Reason').selectOption({ label: reason });
    await dialog.getByLabel('Ticket or order').fill('T-1042');
    await dialog.getByRole('button', { name: 'Show and record' }).click();
  }

  const isShown = (page: Page) =>
    eventually(async () => (await page.getByLabel('Phone').inputValue()) === PHONE || undefined);

  it('is said to be off, and by whom it is allowed, until an owner allows it', async () => {
    const { page, look } = await suite.open(`contacts/${at.contact}`, { role: 'viewer' });
    await page.getByText('An owner of the company can allow viewers to show them').first().waitFor();
    expect(await page.getByLabel('Phone').inputValue()).to.match(MASKED);
    expect(await page.getByRole('button', { name: 'Show phone and details' }).count()).to.equal(0);
    await look('reveal-off');
  });

  it('shows a contact for a reason, at once and after a reload, and the audit has it', async () => {
    await allow(true);
    const { page, look } = await suite.open(`contacts/${at.contact}`, { role: 'viewer' });
    await page.getByRole('button', { name: 'Show phone and details' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show and record' }).click();
    expect(await page.getByRole('dialog').isVisible(), 'a reason is asked for').to.equal(true);
    await look('reveal-dialog');
    await page.keyboard.press('Escape');
    await reveal(page, 'Show phone and details', 'A complaint');
    const shown = page.getByRole('status').filter({ hasText: 'Shown until' });
    await shown.waitFor();
    await page.locator('p.reveal:focus').waitFor();
    await isShown(page);
    await look('reveal-shown');
    await page.reload();
    await shown.waitFor();
    await isShown(page);

    const owner = await suite.open('audit?kind=reveal', { role: 'owner' });
    const row = owner.page.locator('ol.acts li').filter({ hasText: 'A complaint · T-1042' });
    expect(await row.locator('.who').innerText()).to.match(/^Pessoa \d+$/);
    await owner.look('reveal-audit');
    await row.getByRole('link', { name: 'Revealed a customer' }).click();
    await owner.page.waitForURL((url) => url.pathname.endsWith(`/contacts/${at.contact}`));
    expect(await owner.page.getByRole('button', { name: 'Show phone and details' }).count()).to.equal(0);
  });

  it('shows a conversation, an order and a message, each by itself, also on a phone', async () => {
    const { page, look } = await suite.open(`inbox/${at.conversation}?status=all`, {
      role: 'viewer',
      size: 'phone',
    });
    const { url } = suite.product.running;
    const bubbles = page.getByRole('log');
    await bubbles.getByText('•••').first().waitFor();
    await reveal(page, 'Show phone and texts');
    await bubbles.getByText(TEXT).waitFor();
    await page.locator('header.head').getByText(PHONE).waitFor();
    await look('reveal-conversation-phone');
    await page.goto(`${url}/console/${suite.product.company}/orders/${at.order}`);
    await page.locator('.facts').getByText('+•', { exact: false }).waitFor();
    expect(await page.locator('a[href^="https://wa.me"]').count(), 'a masked number leads nowhere').to.equal(
      0,
    );
    await reveal(page, 'Show the customer');
    await page.locator('.facts').getByText(PHONE).waitFor();
    await page.locator(`a[href^="https://wa.me/${PHONE.slice(1)}"]`).waitFor();
    await page.goto(`${url}/console/${suite.product.company}/messages/${at.message}`);
    await reveal(page, 'Show phone and text');
    await page.getByRole('status').filter({ hasText: 'Shown until' }).waitFor();
    await page.locator('p.text').filter({ hasNotText: '•' }).waitFor();
  });

  it('reads the thing again when the time is over', async () => {
    const { page } = await suite.open(`contacts/${at.contact}`, { role: 'viewer' });
    await page.getByRole('button', { name: 'Show phone and details' }).waitFor();
    await page.clock.install();
    await reveal(page, 'Show phone and details');
    await isShown(page);
    const again = page.waitForRequest((request) => request.url().endsWith(`/contacts/${at.contact}`));
    await page.clock.fastForward(605_000);
    await again;
  });

  it('says when the next one may be shown, once the limit is reached', async () => {
    const { product } = suite;
    const { page, look } = await suite.open(`contacts/${at.contact}`, { role: 'viewer', language: 'pt' });
    const body = { thing: 'contact', thing_uuid: at.contact, reason: 'complaint' };
    for (let nth = 0; nth < REVEALS_AN_HOUR; nth += 1) {
      const path = `${product.running.url}/admin/v1/companies/${product.company}/reveals`;
      const answer = await page.request.post(path, { data: body, headers: { 'x-recado-console': '1' } });
      expect(answer.status()).to.equal(201);
    }
    await page.goto(`${product.running.url}/console/${product.company}/orders/${at.order}`);
    await page.getByRole('button', { name: 'Mostrar o cliente' }).click();
    await page.getByLabel('Motivo').selectOption({ label: 'Reclamação' });
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Mostrar e registrar' }).click();
      await page.getByText('Você pode mostrar o próximo às', { exact: false }).waitFor();
    });
    await look('reveal-exhausted');
  });
});
