/** Keys and secrets of a company's systems, in a browser: made, shown once, tried, revoked, rotated; by role. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';

const PASSWORD = 'correct horse battery';

describe('console: keys', function () {
  this.timeout(240_000);
  const suite = consoleSuite();
  const api = (key: string, path = '/channels') =>
    fetch(`${suite.product.running.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });

  /** Signs a person in, by a browser of its own. */
  async function as(role: string, size: 'desk' | 'phone'): Promise<Page> {
    const { product } = suite;
    const team = `/companies/${product.company}/team`;
    const { uuid } = await product.admin<{ readonly uuid: string }>(
      'POST',
      team,
      { kind: 'agent', name: `Pessoa ${role}` },
      201,
    );
    const { token } = await product.admin<{ readonly token: string }>(
      'POST',
      `${team}/${uuid}/access`,
      { role, email: `${role}@loja.example` },
      201,
    );
    const page = await suite.visit(`${product.running.url}/console#invitation=${token}`, size);
    await page.getByLabel('Nova senha').fill(PASSWORD);
    await page.getByLabel('Repita a senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();
    return page;
  }

  it('makes an integration and a key by the keyboard, shows them once, and says how to use the key', async () => {
    const { page, look } = await suite.open('keys');
    // As where the console has an address of its own (ADMIN_PORT).
    await page.route('**/admin/v1/session', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { readonly data: object };
      await route.fulfill({
        response,
        json: { data: { ...data, api_url: 'https://recado.example/api/v1' } },
      });
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await look('keys-desk');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('ERP');
    await page.keyboard.press('Enter');
    const secret = page.getByRole('status', { name: 'The secret of its webhooks, shown only now' });
    expect(await secret.locator('code').textContent()).to.match(/^whsec_/);
    await page.getByText('This integration has no key yet.').waitFor();
    await page.getByRole('button', { name: 'New API key' }).press('Enter');
    await page.locator('input[name="label"]:focus').waitFor();

    await page.getByRole('textbox', { name: 'Label' }).fill('ERP production');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at least one permission.').waitFor();
    await look('keys-form-desk');
    await page.getByRole('checkbox', { name: 'read channels' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: 'send messages' }).check();
    await page.getByRole('button', { name: 'Create key' }).press('Enter');
    const shown = page.getByRole('status', { name: 'The new key, shown only now' });
    const key = (await shown.locator('code').first().textContent()) ?? '';
    await page.locator('[aria-label="The new key, shown only now"]:focus').waitFor();
    const curl = 'curl -H "Authorization: Bearer $TOKEN" https://recado.example/api/v1/channels';
    await shown.getByText(curl).waitFor();
    expect((await shown.textContent())!.split(key), 'once, and not in the curl').to.have.length(2);
    await look('keys-made-desk');
    expect((await api(key)).status).to.equal(200);
    expect((await api(key, '/contacts')).status, 'what it may not').to.equal(403);
    const row = page.getByRole('row').filter({ hasText: 'ERP production' });
    await row.getByText('send messages, read channels').waitFor();

    await page.reload();
    await row.waitFor();
    const text = (await page.locator('body').textContent()) ?? '';
    expect(text).not.to.include(key).and.not.to.include('whsec_');
    await row.getByRole('button', { name: 'Revoke ERP production' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    expect((await api(key)).status, 'stepping back revokes nothing').to.equal(200);
    await row.getByRole('button', { name: 'Revoke ERP production' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('Revoked').waitFor();
    expect((await api(key)).status).to.equal(401);
  });

  it('rotates the secret with an overlap, and switches the feed; asks an owner for the password', async () => {
    const { product } = suite;
    const { uuid } = await product.admin<{ readonly uuid: string }>(
      'POST',
      `/companies/${product.company}/integrations`,
      { name: 'Loja virtual' },
      201,
    );
    const page = await as('owner', 'phone');
    await page.goto(`${product.running.url}/console/${product.company}/keys`);
    await page.getByRole('heading', { name: 'Chaves', exact: true }).waitFor();
    await suite.look(page, 'keys-phone');
    await page.getByRole('link', { name: 'Loja virtual' }).click();
    await page.getByText('Um segredo assina.').waitFor();
    // As after ten minutes without the password.
    const needed = { error: { code: 'password_needed', message: 'Send it again.', request_id: null } };
    await page.route('**/webhook-secret/rotate', (route) => route.fulfill({ status: 403, json: needed }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Criar novo segredo' }).click();
    await suite.refused(async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Criar novo segredo' }).click();
      const prompt = page.getByRole('dialog', { name: 'Confirme sua senha' });
      await prompt.getByLabel('Senha').fill(PASSWORD);
      await prompt.getByRole('button', { name: 'Confirmar' }).click();
      await prompt.waitFor({ state: 'detached' });
    });
    const shown = page.getByRole('status', { name: 'O segredo dos webhooks, mostrado só agora' });
    expect(await shown.locator('code').textContent()).to.match(/^whsec_/);
    await page.getByText('Os dois segredos assinam até', { exact: false }).waitFor();
    await suite.look(page, 'keys-rotated-phone');
    // After a leak.
    await page.getByLabel('O segredo antigo continua assinando por').selectOption('0');
    await page.getByRole('button', { name: 'Criar novo segredo' }).click();
    await page.getByRole('dialog').getByText('deixa de assinar na hora', { exact: false }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Criar novo segredo' }).click();
    await page.getByText('Um segredo assina.').waitFor();

    await page.getByRole('button', { name: 'Ligar' }).click();
    await page.getByRole('button', { name: 'Desligar' }).waitFor();
    const { events_feed } = await product.admin<{ readonly events_feed: boolean }>(
      'GET',
      `/integrations/${uuid}`,
    );
    expect(events_feed).to.equal(true);
  });

  it('shows an agent the integrations, and neither keys nor anything that changes them', async () => {
    const page = await as('agent', 'desk');
    await page.goto(`${suite.product.running.url}/console/${suite.product.company}/keys`);
    await page.getByRole('link', { name: 'ERP' }).click();
    await page.getByText('Só responsáveis veem e alteram chaves e segredos.').waitFor();
    await suite.look(page, 'keys-agent-desk');
    expect(await page.locator('main').getByRole('button').count()).to.equal(0);
  });
});
