/** People with a role below operator are offered nothing that the API refuses: every control of every section is used. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';

const PHONE = '+5511987654321';
const PASSWORD = 'correct horse battery';
const SECTIONS = [
  ...['overview', 'inbox', 'contacts', 'messages', 'orders', 'products', 'shop', 'channels'],
  ...['templates', 'flows', 'webhooks', 'people', 'audit', 'settings', 'account'],
];
/** These lead out of the page or end the session. */
const NOT_PRESSED = /Sign out|Sair|English|Português|Print|Imprimir|Copy|Copiar|CSV/;

interface Made {
  readonly uuid: string;
  readonly token?: string;
}

describe('console: what roles are offered', function () {
  this.timeout(600_000);
  let things: readonly string[] = [];
  let contact = '';
  const suite = consoleSuite(async (product) => {
    const { company } = product;
    await product.sent(PHONE, { body: { content: { text: 'Pronto' } } });
    const conversation = await product.conversationWith(PHONE);
    contact = (await product.contact<Made>(PHONE))!.uuid;
    const flow = await product.admin<Made>('POST', `/companies/${company}/flows`, {
      name: 'Boas-vindas',
      definition: { schema: 1, start: 'oi', blocks: { oi: { type: 'send_text', text: 'Oi', next: null } } },
    });
    things = [
      `contacts/${contact}`,
      `inbox/${conversation}`,
      `channels/${product.channel}`,
      `flows/${flow.uuid}`,
      'products/new',
      'products/import',
      'products/categories',
      'orders/new',
    ];
  });

  async function signIn(role: string): Promise<Page> {
    const { product } = suite;
    const at = `/companies/${product.company}/team`;
    const member = await product.admin<Made>('POST', at, { kind: 'agent', name: `Ana ${role}` });
    const access = await product.admin<Made>('POST', `${at}/${member.uuid}/access`, {
      role,
      email: `${role}@loja.example`,
    });
    const page = await suite.visit(`${product.running.url}/console#invitation=${access.token ?? ''}`, 'desk');
    await page.getByLabel('Nova senha').fill(PASSWORD);
    await page.getByLabel('Repita a senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.locator('main#content').waitFor();
    return page;
  }

  for (const role of ['viewer', 'agent']) {
    it(`the role ${role} meets no refusal, in any section, by any button`, async () => {
      const page = await signIn(role);
      const { product } = suite;
      const refused: string[] = [];
      let at = '';
      page.on('response', (response) => {
        if (response.status() !== 403) return;
        refused.push(`${at}: ${response.request().method()} ${new URL(response.url()).pathname}`);
      });
      let pressed = 0;
      for (const place of [...SECTIONS, ...things]) {
        at = place;
        const address = `${product.running.url}/console/${product.company}/${place}`;
        await page.goto(address);
        await page.locator('main#content h1, main#content .error').first().waitFor();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        await suite.look(page, `offered-${role}-${place.replace(/\/.*/, '-one')}`);
        const names = await page.locator('main#content button:visible').allTextContents();
        for (const [index, name] of names.entries()) {
          if (NOT_PRESSED.test(name)) continue;
          at = `${place} "${name}"`;
          const button = page.locator('main#content button:visible').nth(index);
          // It may go at any moment, by what was pressed before.
          if ((await button.count()) === 0) continue;
          if (!(await button.isEnabled({ timeout: 2_000 }).catch(() => false))) continue;
          await button.click({ timeout: 2_000 }).catch(() => undefined);
          pressed += 1;
          await page.keyboard.press('Escape');
          if (page.url() === address) continue;
          await page.goto(address);
          await page.locator('main#content h1, main#content .error').first().waitFor();
          await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        }
      }
      expect(pressed).to.be.greaterThan(role === 'viewer' ? 5 : 20);
      expect(refused).to.deep.equal([]);
    });
  }

  it('a viewer sees disabled fields, and which role may change them', async () => {
    const { product } = suite;
    // The first call of the page is refused, because nobody is signed in.
    const page = await suite.refused(async () => {
      const opened = await suite.visit(`${product.running.url}/console`);
      await opened.getByRole('heading', { name: 'Entrar' }).waitFor();
      return opened;
    });
    await page.getByLabel('E-mail').fill('viewer@loja.example');
    await page.getByLabel('Senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('Você está como Consulta', { exact: false }).waitFor();
    await page.goto(`${product.running.url}/console/${product.company}/contacts/${contact}`);
    await page.getByText('quem tem o papel Atendente pode mudar', { exact: false }).first().waitFor();
    expect(await page.getByLabel('Nome').first().isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Salvar' }).count()).to.equal(0);
  });
});
