/** Notifications on the desktop. The browser's own are replaced by a record of them: a headless one shows none. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/e2e/eventually.js';
import { consoleSuite } from '../support/console.js';

const ANA = '5511987654321';

interface Note {
  readonly title: string;
  readonly options: { readonly body: string; readonly tag: string };
}

const STAND_IN = `
  window.notes = [];
  window.asked = 0;
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() { window.asked += 1; this.permission = 'granted'; return 'granted'; }
    constructor(title, options) { super(); this.close = () => {}; window.notes.push({ title, options }); window.last = this; }
  };
  let hidden = false;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  window.hide = (value) => { hidden = value; document.dispatchEvent(new Event('visibilitychange')); };
`;

describe('console: notifications', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply(ANA, 'Oi', 'Ana');
    await product.conversationWith(`+${ANA}`);
  });
  const notes = (page: Page) => page.evaluate<readonly Note[]>('window.notes');

  it('are switched on by a click, tell of new messages while nobody looks, and open the conversation', async () => {
    const uuid = await suite.product.conversationWith(`+${ANA}`);
    const { page, look } = await suite.open();
    await page.context().addInitScript(STAND_IN);
    await page.reload();
    await page.getByRole('link', { name: 'Inbox', exact: true }).first().click();
    const button = page.getByRole('button', { name: 'Notify me' });
    await button.waitFor();
    expect(await page.evaluate('window.asked'), 'asked at load').to.equal(0);
    const known = page.waitForResponse((answer) => answer.url().includes('/conversations?limit=50'));
    await button.press('Enter');
    await page.getByRole('button', { name: 'Notifications on' }).waitFor();
    await known;
    await look('notify-desk');

    suite.product.reply(ANA, 'Vista', 'Ana');
    await page.locator('.rows .preview', { hasText: 'Vista' }).waitFor();
    expect(await notes(page), 'while it is seen').to.deep.equal([]);

    await page.evaluate('window.hide(true)');
    suite.product.reply(ANA, 'Tem azul?', 'Ana');
    const [note, ...others] = await eventually(async () => {
      const told = await notes(page);
      return told.length > 0 && told;
    });
    expect(others).to.deep.equal([]);
    expect(note).to.deep.equal({ title: 'Ana', options: { body: 'Tem azul?', tag: uuid } });
    await page.evaluate("window.hide(false), window.last.dispatchEvent(new Event('click'))");
    await page.waitForURL(new RegExp(`/inbox/${uuid}`));

    await page.reload();
    await page.getByRole('button', { name: 'Notifications on' }).waitFor();
    expect(await page.evaluate("localStorage.getItem('recado.notify')")).to.equal('on');
  });
});
