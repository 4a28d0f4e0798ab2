/** Open pages hear of changes by one stream, and ask for nothing while nothing happens. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

/** Longer than any view waits before it looks again, where it looks at all; shorter than the look at deliveries. */
const A_WHILE = '00:50';

describe('console: live', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply('5511987654321', 'Bom dia', 'Ana');
    await product.conversationWith('+5511987654321');
  });

  /** What the page asks the admin API for from here on. */
  function calls(page: Page): string[] {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/admin/v1')) asked.push(`${request.method()} ${pathname}`);
    });
    return asked;
  }

  /** Stops the page's clock where it is. It can only be stopped at a named time, which must not have passed. */
  async function stop(page: Page): Promise<void> {
    for (const ahead of [20, 200, 2_000]) {
      const at = (await page.evaluate<number>('Date.now()')) + ahead;
      const stopped = await page.clock.pauseAt(at).then(
        () => true,
        () => false,
      );
      if (stopped) return;
    }
    throw new Error('the clock of the page was not stopped');
  }

  it('shows what happens by one stream, whatever section is open', async () => {
    const { page } = await suite.open('overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const asked = calls(page);
    await page.reload();
    const open = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await open('Contacts');
    await page.getByRole('link', { name: /Ana/ }).waitFor();
    await open('Inbox');
    await page.locator('.preview', { hasText: 'Bom dia' }).waitFor();
    suite.product.reply('5511987654321', 'Ainda tem?');
    await page.locator('.preview', { hasText: 'Ainda tem?' }).waitFor();
    await page.getByRole('link', { name: /Ana/ }).click();
    await page.locator('.bubble', { hasText: 'Ainda tem?' }).waitFor();
    suite.product.reply('5511987654321', 'Alô?');
    await page.locator('.bubble', { hasText: 'Alô?' }).waitFor();
    expect(asked.filter((one) => one.endsWith('/live'))).to.have.length(1);
  });

  it('reads a view once', async () => {
    const { page } = await suite.open('inbox');
    await suite.product.quiet();
    await page.clock.install();
    const asked = calls(page);
    const open = page.waitForResponse('**/live?*');
    await page.reload();
    await page.locator('.preview').first().waitFor();
    await open;
    await page.clock.runFor('00:05');
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const ofThisPage = asked.slice(asked.indexOf('GET /admin/v1/session'));
    expect(ofThisPage.filter((one) => one.endsWith('/conversations'))).to.have.length(1);
  });

  it('reads deliveries once too, although the stream does not tell what happened to them before it began', async () => {
    const { product } = suite;
    const [endpoint] = await product.admin<readonly { readonly uuid: string }[]>(
      'GET',
      `/integrations/${product.integration}/webhooks`,
    );
    const { page } = await suite.open(`webhooks/${endpoint?.uuid ?? ''}`);
    const row = page.locator('.deliveries tbody tr').first();
    await row.waitFor();
    await product.quiet();
    await page.clock.install();
    const asked = calls(page);
    await page.route('**/live?*', async (route) => {
      await page.locator('.back-link').waitFor();
      // From here on nothing is done by time: the view waits for the stream, however slow this machine is.
      await stop(page);
      await route.continue();
    });
    const open = page.waitForResponse('**/live?*');
    await page.reload();
    await open;
    await eventually(async () => {
      await page.clock.runFor(50);
      return (await row.count()) > 0;
    });
    await page.clock.runFor('00:05');
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const ofThisPage = asked.slice(asked.indexOf('GET /admin/v1/session'));
    expect(ofThisPage.filter((one) => one.endsWith('/deliveries'))).to.have.length(1);
    expect(ofThisPage.filter((one) => one.endsWith(`/webhooks/${endpoint?.uuid ?? ''}`))).to.have.length(1);
  });

  it('reads again what changed before the stream began', async () => {
    const { page } = await suite.open('inbox');
    await page.clock.install();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await page.route('**/live?*', async (route) => {
      await begun;
      await route.continue();
    });
    await page.reload();
    await page.locator('.preview').first().waitFor();
    // From here on nothing is looked at by time.
    await stop(page);
    const { product } = suite;
    product.reply('5511987654321', 'Tem alguém?');
    await eventually(async () => {
      const all = await product.admin<readonly object[]>(
        'GET',
        `/companies/${product.company}/conversations`,
      );
      return JSON.stringify(all).includes('Tem alguém?') || undefined;
    });
    await product.quiet();
    const missed = page.locator('.preview', { hasText: 'Tem alguém?' });
    expect(await missed.count()).to.equal(0);
    begin();
    // Half a minute of the page's time: before it would look by itself. An answer may need longer on a busy machine.
    let steps = 300;
    await eventually(async () => {
      if (steps > 0) await page.clock.runFor(100);
      steps -= 1;
      return (await missed.count()) > 0;
    });
  });

  for (const [section, name] of [
    ['inbox', 'Inbox'],
    ['orders', 'Orders'],
    ['messages', 'Sent messages'],
  ] as const)
    it(`asks for nothing while nothing happens (${section})`, async () => {
      const { page } = await suite.open(section);
      await page.clock.install();
      await page.reload();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await suite.product.quiet();
      await page.clock.runFor('00:05');
      await page.waitForLoadState('load');
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      const asked = calls(page);
      await page.clock.runFor(A_WHILE);
      expect(asked).to.deep.equal([]);
    });

  it('says that no live updates come, and looks from time to time until they do', async () => {
    const { page, look } = await suite.open('inbox', { language: 'pt' });
    await suite.refused(async () => {
      await page.route('**/live?*', (route) => route.fulfill({ status: 429, body: '{}' }));
      await page.reload();
      await page.getByText('Sem atualizações ao vivo', { exact: false }).waitFor();
    });
    await look('live-away-desk');
    suite.product.reply('5511987654321', 'Voltei');
    await page.locator('.preview', { hasText: 'Voltei' }).waitFor();
    await page.unroute('**/live?*');
    await page.getByText('Sem atualizações ao vivo', { exact: false }).waitFor({ state: 'detached' });
  });
});
