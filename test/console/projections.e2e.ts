/** Projections in a browser: the list, a rebuild to its end, a flip back and a drop after typing. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';

describe('console: projections', function () {
  this.timeout(180_000);
  const suite = consoleSuite(async (product) => {
    await product.sent('+5511987654321');
    await product.quiet();
  });

  it('lists them with their lag and generations', async () => {
    const { page, look } = await suite.open('projections');
    await page.getByRole('link', { name: 'contacts', exact: true }).waitFor();
    await page.getByText('up to date').nth(5).waitFor();
    await look('projections-desk');
    const phone = await suite.open('projections', { size: 'phone', language: 'pt' });
    await phone.page.getByRole('link', { name: 'contacts', exact: true }).waitFor();
    await phone.look('projections-phone');
  });

  it('rebuilds one, flips back, and drops the rest only after its name was typed', async () => {
    const { page, look } = await suite.open('projections/contacts');
    await page.getByRole('button', { name: 'Rebuild' }).click();
    await page.waitForURL(/job-/);
    await page.getByText('done').waitFor();
    await look('projections-job-desk');
    await page.getByRole('link', { name: 'contacts', exact: true }).click();
    await page.getByRole('button', { name: /^Use generation / }).click();
    await page.getByRole('heading', { name: 'Job: flip' }).waitFor();
    await page.getByText('done').waitFor();
    await page.getByRole('link', { name: 'contacts', exact: true }).click();
    const drop = page.getByRole('button', { name: /^Drop generation / });
    const generation = /\d+/.exec((await drop.textContent()) ?? '')![0];
    await drop.click();
    expect(await drop.isDisabled()).to.equal(true);
    await page.getByLabel(/^Type /).fill('contacts');
    expect(await drop.isDisabled()).to.equal(true);
    await page.getByLabel(/^Type /).fill(`contacts/${generation}`);
    await look('projections-drop-desk');
    await drop.click();
    await page.getByRole('heading', { name: 'Job: drop' }).waitFor();
    await page.getByText('done').waitFor();
    const phone = await suite.open('projections/contacts', { size: 'phone', language: 'pt' });
    await phone.page.getByRole('heading', { name: 'Gerações e versões guardadas' }).waitFor();
    await phone.look('projection-phone');
  });
});
