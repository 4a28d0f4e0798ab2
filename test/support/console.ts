/**
 * The console of a started product in a real browser. Every page that a test opens is watched: an error in the browser's
 * console, a request to another host, a report of the content security policy or an answer of 5xx fails the suite.
 * With SCREENSHOTS=<folder>, `look` also saves what it saw.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, skipWithoutBrowser } from './browser.js';
import { startProduct, type Product } from './e2e/product.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = {
  desk: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
} as const;

const REFUSAL = /^console: Failed to load resource: the server responded with a status of 4\d\d /;

export interface ConsolePage {
  readonly page: Page;
  /** Waits for the page to have loaded its data, then checks it with axe; saves a picture where one is wanted. */
  readonly look: (name: string) => Promise<void>;
}

export interface ConsoleSuite {
  readonly product: Product;
  /**
   * Opens the console, signed in by a link of the operator's, at a place such as `inbox`, in the demo's company.
   * @param place the section, with what follows it; empty: the first page
   */
  open(
    place?: string,
    options?: { readonly size?: keyof typeof SIZES; readonly language?: 'en' | 'pt' },
  ): Promise<ConsolePage>;
  /** Opens any other page of the product, such as the shop's, without a session. */
  visit(url: string, size?: keyof typeof SIZES): Promise<Page>;
  /** As `look` of a page that was opened, for one that was visited. */
  look(page: Page, name: string): Promise<void>;
  /** Does what the API must refuse: the browser reports its 4xx answers, which are then no fault. */
  refused<T>(work: () => Promise<T>): Promise<T>;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/**
 * Call it in a `describe`. Starts one product and one browser for the suite.
 * @param fill called once, with the started product
 */
export function consoleSuite(
  fill: (product: Product) => Promise<unknown> = () => Promise.resolve(),
  env: Readonly<Record<string, string>> = {},
): ConsoleSuite {
  let product: Product | undefined;
  let browser: Browser | undefined;
  const faults: string[] = [];

  before(async function () {
    skipWithoutBrowser(this);
    product = await startProduct({ CONSOLE: 'on', ...env });
    await fill(product);
    browser = await launchBrowser();
  });
  afterEach(() => {
    const seen = faults.splice(0);
    expect(seen, 'faults seen by the browser').to.deep.equal([]);
  });
  after(async () => {
    await browser?.close();
    await product?.close();
  });

  const started = (): Product => {
    if (product === undefined) throw new Error('the product is started in the suite');
    return product;
  };

  return {
    get product() {
      return started();
    },
    async open(place = '', { size = 'desk', language = 'en' } = {}) {
      const page = await openPage(browser!, {
        ...SIZES[size],
        locale: language === 'pt' ? 'pt-BR' : 'en-GB',
        reducedMotion: 'reduce',
      });
      // Longer than a busy machine needs, shorter than a test may take.
      page.setDefaultTimeout(30_000);
      watch(page, new URL(started().running.url).origin, faults);
      const { token } = await started().admin<{ readonly token: string }>('POST', '/session/links');
      const path = place === '' ? '' : `/${started().company}/${place}`;
      await page.goto(`${started().running.url}/console${path}#token=${token}`);
      // Signed in: before that the page listens to no keys.
      await page.locator('main#content').waitFor();
      return { page, look: (name) => look(page, name) };
    },
    async visit(url, size = 'desk') {
      const page = await openPage(browser!, { ...SIZES[size], locale: 'pt-BR', reducedMotion: 'reduce' });
      watch(page, new URL(started().running.url).origin, faults);
      await page.goto(url);
      return page;
    },
    look,
    async refused(work) {
      const before = faults.length;
      const result = await work();
      const told = faults.splice(before);
      const refusals = told.filter((fault) => REFUSAL.test(fault));
      faults.push(...told.filter((fault) => !REFUSAL.test(fault)));
      expect(refusals, 'refusals').not.to.deep.equal([]);
      return result;
    },
  };
}

function watch(page: Page, origin: string, faults: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      faults.push(`request to another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} of ${response.url()}`);
  });
}

async function look(page: Page, name: string): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  // By the debugger's protocol, which the page's policy does not bind.
  await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(told, `axe on ${name}`).to.deep.equal([]);
}
