/**
 * What somebody could try against the console besides texts (hostile-texts.e2e.ts): links and cookies of others, frames,
 * an ended session (docs/security.md, "The console").
 */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';

const TEXT = 'Segredo da Maria';

describe('console: threats', function () {
  this.timeout(120_000);
  const suite = consoleSuite(async (product) => {
    product.reply('5511987654321', TEXT, 'Maria');
    await product.conversationWith('+5511987654321');
  });

  it('no page may frame the console, run another script, or send it elsewhere', async () => {
    const answer = await fetch(`${suite.product.running.url}/console/any/where`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "connect-src 'self'",
    ]);
    expect(policy).to.not.include('unsafe');
    expect(await answer.text()).to.not.match(/\son\w+=|<style|<script(?! type="module" src="\/console\/_\/)/);
  });

  const PAGE = {
    'x-recado-console': '1',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
  const signIn = (token: string, cookie?: string) =>
    fetch(`${suite.product.running.url}/admin/v1/session`, {
      method: 'POST',
      headers: { ...PAGE, ...(cookie === undefined ? {} : { cookie }) },
      body: JSON.stringify({ link_token: token }),
    });
  const link = async (): Promise<string> =>
    (await suite.product.admin<{ readonly token: string }>('POST', '/session/links')).token;

  it('a session that was put into a browser before does not become the one that signs in', async () => {
    const theirs = (await signIn(await link())).headers.getSetCookie()[0]!.split(';')[0]!;
    const mine = (await signIn(await link(), theirs)).headers.getSetCookie()[0]!.split(';')[0]!;
    expect(mine).to.not.equal(theirs);
    const invented = `${theirs.split('=')[0]!}=${'A'.repeat(60)}`;
    const fresh = (await signIn(await link(), invented)).headers.getSetCookie()[0]!.split(';')[0]!;
    expect(fresh).to.not.equal(invented);
    const { status } = await fetch(`${suite.product.running.url}/admin/v1/session`, {
      headers: { ...PAGE, cookie: invented },
    });
    expect(status).to.equal(401);
  });

  it('a guessed link, an altered one and the uuid of a real one open nothing', async () => {
    const real = await link();
    const [uuid, secret] = real.split('.') as [string, string];
    const altered = `${uuid}.${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    for (const guess of [altered, uuid, `${uuid}.`, 'x', `${crypto.randomUUID()}.${secret}`]) {
      const answer = await signIn(guess);
      expect([401, 422], guess).to.include(answer.status);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
    }
    // Guesses do not use the link up.
    expect((await signIn(real)).status).to.equal(201);
  });

  it('a page whose session was ended shows the sign-in, and nothing of before', async () => {
    const { page: watched } = await suite.open('inbox');
    // The browser reports each 401 as an error, which a watched page may not have.
    const page = await watched.context().newPage();
    await page.goto(watched.url());
    await page.locator('.rows').getByText(TEXT).first().waitFor();
    await watched.goto('about:blank');
    const { uuid } = await page.evaluate<{ readonly uuid: string }>(
      "fetch('/admin/v1/session', { headers: { 'x-recado-console': '1' } }).then((answer) => answer.json()).then(({ data }) => data)",
    );
    await suite.product.admin('DELETE', `/sessions/${uuid}`, undefined, 204);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('body').textContent()).to.not.include(TEXT);
  });
});
