/** The whole way of a sign-in at an identity provider, in a browser: invited, in, asked again, connected. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { CLIENT, openIdProvider, type OpenIdProvider } from '../support/openid-provider.js';

describe('console: sign-in at an identity provider', function () {
  this.timeout(240_000);
  let provider: OpenIdProvider | undefined;
  const suite = consoleSuite(
    undefined,
    async () => {
      provider = await openIdProvider(['ana', 'bia']);
      return {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        OIDC_NAME: 'Loja "ID" <b>',
      };
    },
    () => (provider === undefined ? [] : [provider.issuer]),
  );
  after(() => provider?.close());
  const NAME = 'Loja "ID" <b>';

  async function invited(name: string, email: string, role: string): Promise<string> {
    const team = `/companies/${suite.product.company}/team`;
    const { uuid } = await suite.product.admin<{ readonly uuid: string }>(
      'POST',
      team,
      { kind: 'agent', name },
      201,
    );
    const { token } = await suite.product.admin<{ readonly token: string }>(
      'POST',
      `${team}/${uuid}/access`,
      { role, email },
      201,
    );
    return `${suite.product.running.url}/console#invitation=${token}`;
  }

  /** As after ten minutes without a proof. */
  async function provedLongAgo(page: Page, path: string): Promise<void> {
    const needed = { error: { code: 'password_needed', message: 'Send it again.', request_id: null } };
    await page.route(path, (route) => route.fulfill({ status: 403, json: needed }), { times: 1 });
  }

  it('accepts an invitation, signs in by the button, and comes back to where the person was', async () => {
    const link = await invited('Ana Lima', 'ana@loja.example', 'owner');
    const page = await suite.visit(link, 'phone');
    await page.getByRole('heading', { name: 'Aceitar o convite' }).waitFor();
    await suite.look(page, 'oidc-invitation-phone');
    await page.getByRole('button', { name: `Continuar com ${NAME}` }).click();
    await page.getByRole('link', { name: 'Sign in as ana' }).click();
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();
    expect(page.url(), 'the answer has left the address').to.match(/\/console\/[^?]*$/);
    await page.goto(`${suite.product.running.url}/console/${suite.product.company}/account`);
    await page
      .getByRole('listitem')
      .filter({ hasText: `com ${NAME}` })
      .waitFor();
    await page.getByText('Você não tem senha aqui', { exact: false }).waitFor();
    await suite.look(page, 'oidc-account-phone');
    await page.context().clearCookies();

    await suite.refused(async () => {
      await page.goto(`${suite.product.running.url}/console/${suite.product.company}/people`);
      await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    });
    await suite.look(page, 'oidc-sign-in-phone');
    await page.getByRole('button', { name: `Entrar com ${NAME}` }).click();
    await page.getByRole('link', { name: 'Sign in as ana' }).click();
    await page.getByRole('heading', { name: 'Pessoas' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/console/${suite.product.company}/people`);

    // The provider asks again in another tab; then the page continues by itself.
    await page.goto(`${suite.product.running.url}/console/${suite.product.company}/account`);
    await page.getByRole('button', { name: 'Conectar outra conta' }).waitFor();
    await provedLongAgo(page, '**/session/account/oidc');
    const prompt = page.getByRole('dialog', { name: 'Confirme que é você' });
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Conectar outra conta' }).click();
      await prompt.getByRole('link', { name: `Confirmar com ${NAME}` }).waitFor();
    });
    expect(await prompt.getByLabel('Senha').count(), 'the prompt asks for no password').to.equal(0);
    await suite.look(page, 'oidc-prompt-phone');
    const opening = page.context().waitForEvent('page');
    await prompt.getByRole('link', { name: `Confirmar com ${NAME}` }).click();
    const tab = await opening;
    await tab.getByRole('link', { name: 'Sign in as ana' }).click();
    // The provider, for another account.
    await page.getByRole('link', { name: 'Sign in as bia' }).click();
    await page.getByText('Conectada em', { exact: false }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/console/${suite.product.company}/account`);
  });

  it('gives back what was typed when the session ended, signed in again in another tab', async () => {
    const { product } = suite;
    product.reply('5511987654321', 'Ainda tem?', 'Ana');
    const talk = await product.conversationWith('+5511987654321');
    const page = await suite.refused(async () => {
      const opened = await suite.visit(
        `${product.running.url}/console/${product.company}/inbox/${talk}?status=all`,
      );
      await opened.getByRole('button', { name: `Entrar com ${NAME}` }).click();
      return opened;
    });
    const account = { name: 'Sign in as bia' };
    await page.getByRole('link', account).click();
    await page.getByRole('textbox', { name: 'Sua resposta' }).fill('Temos sim: azul e verde.');
    const dialog = page.getByRole('dialog', { name: 'O que você tinha digitado' });
    await suite.refused(async () => {
      await suite.endSessions(page);
      await page.getByText('Esta aba guarda o que você digitou').waitFor();
      await suite.look(page, 'oidc-session-ended');
      const opening = page.context().waitForEvent('page');
      await page.getByRole('link', { name: `Entrar com ${NAME} em outra aba` }).click();
      const tab = await opening;
      await tab.getByRole('button', { name: `Entrar com ${NAME}` }).click();
      await tab.getByRole('link', account).click();
      await dialog.waitFor();
    });
    expect(await dialog.getByLabel('Sua resposta').inputValue()).to.equal('Temos sim: azul e verde.');
  });

  it('says in words of its own what went wrong, and lets people start again', async () => {
    const page = await suite.refused(async () => {
      const opened = await suite.visit(`${suite.product.running.url}/console`);
      await opened.getByRole('heading', { name: 'Entrar' }).waitFor();
      return opened;
    });
    await suite.look(page, 'oidc-sign-in-desk');
    await page.getByRole('button', { name: `Entrar com ${NAME}` }).click();
    await suite.refused(async () => {
      await page.getByRole('link', { name: 'Sign in as ana' }).click();
      await page.getByText('Esta conta não é de ninguém com acesso aqui.', { exact: false }).waitFor();
    });
    expect(page.url()).to.equal(`${suite.product.running.url}/console`);
    provider!.faults.error = 'access_denied';
    await page.getByRole('button', { name: `Entrar com ${NAME}` }).click();
    await suite.refused(async () => {
      await page.getByRole('link', { name: 'Sign in as bia' }).click();
      await page.getByText('O acesso não foi autorizado lá.', { exact: false }).waitFor();
    });
    delete provider!.faults.error;
    await suite.look(page, 'oidc-refused-desk');
    // Back does not hand over an answer again.
    await page.getByRole('button', { name: `Entrar com ${NAME}` }).click();
    await page.getByRole('link', { name: 'Sign in as bia' }).click();
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();
  });
});
