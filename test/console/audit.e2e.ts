/** Who did what, in a browser: for owners of a company and for operators, and for nobody else. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite, type ConsolePage } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

interface Made {
  readonly uuid: string;
}

describe('console: audit', function () {
  this.timeout(240_000);
  let flow = '';
  const suite = consoleSuite(async (product) => {
    const company = `/companies/${product.company}`;
    const made = await product.admin<Made>('POST', `${company}/flows`, {
      name: 'Boas-vindas',
      definition: { schema: 1, start: 'oi', blocks: { oi: { type: 'send_text', text: 'Oi', next: null } } },
    });
    flow = made.uuid;
    await product.admin('POST', `${company}/team`, { kind: 'agent', name: '=HYPERLINK("x")' });
  });
  const rows = (page: Page) => page.locator('ol.acts li');

  it('shows an owner who did what, with a way to the thing and to the event', async () => {
    const { page, look } = await suite.open('audit', { role: 'owner', language: 'pt' });
    await rows(page).first().waitFor();
    await look('audit-owner-desk');
    const signedIn = rows(page).filter({ hasText: 'Criou uma senha' });
    expect(await signedIn.locator('.who').innerText()).to.match(/^Pessoa \d+$/);
    const granted = rows(page).filter({ hasText: 'Deu acesso' });
    expect(await granted.innerText())
      .to.include('Operadores')
      .and.to.match(/Pessoa \d+ · Responsável/);
    expect(await page.getByLabel('Onde').count(), 'what concerns the server').to.equal(0);
    await rows(page).filter({ hasText: 'Criou um fluxo' }).getByRole('link', { name: 'Evento' }).click();
    await page.getByRole('heading', { name: 'FlowCreated' }).waitFor();
    await page.goBack();
    await rows(page).getByRole('link', { name: 'Criou um fluxo' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/flows/${flow}`));
  });

  it('filters by person, kind and time in the address, which a new tab opens as it is', async () => {
    const { page } = await suite.open('audit', { role: 'owner' });
    await rows(page).first().waitFor();
    await page.getByLabel('Person').selectOption({ label: 'Operators' });
    await page.getByLabel('Kind').selectOption('flow');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL(/actor=admin&kind=flow/);
    await rows(page).filter({ hasText: 'Created a flow' }).waitFor();
    // What was shown before stays until the page is drawn anew, and has a flow too.
    await rows(page).filter({ hasNotText: 'Flows' }).first().waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: 'Created a flow' }).waitFor();
    for (const text of await rows(page).locator('.of').allInnerTexts()) expect(text).to.include('Flows');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('Nothing fits these filters.').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByText('Nothing fits these filters.').waitFor();
    expect(await tab.getByLabel('Kind').inputValue()).to.equal('flow');
    await tab.getByRole('button', { name: 'Clear' }).click();
    await rows(tab).first().waitFor();
    await tab.close();
    await page.goBack();
    await rows(page).filter({ hasText: 'Created a flow' }).waitFor();
    await page.getByLabel('From').fill('2099-01-01T00:00');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('Nothing fits these filters.').waitFor();
  });

  it('shows more on demand, and what happens meanwhile by itself', async () => {
    const { product } = suite;
    const { page } = await suite.open('audit', { role: 'owner', size: 'phone', language: 'pt' });
    await rows(page).first().waitFor();
    for (let nth = 0; nth < 60; nth += 1)
      await product.admin('PATCH', `/flows/${flow}`, { name: `Boas-vindas ${nth}` });
    await rows(page).filter({ hasText: 'Renomeou um fluxo' }).first().waitFor();
    await page.getByRole('button', { name: 'Mais' }).click();
    await rows(page).filter({ hasText: 'Criou a empresa' }).waitFor();
    const ids = await eventually(async () => {
      const seen = await rows(page)
        .locator('.event')
        .evaluateAll((links) => links.map((link) => String(link)));
      return seen.length > 60 ? seen : undefined;
    });
    expect(new Set(ids).size, 'none is shown twice').to.equal(ids.length);
  });

  it('misses nothing that new acts push out of the first page while the next one is on its way', async () => {
    const { product } = suite;
    const { page } = await suite.open('audit', { role: 'owner' });
    for (let nth = 0; nth < 60; nth += 1)
      await product.admin('PATCH', `/flows/${flow}`, { name: `Antes ${nth}` });
    await rows(page).filter({ hasText: 'Renamed a flow' }).nth(49).waitFor();
    // Until the newest one stands on top: what comes later would push the first one down further.
    await product.quiet();
    const path = `/audit?company=${product.company}&limit=1`;
    const [newest] = await product.admin<readonly { readonly position: string }[]>('GET', path);
    await rows(page).first().locator(`.event[href$="/${newest!.position}"]`).waitFor();
    let arrive = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/audit?*after=*', async (route) => {
      const answer = await route.fetch();
      await arrival;
      await route.fulfill({ response: answer });
    });
    const shown = () =>
      rows(page)
        .locator('.event')
        .evaluateAll((links) => links.map((link) => String(link)));
    const first = await shown();
    const asked = page.waitForRequest('**/audit?*after=*');
    await page.getByRole('button', { name: 'More' }).click();
    await asked;
    for (let nth = 0; nth < 5; nth += 1)
      await product.admin('PATCH', `/flows/${flow}`, { name: `Depois ${nth}` });
    await eventually(async () => (await shown()).indexOf(first[0]!) === 5 || undefined);
    arrive();
    await eventually(async () => (await shown()).length > first.length + 5 || undefined);
    expect(await shown()).to.include.members(first);
  });

  it('is whole on a phone', async () => {
    const { page, look } = await suite.open('audit', {
      role: 'owner',
      size: 'phone',
      language: 'pt',
      scheme: 'dark',
    });
    await rows(page).first().waitFor();
    await look('audit-owner-phone');
  });

  it('is saved as a table, in which no name is a formula', async () => {
    const { page } = await suite.open('audit?kind=access', { role: 'owner' });
    await rows(page).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).to.match(/^\uFEFF"time","who","kind","what"/);
    expect(text).to.include('"\'=HYPERLINK(""x"")"').and.to.include('TeamAccessGranted');
    await page.getByText('In the file:').waitFor();
  });

  it('shows operators what concerns the server, and all of the company', async () => {
    const { product } = suite;
    await product.admin('POST', '/backups', {});
    await product.admin('POST', '/projections/rebuilds', { projections: ['orders'] });
    await product.admin('GET', '/events/export/keys');
    const whole = await fetch(
      `${product.running.credentials['admin_url']}/events/export?include_personal=true`,
      {
        headers: { authorization: `Bearer ${product.running.credentials['admin_token']}` },
      },
    );
    await whole.text();
    // There is no such version: it is on record that it was asked for.
    await product.admin('DELETE', '/projections/orders/versions/77', undefined, 409);
    const { page, look } = await suite.open('audit');
    await rows(page).first().waitFor();
    expect(await rows(page).filter({ hasText: 'backup' }).count(), 'not of the company').to.equal(0);
    await page.getByLabel('Where').selectOption('server');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL(/whose=server/);
    await rows(page).filter({ hasText: 'Asked for a backup' }).waitFor();
    await rows(page).filter({ hasText: 'sealed keys of persons' }).waitFor();
    await rows(page).filter({ hasText: 'export of the history · personal data in the clear' }).waitFor();
    await look('audit-operator-server');
    expect(await page.getByRole('alert').count()).to.equal(0);
    const dropped = rows(page).filter({ hasText: 'Asked to drop a version of a projection' });
    expect(await dropped.innerText())
      .to.include('Operators')
      .and.include('orders · version 77');
    await page.getByLabel('Kind').selectOption('sign_in');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await rows(page).filter({ hasText: 'Asked for a link that signs in' }).first().waitFor();
    await page.goBack();
    await dropped.getByRole('link', { name: 'Asked to drop' }).click();
    await page.waitForURL(/projections\/orders$/);
  });

  it('shows operators in Portuguese what was asked of the server, on a phone', async () => {
    const { page, look } = await suite.open('audit?whose=server', { size: 'phone', language: 'pt' });
    await rows(page).filter({ hasText: 'Pediu para apagar uma versão de uma projeção' }).waitFor();
    await look('audit-operator-server-phone');
  });

  it('shows an owner what was asked about the own webhooks, and nothing of the server', async () => {
    const { product } = suite;
    const at = `/companies/${product.company}/integrations`;
    const { uuid } = await product.admin<Made>('POST', at, { name: 'ERP' });
    const endpoint = await product.admin<Made>('POST', `/integrations/${uuid}/webhooks`, {
      url: 'https://hooks.example/recado',
      enabled: false,
    });
    await product.admin('POST', `/webhooks/${endpoint.uuid}/redeliver-failed`, { dry_run: true });
    const { page } = await suite.open('audit', { role: 'owner', language: 'pt' });
    const asked = rows(page).filter({ hasText: 'Pediu para contar ou reenviar webhooks que falharam' });
    await asked.waitFor();
    expect(await rows(page).filter({ hasText: 'backup' }).count()).to.equal(0);
    await asked.getByRole('link', { name: 'Pediu' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/webhooks/${endpoint.uuid}`));
  });

  for (const role of ['agent', 'viewer'] as const)
    it(`is not offered to the role ${role}, and says who may see it`, async () => {
      const { page, look }: ConsolePage = await suite.open('audit', { role });
      await page.getByText('The role Owner can do more here.').waitFor();
      expect(await page.getByRole('link', { name: 'Audit' }).count()).to.equal(0);
      await look(`audit-${role}`);
    });
});
