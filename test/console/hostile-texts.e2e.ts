/** Texts of strangers and of the team stay texts, whatever they try, on every screen (docs/security.md, "The console"). */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';
import { hostileReceiver, PAYLOADS, phoneOf, plant, refusedDelivery } from '../support/hostile-texts.js';
import type { Serving } from '../support/servers.js';

/** Sections whose pages of single things are only visited, since their texts come from the product itself. */
const OWN_WORDS: ReadonlySet<string> = new Set(['projections', 'channels']);

/** Things of a section that are opened: their lists show all. */
const OPENED = 8;

/** Where the console itself leads: a place on a map, a chat, and the shop. */
const LEADS = /^https:\/\/(www\.openstreetmap\.org\/\?mlat=-22\.9&|wa\.me\/55119876543\d\d(\?|$))/;

describe('console: hostile texts', function () {
  this.timeout(600_000);
  let receiver: Serving;
  before(async () => {
    receiver = await hostileReceiver();
  });
  after(() => receiver.close());
  const suite = consoleSuite((product) => plant(product, receiver.origin));

  const settled = (page: Page) => page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  const valuesOf = (page: Page): Promise<string> =>
    page.evaluate(
      "[...document.querySelectorAll('main :is(input, textarea)')].map(({ value }) => value).join()",
    );
  const textOf = async (page: Page): Promise<string> => (await page.locator('main').textContent()) ?? '';

  /** Whatever a text did on this page, besides being read. Reports of the policy fail the suite by themselves. */
  async function deeds(page: Page): Promise<readonly string[]> {
    const [ran, scripts, elements, links] = await page.evaluate<
      readonly [unknown, number, readonly string[], readonly string[]]
    >(`[
      window.ran,
      document.scripts.length,
      [...document.querySelectorAll('main :is(script, style, link, iframe, object, embed, base, meta, math, [onerror], [onload], [onfocus], [onmouseover], [srcdoc])')].map(({ outerHTML }) => outerHTML),
      [...document.querySelectorAll('[href], [src], [action]')].flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name))).filter((value) => value !== null && !/^(\\/|#|blob:|data:image\\/(svg|png))/.test(value)),
    ]`);
    return [
      ...(ran === undefined || ran === null ? [] : ['a script ran']),
      ...(scripts === 1 ? [] : [`${scripts} scripts`]),
      ...elements,
      ...links
        .filter(
          (address) => !LEADS.test(address) && !address.startsWith(`${suite.product.running.url}/loja/`),
        )
        .map((address) => `leads to ${address}`),
    ];
  }

  it('stay texts on every screen, and lead nowhere', async () => {
    const { page } = await suite.open('overview');
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => Promise.reject(new Error('a dialog'))));
    const findings: string[] = [];
    const read = new Map<string, string>();
    const visit = async (section: string): Promise<void> => {
      await settled(page);
      read.set(section, (read.get(section) ?? '') + (await textOf(page)));
      findings.push(...(await deeds(page)).map((deed) => `${new URL(page.url()).pathname}: ${deed}`));
    };
    const paths = (place: string) =>
      page
        .locator(`${place} a`)
        .evaluateAll((links) =>
          links.map((link) => (link as unknown as { readonly pathname: string }).pathname),
        );
    for (const path of await paths('nav')) {
      const section = path.split('/').at(-1)!;
      await page.locator(`nav a[href="${path}"]`).click();
      await page.waitForURL((url) => url.pathname === path);
      await visit(section);
      const inside = [...new Set(await paths('main'))].filter((link) => link.startsWith(`${path}/`));
      for (const link of inside.slice(0, OWN_WORDS.has(section) ? 1 : OPENED)) {
        const shown = page.locator(`main a[href^="${link}"]`).first();
        if ((await shown.count()) === 0) {
          await page.locator(`nav a[href="${path}"]`).click();
          await page.waitForURL((url) => url.pathname === path);
          await settled(page);
        }
        await shown.click();
        await page.waitForURL((url) => url.pathname === link);
        await visit(section);
      }
    }
    expect([...new Set(findings)].join('\n')).to.equal('');
    // They were there, as they were written.
    for (const section of ['inbox', 'contacts', 'orders', 'products', 'flows', 'keys', 'people'])
      for (const payload of PAYLOADS) expect(read.get(section), `${section}: ${payload}`).to.include(payload);
    for (const [section, payload] of [
      ['templates', PAYLOADS[0]],
      ['templates', PAYLOADS[2]],
      ['templates', PAYLOADS[5]],
    ] as const)
      expect(read.get(section), section).to.include(payload);
  });

  it('stay texts in what a receiver answers, on the pages of a flow, in search, on paper and in a new order', async () => {
    const { product } = suite;
    const { page } = await suite.open('overview');
    const company = `/console/${product.company}`;
    const delivery = await refusedDelivery(product);
    const [order] = await product.admin<readonly { readonly uuid: string }[]>(
      'GET',
      `/companies/${product.company}/store/orders`,
    );
    const flows = await product.admin<readonly { readonly uuid: string; readonly name: string }[]>(
      'GET',
      `/companies/${product.company}/flows?limit=100`,
    );
    const flow = flows.find(({ name }) => name === PAYLOADS[1])!;
    const places = [
      [`webhooks/${delivery.endpoint_uuid}?delivery=${delivery.id}`, PAYLOADS[0]],
      [`orders/print?orders=${order!.uuid}`, 'W'.repeat(150)],
      [`flows/${flow.uuid}?tab=try`, PAYLOADS[1]],
      [`flows/${flow.uuid}?tab=json`, PAYLOADS[1]],
      ['orders/new', PAYLOADS[2]],
    ] as const;
    for (const [place, payload] of places) {
      await page.goto(`${product.running.url}${company}/${place}`);
      await page.locator('main h1').locator('visible=true').first().waitFor();
      await settled(page);
      if (place === 'orders/new') await page.getByRole('searchbox').first().fill('svg onload');
      if (place.startsWith('webhooks'))
        await page.getByRole('button', { name: 'Show what was sent' }).click();
      await page.locator('main').getByText(payload, { exact: false }).first().waitFor();
      expect(await deeds(page), place).to.deep.equal([]);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('iframe');
    await page.getByRole('option').filter({ hasText: PAYLOADS[3] }).first().waitFor();
    expect(await deeds(page), 'search').to.deep.equal([]);
  });

  it('stay texts in addresses, settings of the shop, saved replies, names of groups and of files', async () => {
    const { product } = suite;
    const { page } = await suite.open('overview');
    const company = `/companies/${product.company}`;
    const orders = await product.admin<
      readonly { readonly uuid: string; readonly fulfillment: { readonly type: string } }[]
    >('GET', `${company}/store/orders?limit=100`);
    const delivered = orders.filter(({ fulfillment: { type } }) => type === 'delivery');
    const first = PAYLOADS[0];
    const talk = await product.conversationWith(`+${phoneOf(0)}`);
    const { contact } = await product.admin<{ readonly contact: { readonly uuid: string } }>(
      'GET',
      `/conversations/${talk}`,
    );
    const sheets = delivered.map(({ uuid }) => uuid).join(',');
    /** Each place with what has to be read there. */
    const places: readonly (readonly [string, readonly string[]])[] = [
      [`orders/print?orders=${sheets}`, PAYLOADS],
      [
        'shop',
        [first, PAYLOADS[3], PAYLOADS[2].slice(0, 25), PAYLOADS[5].slice(0, 15), ...PAYLOADS.slice(0, 8)],
      ],
      ['inbox/saved-replies', PAYLOADS],
      ['people', PAYLOADS],
      [`inbox/${talk}?status=all`, [first]],
      [`contacts/${contact.uuid}`, [first]],
      ['messages', PAYLOADS.slice(0, 8)],
      ...delivered.map(({ uuid }) => [`orders/${uuid}`, []] as const),
    ];
    let addresses = '';
    for (const [place, payloads] of places) {
      await page.goto(`${product.running.url}/console/${product.company}/${place}`);
      await page.locator('main h1').locator('visible=true').first().waitFor();
      await settled(page);
      const read = await eventually(
        async () => {
          const text = (await textOf(page)) + (await valuesOf(page));
          return payloads.every((payload) => text.includes(payload)) ? text : undefined;
        },
        { what: `the texts at ${place}` },
      );
      if (place.startsWith('orders/') && !place.includes('print')) addresses += read;
      expect(await deeds(page), place).to.deep.equal([]);
    }
    for (const payload of PAYLOADS) expect(addresses, payload).to.include(payload);
    // The steps of a conversation, the name of a file in it, and the saved replies beside the answer box.
    await page.goto(`${product.running.url}/console/${product.company}/inbox/${talk}?status=all`);
    await page.locator('li.step', { hasText: `Assigned to ${first}, ${first}` }).waitFor();
    await page.locator('.bubble.in').getByRole('link', { name: first }).first().waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('/svg');
    await page.locator('[role=option]', { hasText: PAYLOADS[2] }).first().waitFor();
    expect(await deeds(page), 'saved replies that were found').to.deep.equal([]);
    await page.keyboard.press('Enter');
    await eventually(async () => (await valuesOf(page)).includes(PAYLOADS[2]));
    expect(await deeds(page), 'a saved reply in the box').to.deep.equal([]);
    await page.reload();
    await page.locator('main input[type=file]').setInputFiles({
      name: `${PAYLOADS[2]}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4'),
    });
    await page.locator('main .attached').waitFor();
    await settled(page);
    expect(await deeds(page), 'a file before it is sent').to.deep.equal([]);
  });

  it('stay texts in the preview of a table of products, after its import, and on the page of a product', async () => {
    const { product } = suite;
    const { page } = await suite.open('products/import');
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const heads = ['código', 'nome', 'descrição', 'preço', 'categoria', `${PAYLOADS[1]} <b>`];
    const rows = PAYLOADS.map((payload, nth) => [
      `T-${nth}`,
      `T${nth} ${payload}`,
      payload,
      '10,00',
      payload,
      '',
    ]);
    // One line is refused, with the text of its cell in the reason.
    const refused = ['T-x', 'Recusado', 'x', PAYLOADS[0], '', ''];
    await page.getByLabel('CSV file').setInputFiles({
      name: `${PAYLOADS[2].replaceAll('/', ' ')}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from([heads, ...rows, refused].map((row) => row.map(cell).join(';')).join('\r\n')),
    });
    await page.getByText(`${PAYLOADS.length} created, 0 changed, 0 as they were, 1 refused.`).waitFor();
    const shown = async (what: string): Promise<void> => {
      const text = await textOf(page);
      for (const payload of PAYLOADS) expect(text, `${what}: ${payload}`).to.include(payload);
      expect(await deeds(page), what).to.deep.equal([]);
    };
    await shown('preview');
    await page.getByRole('button', { name: `Import ${PAYLOADS.length}` }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText(`${PAYLOADS.length} created, 0 changed, 0 as they were, 1 refused.`).waitFor();
    await shown('import');
    const imported = await product.admin<readonly { readonly uuid: string; readonly name: string }[]>(
      'GET',
      `/companies/${product.company}/store/products?limit=100`,
    );
    const [one] = imported.filter(({ name }) => name === `T0 ${PAYLOADS[0]}`);
    await page.goto(`${product.running.url}/console/${product.company}/products/${one?.uuid}`);
    await page.getByRole('heading', { name: `T0 ${PAYLOADS[0]}` }).waitFor();
    await eventually(async () => (await valuesOf(page)).includes(PAYLOADS[0]));
    expect(await deeds(page), 'page of the product').to.deep.equal([]);
  });
});
