/** Getting around: side bar, menu on a phone, short cuts, search, language and look. By keyboard as well. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';

const HOSTILE = '<img src=x onerror=document.title="owned">';

describe('console: navigation', function () {
  this.timeout(180_000);
  const suite = consoleSuite(async (product) => {
    product.reply('5511987654321', 'Oi', `Ana ${HOSTILE}`);
    await product.conversationWith('+5511987654321');
  });
  const headingHasFocus = (page: Page, name: string) =>
    page.locator('h1:focus', { hasText: new RegExp(`^${name}$`) }).waitFor();

  it('goes to sections by letters, lists them, and lets people switch them off', async () => {
    const { page, look } = await suite.open('overview');
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Without an answer between them: the second letter must follow soon, however slow this machine is.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('o')]);
    await page.waitForURL(/\/orders$/);
    await headingHasFocus(page, 'Orders');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard short cuts' });
    await dialog.getByText('Webhooks').waitFor();
    await look('short-cuts-desk');
    await dialog.getByRole('checkbox').press('Space');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.keyboard.press('/');
    expect(new URL(page.url()).pathname).to.match(/\/orders$/);
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
  });

  it('writes letters where letters are text', async () => {
    const { page } = await suite.open('overview');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('go?/');
    expect(await box.inputValue()).to.equal('go?/');
    expect(new URL(page.url()).pathname).to.match(/\/overview$/);
  });

  for (const [size, language, title] of [
    ['desk', 'en', 'Search'],
    ['phone', 'pt', 'Buscar'],
  ] as const) {
    it(`finds a person and shows a hostile name as text, on a ${size}`, async () => {
      const { page, look } = await suite.open('overview', { size, language });
      await page.getByRole('button', { name: title }).click();
      await page.getByRole('combobox', { name: title }).fill('ana');
      const found = page.getByRole('listbox').getByRole('option').first();
      await found.waitFor();
      expect(await found.textContent()).to.include(HOSTILE);
      await look(`search-${size}`);
      await page.getByRole('combobox', { name: title }).fill('nobody of this name');
      await page.getByText(/nobody of this name/).waitFor();
      await look(`search-none-${size}`);
      expect(await page.title()).not.to.equal('owned');
    });
  }

  it('opens a conversation by its uuid, by the keyboard alone', async () => {
    const uuid = await suite.product.conversationWith('+5511987654321');
    const { page } = await suite.open('overview');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(uuid);
    await page.getByRole('listbox').getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/inbox/${uuid}$`));
  });

  it('opens an order by its number', async () => {
    const { product } = suite;
    const store = `/companies/${product.company}/store`;
    const item = await product.admin<{ readonly uuid: string }>('POST', `${store}/products`, {
      name: 'Vaso',
      price: '30.00',
    });
    const order = await product.admin<{ readonly uuid: string; readonly code: string }>(
      'POST',
      `${store}/orders`,
      {
        items: [{ product_uuid: item.uuid, quantity: 1 }],
        customer: { name: 'Ana', phone: '+5511987654321' },
        fulfillment: { type: 'pickup' },
      },
    );
    const { page } = await suite.open('overview');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(order.code);
    await page.getByRole('listbox').getByRole('option', { name: /Order/ }).click();
    await page.waitForURL(new RegExp(`/orders/${order.uuid}$`));
  });

  it('has a menu on a phone, which names the section and closes when one is chosen', async () => {
    const { page, look } = await suite.open('overview', { size: 'phone', language: 'pt' });
    const menu = page.getByRole('button', { name: 'Visão geral' });
    await menu.click();
    await menu.and(page.locator('[aria-expanded="true"]')).waitFor();
    await look('menu-phone');
    await page.getByRole('navigation').getByRole('link', { name: 'Pedidos' }).click();
    await page.getByRole('button', { name: 'Pedidos' }).waitFor();
    await headingHasFocus(page, 'Pedidos');
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(wide, 'no sideways scroll').to.equal(390);
  });

  it('keeps the language and the look that were chosen', async () => {
    const { page, look } = await suite.open('overview');
    await page.getByRole('combobox', { name: 'Look' }).selectOption('dark');
    await page.reload();
    const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await back()).to.equal('rgb(17, 22, 28)');
    await look('dark-desk');
    await page.getByRole('button', { name: 'Português' }).click();
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();
  });
});
