/** Answers that take long: a view says that it loads, nothing is asked for twice, and what comes too late changes nothing. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '+5511987654321';

interface Row {
  readonly uuid: string;
}

/** Answers of the API that are held back until `release`. */
interface Held {
  /** `METHOD path` of those that were asked for. */
  readonly asked: readonly string[];
  readonly release: () => Promise<void>;
}

async function hold(page: Page, isHeld: (method: string, path: string) => boolean): Promise<Held> {
  const asked: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/admin/v1/**', async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/admin/v1'.length);
    const method = route.request().method();
    if (!isHeld(method, path)) return route.continue();
    asked.push(`${method} ${path}`);
    await gate;
    // The page may have gone away with its requests.
    return route.continue().catch(() => undefined);
  });
  return {
    asked,
    release: async () => {
      release();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

const reads = (method: string, path: string): boolean => method === 'GET' && !path.endsWith('/live');
const writes = (method: string): boolean => method !== 'GET';

describe('console: slow answers', function () {
  this.timeout(300_000);
  let product: Row = { uuid: '' };
  let endpoint = '';
  const suite = consoleSuite(async (started) => {
    await started.sent(PHONE);
    started.reply(PHONE.slice(1), 'Ainda tem a camiseta?', 'Ana');
    await started.conversationWith(PHONE);
    endpoint = await started.subscribe('https://sistema.example/recado');
    const company = `/companies/${started.company}`;
    product = await started.admin<Row>('POST', `${company}/store/products`, {
      name: 'Camiseta',
      price: '49.90',
      stock: 50,
    });
    await started.admin('POST', `${company}/store/orders`, {
      items: [{ product_uuid: product.uuid, quantity: 1 }],
      customer: { name: 'Ana', phone: PHONE },
      fulfillment: { type: 'pickup' },
    });
    await started.quiet();
  });

  const sections = (page: Page) =>
    page.locator('nav a').evaluateAll((links) => links.map((link) => String(link)));

  it('show in each section that it loads, until they are there', async () => {
    const { page } = await suite.open('overview');
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    for (const address of (await sections(page)).slice(1)) {
      const { pathname } = new URL(address);
      // It asks for nothing where an operator came by a link.
      if (pathname.endsWith('/account')) continue;
      const held = await hold(page, reads);
      await page.locator(`nav a[href="${pathname}"]`).click();
      const loading = page.locator('main [aria-busy="true"]').first();
      await loading.waitFor({ timeout: 10_000 }).catch(() => {
        throw new Error(`${pathname} does not say that it loads: ${held.asked.join(', ')}`);
      });
      await held.release();
      await loading.waitFor({ state: 'detached' });
    }
  });

  it('change nothing where somebody went elsewhere meanwhile', async () => {
    const { page } = await suite.open('overview');
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    for (const address of (await sections(page)).slice(1)) {
      const held = await hold(page, reads);
      const { pathname } = new URL(address);
      await page.locator(`nav a[href="${pathname}"]`).click();
      await page.waitForURL((url) => url.pathname === pathname);
      await page.locator('nav a').first().click();
      await held.release();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname, pathname).to.match(/\/overview$/);
    }
  });

  it('of a flow that is made leave somebody where they are by then', async () => {
    const { page } = await suite.open('flows');
    const held = await hold(page, writes);
    await page.getByLabel('Name').fill('Devagar');
    await page.getByRole('button', { name: 'Create' }).click();
    await eventually(() => Promise.resolve(held.asked.length === 1));
    await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    await held.release();
    await eventually(async () => {
      const flows = await suite.product.admin<readonly { readonly name: string }[]>(
        'GET',
        `/companies/${suite.product.company}/flows`,
      );
      return flows.some(({ name }) => name === 'Devagar');
    });
    await page.locator('main').getByRole('link', { name: /Ana/ }).waitFor();
    expect(new URL(page.url()).pathname).to.match(/\/contacts$/);
  });

  it('of a next page are not put behind the rows of another filter', async () => {
    const company = `/companies/${suite.product.company}`;
    for (let nth = 0; nth < 60; nth += 1)
      await suite.product.admin('POST', `${company}/store/products`, { name: `Fita ${nth}`, price: '1.00' });
    await suite.product.quiet();
    const { page } = await suite.open('products');
    const more = page.getByRole('button', { name: /more/i });
    await more.waitFor();
    const held = await hold(page, (method, path) => method === 'GET' && path.endsWith('/products'));
    await more.click();
    await eventually(() => Promise.resolve(held.asked.length === 1));
    await page.getByLabel('Name, description or code').fill('camiseta');
    await eventually(() => Promise.resolve(held.asked.length >= 2));
    await held.release();
    await page.getByRole('link', { name: 'Camiseta', exact: true }).waitFor();
    await page.getByRole('link', { name: /^Fita/ }).first().waitFor({ state: 'detached' });
  });

  /** What somebody presses twice, since nothing seems to happen. */
  const jobs: readonly {
    readonly what: string;
    readonly place: () => Promise<string> | string;
    readonly prepare?: (page: Page) => Promise<unknown>;
    readonly button: (page: Page) => Locator;
  }[] = [
    {
      what: 'an answer',
      place: async () => `inbox/${await suite.product.conversationWith(PHONE)}?status=all`,
      prepare: (page) => page.getByRole('textbox', { name: 'Your answer' }).fill('Temos!'),
      button: (page) => page.getByRole('button', { name: 'Send', exact: true }),
    },
    {
      what: 'the move of an order',
      place: () => 'orders',
      button: (page) => page.getByRole('button', { name: /^Confirm / }).first(),
    },
    {
      what: 'a product',
      place: () => `products/${product.uuid}`,
      prepare: (page) => page.getByLabel('Name', { exact: true }).fill('Camiseta azul'),
      button: (page) => page.getByRole('button', { name: 'Save', exact: true }),
    },
    {
      what: 'the publication of a flow',
      place: async () => {
        const { uuid } = await suite.product.admin<Row>('POST', `/companies/${suite.product.company}/flows`, {
          name: 'Duas vezes',
          definition: { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: 'Oi', next: null } } },
        });
        return `flows/${uuid}`;
      },
      button: (page) => page.getByRole('button', { name: 'Publish', exact: true }),
    },
    {
      what: 'the count of deliveries to recover',
      place: () => `webhooks/${endpoint}`,
      button: (page) => page.getByRole('button', { name: 'Count them first' }),
    },
    {
      what: 'an erasure',
      place: async () => {
        const [contact] = await suite.product.admin<readonly Row[]>(
          'GET',
          `/companies/${suite.product.company}/contacts?query=Ana`,
        );
        return `contacts/${contact!.uuid}`;
      },
      prepare: (page) => page.locator('[data-op=eraseContact] input').fill(PHONE),
      button: (page) => page.getByRole('button', { name: 'Erase this person' }),
    },
  ];

  for (const { what, place, prepare, button } of jobs)
    it(`let ${what} be asked for once`, async () => {
      const { page } = await suite.open(await place());
      await button(page).or(page.locator('main h1')).first().waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      const held = await hold(page, (method, path) => writes(method) && !/\/(presence|check)$/.test(path));
      await prepare?.(page);
      const pressed = button(page);
      await pressed.click();
      await eventually(() => Promise.resolve(held.asked.length > 0));
      // As a click of somebody who does not wait, and Enter with the focus where it was.
      await pressed.click({ force: true, timeout: 2_000 }).catch(() => undefined);
      await pressed.dispatchEvent('click', undefined, { timeout: 2_000 }).catch(() => undefined);
      await page.keyboard.press('Enter');
      await held.release();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect(held.asked).to.have.length(1);
    });
});
