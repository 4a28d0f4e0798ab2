/** The main jobs, done with a keyboard alone (docs/console.md, "By keyboard"). Nothing here clicks. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '+5511987654321';
/** More than any page has places to stop at. */
const STOPS = 250;

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < STOPS; stops += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not get there');
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

describe('console: by keyboard alone', function () {
  this.timeout(300_000);
  const suite = consoleSuite(async (product) => {
    await product.sent(PHONE);
    product.reply(PHONE.slice(1), 'Olá, ainda tem a camiseta?', 'Ana');
    await product.conversationWith(PHONE);
    const company = `/companies/${product.company}`;
    const made = await product.admin<{ readonly uuid: string }>(
      'POST',
      `${company}/store/products`,
      { name: 'Camiseta', price: '49.90', stock: 5 },
      201,
    );
    await product.admin(
      'POST',
      `${company}/store/orders`,
      {
        items: [{ product_uuid: made.uuid, quantity: 1 }],
        customer: { name: 'Ana', phone: PHONE },
        fulfillment: { type: 'pickup' },
      },
      201,
    );
    await product.quiet();
  });

  it('goes to a section, past the navigation, and changes a contact there', async () => {
    const { page } = await suite.open('overview');
    await press(page, page.getByRole('link', { name: 'Contacts' }));
    await page.waitForURL(/contacts/);
    await page.reload();
    await press(page, page.getByRole('link', { name: 'Skip to content' }));
    await page.locator('main:focus').waitFor();
    // Without the section's own script, which loads by itself, there is nothing in `main` to reach.
    await page.getByRole('searchbox').waitFor();
    // From here Tab reaches the section itself, without the navigation.
    await page.keyboard.press('Tab');
    await page.locator('main :focus').waitFor();
    await press(page, page.locator('main').getByRole('link', { name: /Ana/ }));
    await page.getByRole('heading', { name: 'Ana', level: 1 }).waitFor();
    await tabTo(page, page.getByRole('textbox', { name: 'Name', exact: true }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Ana Lima');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ana Lima', level: 1 }).waitFor();
    // The letters of a short cut do the same.
    await press(page, page.getByRole('link', { name: /All contacts/ }));
    await page.locator('main').getByRole('link', { name: 'Ana Lima' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });

  it('answers a conversation', async () => {
    const { page } = await suite.open('inbox');
    await press(page, page.getByRole('link', { name: /Ana/ }).first());
    await tabTo(page, page.getByRole('textbox', { name: 'Your answer' }));
    await page.keyboard.type('Temos, sim!');
    await press(page, page.getByRole('button', { name: 'Send' }));
    await page.getByText('Temos, sim!').first().waitFor();
  });

  it('resolves a conversation', async () => {
    const { page } = await suite.open('inbox');
    await press(page, page.getByRole('link', { name: /Ana/ }).first());
    await press(page, page.getByRole('button', { name: 'Resolve', exact: true }));
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
  });

  it('writes a note', async () => {
    const conversation = await suite.product.conversationWith(PHONE);
    const { page } = await suite.open(`inbox/${conversation}?status=all`);
    await press(page, page.getByRole('button', { name: 'Note', exact: true }));
    await tabTo(page, page.getByRole('textbox', { name: 'Only the team reads it' }));
    await page.keyboard.type('Prefere azul.');
    await press(page, page.getByRole('button', { name: 'Save note' }));
    await page.getByText('Prefere azul.').first().waitFor();
  });

  it('moves an order', async () => {
    const { page } = await suite.open('orders');
    await press(page, page.getByRole('button', { name: /^Confirm / }).first());
    await eventually(async () => {
      const orders = await suite.product.get<readonly { readonly status: string }[]>('/store/orders');
      return orders.some(({ status }) => status === 'confirmado') || undefined;
    });
  });

  it('finds an event and what caused it', async () => {
    const { page } = await suite.open('history');
    await tabTo(page, page.getByLabel('Event types'));
    await page.keyboard.type('MessageReceived');
    await page.keyboard.press('Enter');
    await page.waitForURL(/types=MessageReceived/);
    await press(page, page.getByRole('link', { name: 'MessageReceived' }).first());
    await press(page, page.locator('.tree').getByRole('link', { name: 'ProviderWebhookReceived' }));
    await page.getByRole('heading', { name: 'ProviderWebhookReceived' }).waitFor();
  });

  it('rebuilds a projection, sees how the two compare and goes back to the kept generation', async () => {
    const { page } = await suite.open('projections');
    const generation = () =>
      suite.product
        .admin<readonly { readonly name: string; readonly generation: number }[]>('GET', '/projections')
        .then((all) => all.find(({ name }) => name === 'team')?.generation);
    const before = await generation();
    await press(page, page.getByRole('link', { name: 'team', exact: true }));
    await tabTo(page, page.getByLabel(/Compare only this many/));
    await page.keyboard.type('100');
    await press(page, page.getByRole('button', { name: 'Rebuild' }));
    await page.waitForURL(/job-/);
    await page.getByText('done').waitFor();
    await page.getByText(/0 different/).waitFor();
    await eventually(async () => (await generation()) !== before);
    await press(page, page.getByRole('link', { name: /All projections/ }));
    await press(page, page.getByRole('link', { name: 'team', exact: true }));
    await press(page, page.getByRole('button', { name: /Use/ }).first());
    await eventually(async () => (await generation()) === before);
  });

  it('changes a block of a flow', async () => {
    const { page } = await suite.open('flows');
    await press(page, page.getByRole('link', { name: 'Boas-vindas' }));
    await press(page, page.locator('.node').first());
    await tabTo(page, page.getByRole('combobox', { name: 'Label' }));
    await page.keyboard.type('Primeiro');
    await page.keyboard.press('Tab');
    await page.locator('.node', { hasText: 'Primeiro' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Save draft' }));
    await page.getByText('Saved.').waitFor();
  });

  it('plays a flow as its customer', async () => {
    const { page } = await suite.open('flows');
    await press(page, page.getByRole('link', { name: 'Boas-vindas' }));
    await press(page, page.getByRole('link', { name: 'Try it' }));
    await tabTo(page, page.getByLabel('Your answer'));
    await page.keyboard.type('oi');
    await page.keyboard.press('Enter');
    await page.locator('.chat .mine').waitFor();
  });

  it('changes language and look, and signs out', async () => {
    const { page } = await suite.open('overview');
    await press(page, page.getByRole('button', { name: 'Português' }));
    await page.locator('html[lang="pt-BR"]').waitFor();
    await page.getByRole('heading', { name: 'Visão geral', level: 1 }).waitFor();
    await tabTo(page, page.getByRole('combobox', { name: 'Aparência' }));
    await page.keyboard.type('Escura');
    await page.locator('html[data-theme="dark"]').waitFor();
    await press(page, page.getByRole('link', { name: 'Pedidos', exact: true }));
    await page.getByRole('heading', { name: 'Pedidos', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Pedidos', level: 1 }).waitFor();
    await page.locator('html[lang="pt-BR"][data-theme="dark"]').waitFor();
    await press(page, page.getByRole('button', { name: 'Sair' }));
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await suite.refused(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    });
    expect(await page.locator('main').count()).to.equal(1);
  });
});
