/**
 * Every section and one thing of each, for every role: no errors in the browser, nothing of other hosts, no reports of
 * the policy, no findings of axe, and no page that is wider than the phone. The sections are those of the code.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fillBusyCompany } from '../support/busy-company.js';
import { closedPort, type ClosedPort } from '../support/closed-port.js';
import { consoleSuite, type ConsolePage, type Opening } from '../support/console.js';
import { projectFile } from '../support/root.js';

const SECTIONS = (
  /SECTIONS = \[([^\]]+)\]/.exec(readFileSync(projectFile('console/place.ts'), 'utf8'))?.[1] ?? ''
)
  .split(',')
  .map((name) => name.trim().replaceAll("'", ''))
  .filter((name) => name !== '');

/** Sections without pages of single things: all is on the section's own page. */
const WHOLE: ReadonlySet<string> = new Set(['overview', 'shop', 'people', 'audit', 'settings', 'account']);

/** Sizes, languages and looks take turns, so that each is seen with each section without a walk of its own. */
const WALKS: readonly (Opening & { readonly who: string })[] = [
  { who: 'operator' },
  { who: 'owner', role: 'owner', size: 'phone', language: 'pt', scheme: 'dark' },
  { who: 'agent', role: 'agent', language: 'pt', scheme: 'dark' },
  { who: 'viewer', role: 'viewer', size: 'phone' },
];

describe('console: every screen', function () {
  this.timeout(300_000);
  let silent: ClosedPort;
  before(async () => {
    silent = await closedPort();
  });
  after(() => silent.close());
  const suite = consoleSuite((product) => fillBusyCompany(product, `http://${silent.address}/webhooks`));

  const pathsIn = (page: Page, place: string): Promise<readonly string[]> =>
    page
      .locator(`${place} a`)
      .evaluateAll((links) =>
        links.map((link) => (link as unknown as { readonly pathname: string }).pathname),
      );

  async function arrived(page: Page, path: string): Promise<void> {
    await page.waitForURL((url) => url.pathname === path);
    // On a phone a conversation hides the heading of the list.
    await page.locator('main h1').locator('visible=true').first().waitFor();
  }

  /** Reports all findings of a walk together. */
  async function examine(shown: ConsolePage, name: string, findings: string[]): Promise<void> {
    const { page } = shown;
    await shown.look(name).catch((error: unknown) => findings.push(String(error)));
    const alerts = await page.locator('main [role="alert"]').allTextContents();
    findings.push(...alerts.map((text) => `${name} says: ${text}`));
    const [wide = 0, room = 0] = await page.evaluate<readonly number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    if (wide > room) findings.push(`${name} is ${wide} wide, in ${room}`);
  }

  for (const { who, ...opening } of WALKS)
    it(`is whole for ${who}`, async () => {
      const shown = await suite.open('overview', opening);
      const { page } = shown;
      await page.locator('main h1').first().waitFor();
      const seen: string[] = [];
      const findings: string[] = [];
      for (const path of await pathsIn(page, 'nav')) {
        const section = path.split('/').at(-1)!;
        const menu = page.locator('button.menu');
        if ((await menu.isVisible()) && section !== 'overview') await menu.click();
        if (section !== 'overview') await page.locator(`nav a[href="${path}"]`).click();
        await arrived(page, path);
        await examine(shown, `${who}-${section}`, findings);
        seen.push(section);
        const inside = (await pathsIn(page, 'main')).filter((link) => link.startsWith(`${path}/`));
        const thing = inside.find((link) => !/\/(new|import|print|categories)$/.test(link));
        if (WHOLE.has(section)) continue;
        if (thing === undefined) {
          findings.push(`there is no thing of ${section}`);
          continue;
        }
        await page.locator(`main a[href^="${thing}"]`).first().click();
        await arrived(page, thing);
        await examine(shown, `${who}-${section}-one`, findings);
      }
      expect(findings, 'findings').to.deep.equal([]);
      if (who === 'operator') expect(seen).to.deep.equal(SECTIONS);
      else expect(SECTIONS).to.include.members(seen);
    });

  it('ends the session by signing out', async () => {
    const { page } = await suite.open('overview');
    await page.locator('main h1').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const answer = await page.request.get(`${suite.product.running.url}/admin/v1/session`);
    expect(answer.status()).to.equal(401);
  });
});
