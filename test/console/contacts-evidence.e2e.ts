/** Why a person gets no marketing: an agent sees each choice on the contact's page, with the message that is its evidence. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '5511987654321';

describe('console: the evidence of an opt-out', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply(PHONE, 'Oi', 'Ana');
    await product.conversationWith(`+${PHONE}`);
    product.reply(PHONE, 'PARAR');
    await eventually(async () => (await contactOf(product)).marketing_opted_out || undefined);
    await product.quiet();
  });
  const contactOf = async (product: typeof suite.product) => {
    const contact = await product.contact<{ readonly uuid: string; readonly marketing_opted_out: boolean }>(
      `+${PHONE}`,
    );
    if (contact === undefined) throw new Error('the person wrote');
    return contact;
  };

  it('an agent sees by which word it came, and reads the message; what comes after stands above it', async () => {
    const { product } = suite;
    const { uuid } = await contactOf(product);
    const { page, look } = await suite.open(`contacts/${uuid}`, { role: 'agent' });
    const marketing = page.getByRole('region', { name: 'Marketing' });
    await marketing.locator('.badge', { hasText: 'no marketing' }).waitFor();
    const choices = marketing.getByRole('listitem');
    await choices.filter({ hasText: 'no marketing · by a word' }).waitFor();
    await look('contacts-evidence-desk');
    product.reply(PHONE, 'VOLTAR');
    await choices.first().filter({ hasText: 'marketing allowed · by a word' }).waitFor();
    await marketing.locator('.badge', { hasText: 'no marketing' }).waitFor({ state: 'detached' });
    await marketing.getByRole('button', { name: 'Stop marketing' }).click();
    await choices
      .first()
      .filter({ hasText: /no marketing · by the team · Pessoa \d/ })
      .waitFor();
    expect(await choices.count()).to.equal(3);
    // What the team chose has no message.
    expect(await choices.first().getByRole('link').count()).to.equal(0);
    await choices.last().getByRole('link', { name: 'the message' }).click();
    await page.getByRole('heading', { name: 'Message', level: 1 }).waitFor();
    await page.locator('main').getByText('PARAR', { exact: true }).first().waitFor();
    await page.goBack();
    await choices.nth(2).waitFor();
  });

  it('a viewer sees that it was the person, and not the text', async () => {
    const { uuid } = await contactOf(suite.product);
    const { page, look } = await suite.open(`contacts/${uuid}`, {
      role: 'viewer',
      size: 'phone',
      language: 'pt',
    });
    const choice = page
      .getByRole('region', { name: 'Marketing' })
      .getByRole('listitem')
      .filter({ hasText: 'sem marketing · por uma palavra' });
    await choice.waitFor();
    await look('contacts-evidence-phone');
    await choice.getByRole('link', { name: 'a mensagem' }).click();
    await page.getByRole('heading', { name: 'Mensagem', level: 1 }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect(await page.locator('main').textContent()).not.to.include('PARAR');
  });
});
