/**
 * The console of a started product in a real browser. Every page that a test opens is watched: an error in the browser's
 * console, a request to another host, a report of the content security policy or an answer of 5xx fails the suite.
 * With SCREENSHOTS=<folder>, `look` also saves what it saw.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, openPage, skipWithoutBrowser } from './browser.js';
import { startProduct, type Product } from './e2e/product.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = {
  desk: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
} as const;

/** Longer than a busy machine needs, shorter than a test may take. */
const PATIENCE_MS = 60_000;
/** Characters of a page, in the report of a failure. */
const MOST_SHOWN = 4_000;

const REFUSAL = /^console: Failed to load resource: the server responded with a status of 4\d\d /;

export interface ConsolePage {
  readonly page: Page;
  /** Waits for the page to have loaded its data, then checks it with axe; saves a picture where one is wanted. */
  readonly look: (name: string) => Promise<void>;
}

export interface Opening {
  readonly size?: keyof typeof SIZES;
  readonly language?: 'en' | 'pt';
  readonly scheme?: 'light' | 'dark';
  /** Left out: the operator, by a link. Others are a new person of the company's team. */
  readonly role?: 'owner' | 'agent' | 'viewer';
}

export interface ConsoleSuite {
  readonly product: Product;
  /**
   * Opens the console, signed in, at a place such as `inbox`, in the demo's company.
   * @param place the section, with what follows it; empty: the first page
   */
  open(place?: string, options?: Opening): Promise<ConsolePage>;
  /** Opens any other page of the product, such as the shop's, without a session. */
  visit(url: string, size?: keyof typeof SIZES): Promise<Page>;
  /** As `look` of a page that was opened, for one that was visited. */
  look(page: Page, name: string): Promise<void>;
  /** Revokes the sessions of the person who is signed in on the page; returns that person's member uuid. */
  endSessions(page: Page): Promise<string>;
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
 * @param env settings; a function where they are known late
 * @param others origins that the browser may go to besides
 */
export function consoleSuite(
  fill: (product: Product) => Promise<unknown> = () => Promise.resolve(),
  env: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>) = {},
  others: () => readonly string[] = () => [],
): ConsoleSuite {
  let product: Product | undefined;
  let browser: Browser | undefined;
  const faults: string[] = [];
  /** Those of the test that runs. A page that stays open reads again with all that later tests do. */
  const pages: Page[] = [];

  before(async function () {
    skipWithoutBrowser(this);
    product = await startProduct({ CONSOLE: 'on', ...(typeof env === 'function' ? await env() : env) });
    await fill(product);
    browser = await launchBrowser();
  });
  afterEach(async function () {
    const opened = pages.splice(0);
    if (this.currentTest?.state === 'failed') for (const page of opened) console.log(await shownOn(page));
    const seen = faults.splice(0);
    await Promise.all(opened.map((page) => page.context().close()));
    faults.length = 0;
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

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const page = await openPage(browser!, { ...options, reducedMotion: 'reduce' });
    pages.push(page);
    page.setDefaultTimeout(PATIENCE_MS);
    await watch(page, [new URL(started().running.url).origin, ...others()], faults);
    return page;
  }

  return {
    get product() {
      return started();
    },
    async open(place = '', { size = 'desk', language = 'en', scheme = 'light', role } = {}) {
      const page = await newPage({
        ...SIZES[size],
        locale: language === 'pt' ? 'pt-BR' : 'en-GB',
        colorScheme: scheme,
      });
      const path = place === '' ? '' : `/${started().company}/${place}`;
      const address = `${started().running.url}/console${path}`;
      if (role === undefined) {
        const { token } = await started().admin<{ readonly token: string }>('POST', '/session/links');
        await page.goto(`${address}#token=${token}`);
      } else {
        const [name = '', value = ''] = (await joined(started(), role)).split('=');
        await page.context().addCookies([{ name, value, url: started().running.url }]);
        await page.goto(address);
      }
      // Signed in: before that the page listens to no keys.
      await page.locator('main#content').waitFor();
      return { page, look: (name) => look(page, name) };
    },
    async visit(url, size = 'desk') {
      const page = await newPage({ ...SIZES[size], locale: 'pt-BR' });
      await page.goto(url);
      return page;
    },
    look,
    async endSessions(page) {
      const { member_uuid: member } = await page.evaluate<{ readonly member_uuid: string }>(
        "fetch('/admin/v1/session', { headers: { 'x-recado-console': '1' } }).then((answer) => answer.json()).then(({ data }) => data)",
      );
      const sessions = await started().admin<
        readonly { readonly uuid: string; readonly member_uuid: string | null }[]
      >('GET', '/sessions');
      for (const { uuid } of sessions.filter((one) => one.member_uuid === member))
        await started().admin('DELETE', `/sessions/${uuid}`);
      return member;
    },
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

/** What the person saw when the test failed. */
async function shownOn(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch((error: unknown) => `(nothing to be read: ${String(error)})`);
  return `      the page at ${page.url()} showed:\n${text.slice(0, MOST_SHOWN).replace(/^/gm, '      | ')}`;
}

let people = 0;

/** Somebody new of the company's team, who has accepted the invitation; returns the cookie of that session. */
async function joined(product: Product, role: string): Promise<string> {
  people += 1;
  const team = `/companies/${product.company}/team`;
  const { uuid } = await product.admin<{ readonly uuid: string }>('POST', team, {
    kind: 'agent',
    name: `Pessoa ${people}`,
  });
  const { token } = await product.admin<{ readonly token: string }>('POST', `${team}/${uuid}/access`, {
    role,
    email: `pessoa${people}@loja.example`,
  });
  const answer = await fetch(`${product.running.url}/admin/v1/session/invitation`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-recado-console': '1',
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ token, password: 'correct horse battery' }),
  });
  expect(answer.status, 'the invitation').to.equal(201);
  return answer.headers.getSetCookie()[0]!.split(';')[0]!;
}

async function watch(page: Page, origins: readonly string[], faults: string[]): Promise<void> {
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))",
  );
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    faults.push(`console: ${message.text()} (${url})`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!origins.includes(url.origin) && url.protocol !== 'data:' && url.protocol !== 'blob:')
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
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const violations = await page.evaluate<Violation[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(told, `axe on ${name}`).to.deep.equal([]);
}
