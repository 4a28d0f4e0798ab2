/**
 * What somebody could try against the console: texts that would run, links and cookies of others, frames, an ended
 * session (docs/security.md, "The console").
 */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { DEMO_NUMBER, type Product } from '../support/e2e/product.js';

/** Each tries to run, to load, or to leave the place where it is shown. */
const PAYLOADS = [
  '"><script>window.ran=1</script>',
  "'><img src=x onerror=window.ran=1>",
  '<svg/onload=window.ran=1>',
  '<iframe srcdoc="<script>parent.ran=1</script>">',
  '<a href="javascript:window.ran=1">x</a>',
  'javascript:window.ran=1',
  '</textarea></title></style><script>window.ran=1</script>',
  '<style>@import "https://evil.example/a.css";</style>',
  '<link rel=stylesheet href=https://evil.example/b.css>',
  '<img src=https://evil.example/c.png>',
  '<form action=https://evil.example><button autofocus onfocus=window.ran=1>',
  '{{constructor.constructor("window.ran=1")()}}${window.ran=1}',
  '<math><mtext><style><img src=x onerror=window.ran=1></style>',
  '\u202e<b onmouseover=window.ran=1>gpj.exe',
] as const;

const phoneOf = (nth: number): string => `55119876543${String(10 + nth)}`;

/** Puts the payloads wherever people and systems outside can put a text. */
async function plant(product: Product): Promise<void> {
  const company = `/companies/${product.company}`;
  const { id, sha256 } = product.sandbox.media.put({
    bytes: Buffer.from('%PDF-1.4'),
    mimeType: 'application/pdf',
  });
  const file = { id, sha256, mime_type: 'application/pdf' };
  for (const [nth, payload] of PAYLOADS.entries()) {
    const from = phoneOf(nth);
    product.reply(from, payload, payload);
    product.sandbox.receive({
      phoneNumberId: DEMO_NUMBER,
      from,
      name: payload,
      message: { type: 'document', document: { ...file, filename: payload, caption: payload } },
    });
    const made = await product.admin<{ readonly uuid: string }>(
      'POST',
      `${company}/store/products`,
      {
        name: payload,
        description: payload,
        price: '10.00',
        stock: 5,
      },
      201,
    );
    await product.admin(
      'POST',
      `${company}/store/orders`,
      {
        items: [{ product_uuid: made.uuid, quantity: 1 }],
        customer: { name: payload, phone: `+${from}` },
        fulfillment: { type: 'pickup' },
        payment: { method: 'pix' },
        note: payload,
      },
      201,
    );
    await product.admin(
      'POST',
      `${company}/flows`,
      {
        name: payload,
        definition: {
          schema: 1,
          start: 'hello',
          blocks: { hello: { type: 'send_text', label: payload, text: payload, next: null } },
        },
      },
      201,
    );
    await product.admin('POST', `${company}/team`, { kind: 'agent', name: payload }, 201);
    await product.admin('POST', `${company}/integrations`, { name: payload }, 201);
    await product.conversationWith(`+${from}`);
  }
}

describe('console: threats', function () {
  this.timeout(600_000);
  const suite = consoleSuite(plant);

  /** Everything by which a text could have done more than be read. */
  async function guard(page: Page): Promise<() => Promise<readonly string[]>> {
    const seen: string[] = [];
    page.on('dialog', (dialog) => {
      seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url().includes('evil.example')) seen.push(`request: ${request.url()}`);
    });
    await page.evaluate(
      "addEventListener('securitypolicyviolation', (event) => (window.reports = [...(window.reports ?? []), event.violatedDirective]))",
    );
    return async () => {
      const ran = await page.evaluate<unknown>('window.ran');
      const reports = (await page.evaluate<readonly string[] | undefined>('window.reports')) ?? [];
      const scripts = await page.evaluate<number>('document.scripts.length');
      return [
        ...seen,
        ...(ran === undefined ? [] : ['a script ran']),
        ...(scripts === 1 ? [] : [`${scripts} scripts`]),
        ...reports.map((directive) => `report: ${directive}`),
      ];
    };
  }

  const settled = (page: Page) => page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });

  it('texts of customers, products, orders and flows stay texts on every screen', async () => {
    const { page } = await suite.open('overview');
    const done = await guard(page);
    const sections = await page
      .locator('nav a')
      .evaluateAll((links) =>
        links.map((link) => (link as unknown as { readonly pathname: string }).pathname),
      );
    expect(sections).to.have.length.of.at.least(6);
    const read = new Map<string, string>();
    for (const path of sections) {
      const section = path.split('/').at(-1)!;
      await page.locator(`nav a[href="${path}"]`).click();
      await page.waitForURL((url) => url.pathname === path);
      await settled(page);
      let text = (await page.locator('main').textContent()) ?? '';
      const links = await page
        .locator('main a')
        .evaluateAll((all) => all.map((link) => (link as unknown as { readonly pathname: string }).pathname));
      const inside = [...new Set(links)].filter((link) => link.startsWith(`${path}/`));
      for (const link of inside.slice(0, PAYLOADS.length)) {
        const shown = page.locator(`main a[href^="${link}"]`).first();
        if ((await shown.count()) === 0) {
          await page.goBack();
          await settled(page);
        }
        await shown.click();
        await page.waitForURL((url) => url.pathname === link);
        await settled(page);
        text += (await page.locator('main').textContent()) ?? '';
      }
      read.set(section, text);
      expect(await done(), section).to.deep.equal([]);
    }
    // They were there, as they were written.
    for (const payload of PAYLOADS) {
      expect(read.get('inbox'), payload).to.include(payload);
      expect(read.get('orders'), payload).to.include(payload);
    }
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
    await page.locator('.rows').getByText(PAYLOADS[0]).first().waitFor();
    await watched.goto('about:blank');
    const { uuid } = await page.evaluate<{ readonly uuid: string }>(
      "fetch('/admin/v1/session', { headers: { 'x-recado-console': '1' } }).then((answer) => answer.json()).then(({ data }) => data)",
    );
    await suite.product.admin('DELETE', `/sessions/${uuid}`, undefined, 204);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('body').textContent()).to.not.include(PAYLOADS[0]);
  });
});
