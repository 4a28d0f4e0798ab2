/** The first look at each section in a browser: axe finds nothing, no errors, nothing of other hosts. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';

describe('console: first look', function () {
  this.timeout(180_000);
  const suite = consoleSuite(async (product) => {
    await product.sent('+5511987654321');
    product.reply('5511987654321', 'Olá, ainda tem a camiseta?', 'Ana');
    await product.conversationWith('+5511987654321');
  });

  for (const section of ['overview', 'inbox', 'orders', 'webhooks']) {
    it(`shows ${section}, on a desk and on a phone`, async () => {
      const desk = await suite.open(section);
      await desk.page.getByRole('heading').first().waitFor();
      await desk.look(`${section}-desk`);
      const phone = await suite.open(section, { size: 'phone', language: 'pt' });
      await phone.page.getByRole('heading').first().waitFor();
      await phone.look(`${section}-phone`);
      expect(await phone.page.locator('html').getAttribute('lang')).to.equal('pt-BR');
    });
  }

  it('ends the session by signing out', async () => {
    const { page } = await suite.open('overview');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const answer = await page.request.get(`${suite.product.running.url}/admin/v1/session`);
    expect(answer.status()).to.equal(401);
  });
});
