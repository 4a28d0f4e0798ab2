/** Two people with the same conversation open. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';

const PHONE = '5511987654321';

describe('console: who else has a conversation open', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply(PHONE, 'Qual é o prazo?', 'Ana');
    await product.conversationWith(`+${PHONE}`);
  });
  const others = (page: Page) => page.locator('p.others');

  it('names the other one, says who types, and forgets who leaves', async () => {
    const uuid = await suite.product.conversationWith(`+${PHONE}`);
    const one = await suite.open(`inbox/${uuid}`, { role: 'agent' });
    await one.page.locator('.bubble').first().waitFor();
    const other = await suite.open(`inbox/${uuid}`, { role: 'agent', size: 'phone', language: 'pt' });
    await others(one.page).filter({ hasText: 'Also open with Pessoa' }).waitFor();
    await others(other.page).filter({ hasText: 'Também aberta com Pessoa' }).waitFor();
    await one.page.getByRole('textbox', { name: 'Your answer' }).pressSequentially('Chega');
    await others(other.page).filter({ hasText: 'Digitando: Pessoa' }).waitFor();
    await one.look('inbox-presence-desk');
    await other.look('inbox-presence-phone');
    await one.page.keyboard.press('Enter');
    await other.page.locator('.bubble.out', { hasText: 'Chega' }).waitFor();
    await others(other.page).filter({ hasNotText: 'Digitando' }).waitFor();
    const again = await other.page.context().newPage();
    await again.goto(other.page.url());
    await others(again).waitFor();
    expect(await others(again).textContent(), 'own tabs').not.to.match(/Pessoa \d e Pessoa/);
    await other.page.close();
    await others(one.page).waitFor();
    await again.close();
    await others(one.page).waitFor({ state: 'detached' });
    const third = await suite.open(`inbox/${uuid}`);
    await others(one.page).filter({ hasText: 'an operator' }).waitFor();
    await third.page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
    await others(one.page).waitFor({ state: 'detached' });
  });
});
