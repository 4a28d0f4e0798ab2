/** Notifications on the desktop. The browser's own are replaced by a record of them: a headless one shows none. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const ANA = '5511987654321';

interface Note {
  readonly title: string;
  readonly options: { readonly body: string; readonly tag: string };
}

const standIn = (answer: string): string => `
  window.notes = [];
  window.asked = 0;
  window.focused = true;
  const answered = 'notify.permission';
  window.Notification = class extends EventTarget {
    static get permission() { return sessionStorage.getItem(answered) ?? 'default'; }
    static async requestPermission() {
      window.asked += 1;
      sessionStorage.setItem(answered, '${answer}');
      return '${answer}';
    }
    constructor(title, options) { super(); this.close = () => {}; window.notes.push({ title, options }); window.last = this; }
  };
  document.hasFocus = () => window.focused;
`;

describe('console: notifications', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply(ANA, 'Oi', 'Ana');
    await product.conversationWith(`+${ANA}`);
  });
  const notes = (page: Page) => page.evaluate<readonly Note[]>('window.notes');

  it('are switched on by a click, tell the fact and the name while nobody looks, and open the conversation', async () => {
    const uuid = await suite.product.conversationWith(`+${ANA}`);
    const { page, look } = await suite.open('inbox', { role: 'agent' });
    await page.addInitScript(standIn('granted'));
    await page.reload();
    const box = page.getByRole('checkbox', { name: 'Notify me' });
    await box.waitFor();
    expect(await page.evaluate('window.asked'), 'asked at load').to.equal(0);
    const known = page.waitForResponse((answer) => /\/conversations\?limit=50$/.test(answer.url()));
    await box.press('Space');
    await known;
    await eventually(async () => expect(await box.isChecked()).to.equal(true));
    expect(await page.evaluate('window.asked')).to.equal(1);
    await look('inbox-notify-desk');

    suite.product.reply(ANA, 'Vista', 'Ana');
    await page.locator('.rows .preview', { hasText: 'Vista' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
    await page.evaluate('window.focused = false');
    suite.product.reply(ANA, 'Tem azul?', 'Ana');
    const told = await eventually(async () => {
      const now = await notes(page);
      return now.length > 0 ? now : undefined;
    });
    expect(told, 'nothing while it was seen, no text').to.deep.equal([
      { title: 'Ana', options: { body: 'New message', tag: uuid } },
    ]);
    await page.evaluate("window.last.dispatchEvent(new Event('click'))");
    await page.waitForURL(new RegExp(`/inbox/${uuid}`));

    await page.reload();
    await eventually(async () => expect(await box.isChecked(), 'kept by the browser').to.equal(true));
    await box.press('Space');
    await eventually(async () => expect(await box.isChecked()).to.equal(false));
  });

  it('say that the browser refuses them', async () => {
    const { page, look } = await suite.open('inbox', { size: 'phone', language: 'pt' });
    await page.addInitScript(standIn('denied'));
    await page.reload();
    await page.getByRole('checkbox', { name: 'Avisar-me' }).press('Space');
    await page.getByText('Este navegador bloqueia avisos', { exact: false }).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Avisar-me' }).isDisabled()).to.equal(true);
    await look('inbox-notify-phone');
  });
});
