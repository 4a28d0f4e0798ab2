/** People who sign in, in a browser: invited, with a password, with a second factor, and out when access is revoked. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { codeOf } from '../../application/console/one-time-codes.js';
import { consoleSuite } from '../support/console.js';

const PASSWORD = 'correct horse battery';

describe('console: people', function () {
  this.timeout(240_000);
  const suite = consoleSuite();

  /** Adds somebody on the page of people; returns the invitation's address. */
  async function invite(page: Page, name: string, email: string, role: string): Promise<string> {
    const form = page.getByRole('region', { name: 'Add to the team' });
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('E-mail').fill(email);
    await form.getByLabel('Role').selectOption(role);
    await form.getByRole('button', { name: 'Add' }).click();
    const told = page.getByRole('status', { name: 'Invitation' });
    await told.getByText(`Link for ${name}`).waitFor();
    return (await told.locator('code').textContent()) ?? '';
  }

  it('are invited by a link, choose a password, and are in as what they are', async () => {
    const operator = await suite.open('people');
    await operator.page.getByText('Nobody is in the team yet.').waitFor();
    const link = await invite(operator.page, 'Ana Lima', 'ana@loja.example', 'owner');
    await operator.look('people-desk');

    const page = await suite.visit(link, 'phone');
    await page.getByRole('heading', { name: 'Crie sua senha' }).waitFor();
    expect(page.url(), 'the token has left the address').not.to.include('invitation');
    await suite.look(page, 'invitation-phone');
    await page.getByLabel('Nova senha').fill(PASSWORD);
    await page.getByLabel('Repita a senha').fill('something else');
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.getByText('As senhas não são iguais.').waitFor();
    await page.getByLabel('Repita a senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();

    const used = await suite.visit(link, 'desk');
    await used.getByLabel('Nova senha').fill(PASSWORD);
    await used.getByLabel('Repita a senha').fill(PASSWORD);
    await suite.refused(async () => {
      await used.getByRole('button', { name: 'Salvar e entrar' }).click();
      await used.getByText('Este convite já foi usado', { exact: false }).waitFor();
    });
  });

  it('sign in by password, set up a second factor, and see where they are signed in', async () => {
    // The API refuses the page's first call, because nobody is signed in.
    const page = await suite.refused(async () => {
      const opened = await suite.visit(`${suite.product.running.url}/console`);
      await opened.getByRole('heading', { name: 'Entrar' }).waitFor();
      return opened;
    });
    const signIn = async (password: string): Promise<void> => {
      await page.getByLabel('E-mail').fill('ana@loja.example');
      await page.getByLabel('Senha').fill(password);
      await page.getByRole('button', { name: 'Entrar' }).click();
    };
    await suite.look(page, 'sign-in-desk');
    await suite.refused(async () => {
      await signIn('wrong password');
      await page.getByText('E-mail, senha ou código incorretos', { exact: false }).waitFor();
    });
    await signIn(PASSWORD);
    await page.getByRole('link', { name: 'Minha conta' }).click();
    // As after ten minutes without the password.
    const needed = { error: { code: 'password_needed', message: 'Send it again.', request_id: null } };
    await page.route('**/session/account/totp', (route) => route.fulfill({ status: 403, json: needed }), {
      times: 1,
    });
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Ativar' }).click();
      const prompt = page.getByRole('dialog', { name: 'Confirme sua senha' });
      await prompt.getByLabel('Senha').fill('wrong password');
      await prompt.getByRole('button', { name: 'Confirmar' }).click();
      await prompt.getByText('E-mail, senha ou código incorretos', { exact: false }).waitFor();
      await prompt.getByLabel('Senha').fill(PASSWORD);
      await prompt.getByRole('button', { name: 'Confirmar' }).click();
      await prompt.waitFor({ state: 'detached' });
    });
    await page.getByRole('img', { name: 'Código QR' }).waitFor();
    await suite.look(page, 'account-desk');
    const secret = (await page.locator('code.wrap').textContent()) ?? '';
    await page.getByLabel('Código do aplicativo').fill(codeOf(secret, Date.now()));
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.getByText('Seus códigos de recuperação.').waitFor();
    const [recovery] = ((await page.locator('.told code').textContent()) ?? '').split('\n');
    await page.getByText('Este navegador').waitFor();
    await page.getByRole('button', { name: 'Sair' }).click();

    await suite.refused(async () => {
      await signIn(PASSWORD);
      await page.getByLabel('Código').waitFor();
    });
    await page.locator('input[name="code"]:focus').waitFor();
    await page.getByLabel('Código').fill(recovery ?? '');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('link', { name: 'Minha conta' }).click();
    await page.getByText('Códigos de recuperação restantes: 9').waitFor();
  });

  it('find what they were typing when their session ended, once they have signed in again', async () => {
    const { product } = suite;
    product.reply('5511987654321', 'Ainda tem?', 'Ana');
    const talk = await product.conversationWith('+5511987654321');
    const { page, look } = await suite.open(`inbox/${talk}?status=all`, { role: 'agent', language: 'pt' });
    await page.getByRole('textbox', { name: 'Sua resposta' }).fill('Temos sim, Ana: azul e verde.');
    const team = await product.admin<readonly { readonly uuid: string; readonly email?: string | null }[]>(
      'GET',
      `/companies/${product.company}/team`,
    );
    const dialog = page.getByRole('dialog', { name: 'O que você tinha digitado' });
    // Two calls of the page find at once that the session is over.
    await page.evaluate(
      "addEventListener('recado:signed-out', () => dispatchEvent(new Event('recado:signed-out')), { once: true })",
    );
    // All that the page asks for by then is refused.
    await suite.refused(async () => {
      const own = await suite.endSessions(page);
      await page.getByText('O texto não foi enviado; ele fica guardado nesta aba').waitFor();
      expect(await page.content()).not.to.include('azul e verde');
      await look('session-ended');
      await page.getByLabel('E-mail').fill(team.find(({ uuid }) => uuid === own)?.email ?? '');
      await page.getByLabel('Senha', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Entrar' }).click();
      await dialog.waitFor();
    });
    expect(await dialog.getByLabel('Sua resposta').inputValue()).to.equal('Temos sim, Ana: azul e verde.');
    await look('unsent-texts');
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    await page.getByRole('textbox', { name: 'Sua resposta' }).waitFor();
  });

  it('that are viewers change nobody; out at once when access is revoked', async () => {
    const { page: operator, look } = await suite.open('people', { size: 'phone' });
    const link = await invite(operator, 'Bia Souza', 'bia@loja.example', 'viewer');
    const page = await suite.visit(link);
    await page.getByLabel('Nova senha').fill(PASSWORD);
    await page.getByLabel('Repita a senha').fill(PASSWORD);
    await page.getByRole('button', { name: 'Salvar e entrar' }).click();
    await page.getByRole('link', { name: 'Pessoas' }).click();
    await page.getByText('Bia Souza').waitFor();
    expect(await page.getByRole('button', { name: 'Adicionar' }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'Projeções' }).count()).to.equal(0);

    const row = operator.getByRole('listitem').filter({ hasText: 'Bia Souza' });
    // The page learns of it by itself, since its stream ends.
    await suite.refused(async () => {
      await row.getByRole('button', { name: 'Revoke access' }).click();
      await operator.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
      await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    });
    await row.getByText('Does not sign in').waitFor();
    await look('people-phone');
  });
});
