/** What a company chooses for itself, in a browser: an owner changes it, others see it. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

interface Company {
  readonly marketing: Readonly<Record<string, unknown>>;
  readonly opt_out_words: { readonly stop: readonly string[] };
  readonly person_words: readonly string[];
  readonly privacy: { readonly viewers_may_reveal: boolean };
}

describe('console: settings', function () {
  this.timeout(240_000);
  const suite = consoleSuite();
  const company = (): Promise<Company> =>
    suite.product.admin<Company>('GET', `/companies/${suite.product.company}`);
  const becomes = (is: (read: Company) => boolean) =>
    eventually(async () => is(await company()) || undefined);

  it('are changed by an owner, each for itself, with what holds at first beside it', async () => {
    const { page, look } = await suite.open('channels', { role: 'owner' });
    await page.locator('main').getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await page.getByText('At first: 2.', { exact: false }).waitFor();
    const privacy = page.getByRole('region', { name: 'What viewers see of customers' });
    await privacy.getByLabel('Viewers may show one customer at a time').check();
    await privacy.getByRole('button', { name: 'Save what viewers may' }).click();
    await privacy.getByText('Saved').waitFor();
    await becomes(({ privacy: { viewers_may_reveal: may } }) => may);

    const marketing = page.getByRole('region', { name: 'Marketing' });
    await marketing.getByLabel('To one customer within 24 hours, at most').fill('1');
    await marketing.getByRole('button', { name: 'Save limits' }).click();
    await becomes(({ marketing: { per_contact_per_day: caps } }) => caps === 1);

    const words = page.getByRole('region', { name: 'Words of customers' });
    await words.getByLabel('Own words that stop marketing').fill('SAIR, chega');
    await words.getByLabel('Own words that ask for a person').fill('VENDEDOR');
    await words.getByRole('button', { name: 'Save words' }).click();
    await becomes(({ person_words: said }) => said.includes('VENDEDOR'));
    expect((await company()).opt_out_words.stop).to.deep.equal(['SAIR', 'chega']);
    await look('settings-owner-desk');

    await page.reload();
    expect(await privacy.getByLabel('Viewers may show one customer at a time').isChecked()).to.equal(true);
    expect(await words.getByLabel('Own words that stop marketing').inputValue()).to.equal('SAIR, chega');
    await page.getByRole('link', { name: 'What was shown so far' }).click();
    await page.waitForURL(/\/audit\?kind=reveal$/);
  });

  it('that are refused say why, and stay as they were', async () => {
    const { page } = await suite.open('settings', { role: 'owner', language: 'pt', size: 'phone' });
    const words = page.getByRole('region', { name: 'Palavras dos clientes' });
    await words.getByLabel('Palavras próprias que liberam de novo').fill('!!!');
    await suite.refused(async () => {
      await words.getByRole('button', { name: 'Salvar palavras' }).click();
      await words.getByRole('alert').waitFor();
    });
    expect(await words.getByText('Salvo').count()).to.equal(0);
  });

  it('are seen by an agent, and not changed', async () => {
    const { page, look } = await suite.open('settings', { role: 'agent', size: 'phone', language: 'pt' });
    const box = page.getByLabel('A Consulta pode mostrar um cliente por vez');
    await box.waitFor();
    expect(await box.isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Salvar limites' }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'O que já foi mostrado' }).count()).to.equal(0);
    await look('settings-agent-phone');
  });
});
