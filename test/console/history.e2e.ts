/** The history in a browser: lists, filters, live, one event with its tree, and copies of it. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '+5511987654321';

describe('console: history', function () {
  this.timeout(180_000);
  const suite = consoleSuite(async (product) => {
    await product.sent(PHONE);
    product.reply(PHONE.slice(1), 'Olá, ainda tem a camiseta?', 'Ana');
    await product.conversationWith(PHONE);
    await product.quiet();
  });

  const typesOf = (page: Page) => page.locator('.events .type').allTextContents();

  it('lists newest first, fifty at a time, and looks the same after a reload', async () => {
    const { page, look } = await suite.open('history');
    await page.locator('.events li').first().waitFor();
    await look('history-desk');
    const events = await suite.product.app.store.readBack({ before: null, limit: 500 });
    const own = events.records.filter(({ meta }) => meta.company === suite.product.company);
    expect(await typesOf(page)).to.deep.equal(own.slice(0, 50).map(({ type }) => type));
    const more = page.getByRole('button', { name: 'Next 50' });
    if (own.length > 50) {
      await more.click();
      await page.locator('.events li').nth(50).waitFor();
      expect(await typesOf(page)).to.deep.equal(own.slice(0, 100).map(({ type }) => type));
    }
    const phone = await suite.open('history', { size: 'phone', language: 'pt' });
    await phone.page.locator('.events li').first().waitFor();
    await phone.look('history-phone');
  });

  it('filters by type, actor and stream, in the address', async () => {
    const { page } = await suite.open('history');
    await page.getByLabel('Event types').fill('MessageReceived');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/types=MessageReceived/);
    // What was shown before stays until the page is drawn anew.
    await eventually(async () =>
      expect(new Set(await typesOf(page))).to.deep.equal(new Set(['MessageReceived'])),
    );
    await page.locator('.events .stream').first().click();
    await page.waitForURL(/stream=message-/);
    await page.getByText('1 shown').or(page.locator('.events li').nth(1)).first().waitFor();
    await eventually(async () => expect((await typesOf(page))[0]).to.equal('MessageReceived'));
    await page.goBack();
    await page.waitForURL(/types=MessageReceived/);
    await page.getByLabel('Actor').fill('nobody');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('No event fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('.events li').nth(3).waitFor();
  });

  it('finds what happened from a time on, to the second', async () => {
    const { records } = await suite.product.app.store.readBack({ before: null, limit: 1 });
    const { page } = await suite.open('history');
    const later = new Date(Date.parse(records[0]!.meta.occurred_at) + 3_600_000);
    await page.getByLabel('From').fill(later.toISOString().slice(0, 19));
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('No event fits these filters.').waitFor();
  });

  it('adds what happens while it is live, above what was read', async () => {
    const { page } = await suite.open('history');
    await page.locator('.events li').first().waitFor();
    const before = await typesOf(page);
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('New events appear by themselves.').waitFor();
    suite.product.reply(PHONE.slice(1), 'E em azul?', 'Ana');
    const received = page.locator('.events .type').filter({ hasText: 'MessageReceived' });
    const known = before.filter((type) => type === 'MessageReceived').length;
    await received.nth(known).waitFor();
    expect((await typesOf(page)).slice(-before.length)).to.deep.equal(before);
  });

  it('shows an event: sealed fields marked, the tree over its streams, links and copies', async () => {
    const { records } = await suite.product.app.store.readBack({
      before: null,
      limit: 500,
      types: ['MessageReceived'],
    });
    const event = records.at(-1)!;
    const { page, look } = await suite.open(`history/${event.position}`);
    await page.getByRole('heading', { name: 'MessageReceived' }).waitFor();
    await page.getByText('The customer sent a message.').waitFor();
    const tree = page.getByRole('region', { name: 'What led to it, and what followed' });
    await tree.locator('[aria-current]').waitFor();
    expect(await tree.locator('[aria-current]').textContent()).to.include('this event');
    // The webhook that brought the message is above it, in another stream.
    const causes = await tree.locator('li', { has: page.locator('[aria-current]') }).allTextContents();
    expect(causes[0]).to.include('intake-');
    expect(await page.locator('.sealed').first().textContent()).to.include('"***"');
    expect(await page.locator('pre').textContent()).to.not.include('camiseta');
    await look('history-event-desk');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    await page.getByText('Copied.').waitFor();
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as {
      id: string;
    };
    expect(copied.id).to.equal(event.eventId);
    await page.locator('pre a').first().click();
    await page.waitForURL(/stream=/);
    await page.locator('.events li').first().waitFor();
    const phone = await suite.open(`history/${event.position}`, { size: 'phone', language: 'pt' });
    await phone.page.getByRole('heading', { name: 'MessageReceived' }).waitFor();
    await phone.page.getByText('O cliente enviou uma mensagem.').waitFor();
    await phone.look('history-event-phone');
  });

  it('says that there is no event at a place that has none', async () => {
    const { page } = await suite.open('history/00000000000000999999');
    await page.getByText('There is no event at this position.').waitFor();
  });
});
